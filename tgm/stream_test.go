package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"
)

// streamed writes objects as they come.
func streamed(t testing.TB, w io.Writer, extra map[string]any, n int) {
	t.Helper()
	s := NewStreamWriter(w, WriterOptions{Provenance: Provenance{UUID: "x"}})
	s.SetExtra(extra)
	for i := range n {
		if err := s.Append(mustEncode(t, Float64, sampleData(Float64, 30+i), Pipeline{Compression: "zstd"}), map[string]any{"i": i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(mustEncode(t, Uint8, []byte{1}, Pipeline{}), nil); err == nil {
		t.Error("a closed writer took an object")
	}
}

// TestStreamedMessages reads the output of a StreamWriter as a file and as a stream, and validates
// it.
func TestStreamedMessages(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		var out bytes.Buffer
		extra := map[string]any{"source": "stream"}
		streamed(t, &out, extra, n)
		streamed(t, &out, nil, n+1)
		b := out.Bytes()
		r, err := Validate(bytes.NewReader(b), int64(len(b)), LevelFull, ValidateOptions{Canonical: true})
		if err != nil || !r.OK() || r.Messages != 2 || r.Objects != 2*n+1 {
			t.Fatalf("%d objects: %+v, %v", n, r, err)
		}
		for _, m := range r.Reports {
			for _, issue := range m.Issues {
				if n > 0 {
					t.Errorf("%d objects: %+v", n, issue)
				}
			}
		}
		checkSameObjects(t, b)
		m, err := open(t, b).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		if md, err := m.SharedMetadata(); err != nil || !reflect.DeepEqual(md.Extra, extra) || md.Reserved["uuid"] != "x" {
			t.Errorf("%d objects: metadata %v, %v", n, md, err)
		}
	}
}

// checkSameObjects expects a stream reader to give the objects that a file reader gives.
func checkSameObjects(t *testing.T, b []byte) {
	t.Helper()
	var want, got []string
	describe := func(o *Object) string {
		a, err := o.Decode(DecodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(o.Message().Index(), o.Index(), o.Offset(), o.Base(), a)
	}
	for m, err := range open(t, b).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, describe(o))
		}
	}
	s := NewStreamReader(iotestReader{bytes.NewReader(b)})
	for o, err := range s.Objects() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describe(o))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stream gives\n%.300v\nthe file\n%.300v", got, want)
	}
}

// iotestReader gives few bytes at a time, as a connection may.
type iotestReader struct{ r io.Reader }

func (r iotestReader) Read(p []byte) (int, error) { return r.r.Read(p[:min(len(p), 100)]) }

func TestStreamReaderReadsFiles(t *testing.T) {
	for _, name := range []string{"v0.17/multi_object.tgm", "v0.20/multi_message.tgm", "scan/ten-msg.tgm", "metadata_parity.tgm"} {
		checkSameObjects(t, fixture(t, name))
	}
	// Without preceders, streamed messages have the metadata of objects in the footer only.
	s := NewStreamReader(bytes.NewReader(append([]byte("junk"), fixture(t, "scan/streaming-tail.tgm")...)))
	n := 0
	for _, err := range s.Objects() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 10 || s.Messages() != 10 || s.Skipped() != 4 {
		t.Errorf("%d objects of %d messages, %d bytes skipped", n, s.Messages(), s.Skipped())
	}
	if md, err := s.Metadata(); err != nil || md.Reserved["encoder"] == nil {
		t.Errorf("metadata of the footer: %v, %v", md, err)
	}
}

// TestFirstByteLeavesWithTheFirstObject reads from a pipe whose writer waits.
func TestFirstByteLeavesWithTheFirstObject(t *testing.T) {
	pr, pw := io.Pipe()
	next := make(chan bool)
	go func() {
		w := NewStreamWriter(pw, WriterOptions{})
		for i := range 3 {
			if err := w.Append(mustEncode(t, Uint8, []byte{byte(i)}, Pipeline{}), map[string]any{"i": i}); err != nil {
				t.Error(err)
			}
			// Padding of a frame may be read with the frame after it.
			if !<-next {
				break
			}
		}
		pw.CloseWithError(w.Close())
	}()
	i := 0
	for o, err := range NewStreamReader(pr).Objects() {
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := Get[int64](o.Base(), "i"); !ok || int(v) != i {
			t.Errorf("object %d has %v", i, o.Base())
		}
		i++
		next <- true
	}
	if i != 3 {
		t.Errorf("%d objects", i)
	}
}

func TestTornStream(t *testing.T) {
	var out bytes.Buffer
	streamed(t, &out, nil, 3)
	b := out.Bytes()
	for n := 1; n < len(b); n += 7 {
		var err error
		for _, err = range NewStreamReader(bytes.NewReader(b[:n])).Objects() {
		}
		var framing *FramingError
		if n >= preambleSize && !errors.As(err, &framing) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

// TestBackfill writes to files, also after other messages and with files open for appending.
func TestBackfill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tgm")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		streamed(t, f, nil, 2)
	}
	f.Close()
	if f, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0); err != nil {
		t.Fatal(err)
	}
	streamed(t, f, nil, 2)
	f.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for m, err := range open(t, b).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		pre, err := parsePreamble(b[m.Offset():], nowhere)
		if wantTotal := i < 2; err != nil || (pre.total == uint64(m.Length())) != wantTotal {
			t.Errorf("message %d: length %d, %v", i, pre.total, err)
		}
		i++
	}
	if gaps, _ := open(t, b).Gaps(); i != 3 || len(gaps) > 0 {
		t.Errorf("%d messages, gaps %v", i, gaps)
	}
}

// FuzzStreamReader reads arbitrary bytes as they come. Objects that a reader of files finds too
// have the same values.
func FuzzStreamReader(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		s := NewStreamReader(iotest.HalfReader(bytes.NewReader(b)), WithLimits(fuzzLimits))
		arrays := map[int64]*Array{} // by the offset of the object
		for o, err := range s.Objects() {
			if err != nil {
				break
			}
			a, err := o.Decode(DecodeOptions{})
			if err == nil {
				arrays[o.Offset()] = a
			}
		}
		if s.Skipped() > int64(len(b)) {
			t.Fatalf("%d of %d bytes skipped", s.Skipped(), len(b))
		}
		compareWithFile(t, b, arrays)
	})
}

func compareWithFile(t *testing.T, b []byte, arrays map[int64]*Array) {
	for m, err := range open(t, b, WithLimits(fuzzLimits)).Messages() {
		if err != nil {
			return
		}
		for o, err := range m.Objects() {
			if err != nil {
				break
			}
			a, err := o.Decode(DecodeOptions{})
			if streamed := arrays[o.Offset()]; err == nil && streamed != nil && !bytes.Equal(a.Data, streamed.Data) {
				t.Fatalf("message %d, object %d: other values in the stream", m.Index(), o.Index())
			}
		}
	}
}
