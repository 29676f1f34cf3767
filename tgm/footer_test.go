package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// wordy returns a message of n objects with metadata of the given number of bytes each.
func wordy(t testing.TB, n, size int, opts WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, opts)
	appendWordy(t, w, n, size)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// appendWordy appends the objects of a wordy message.
func appendWordy(t testing.TB, w *MessageWriter, n, size int) {
	t.Helper()
	w.SetExtra(map[string]any{"source": "here"})
	for i := range n {
		o, err := EncodeArray(ArrayOf([]float32{float32(i), 1, 2}), Pipeline{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(o, map[string]any{"name": fmt.Sprint("x", i), "text": strings.Repeat("a", size)}); err != nil {
			t.Fatal(err)
		}
	}
}

// appendLarge appends an object whose payload is in memory of its own, and one whose payload is in a file.
func appendLarge(t *testing.T, w *MessageWriter) {
	t.Helper()
	zeros := make([]byte, PiecesBytes)
	inMemory, err := EncodeArray(Array{Shape: []uint64{1 << 20}, DType: Float32, Data: zeros[:4<<20]}, Pipeline{Compression: "zstd"})
	if err != nil {
		t.Fatal(err)
	}
	inFile, err := EncodePieces([]uint64{PiecesBytes / 4}, Float32, inPieces(zeros, nil, 4, PiecesBytes/4), Pipeline{Compression: "zstd"}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []*EncodedObject{inMemory, inFile} {
		if err := w.Append(o, map[string]any{"name": "large"}); err != nil {
			t.Fatal(err)
		}
		o.Release()
	}
}

// TestInPlaceWritesTheSameBytes expects the bytes of a message to be the same whether its objects were written to their
// places or not: in a file after other bytes, in one that is only added to, and where all fits into the header.
func TestInPlaceWritesTheSameBytes(t *testing.T) {
	for _, c := range []struct {
		name         string
		n, size      int
		flag, memory int
		before       int64 // bytes that are in the file before Close
	}{
		{name: "in place", n: 400, size: 1000, memory: 1000, before: 32 << 10},
		{name: "few bytes", n: 400, size: 1000},
		{name: "in the header", n: 100, size: 1000, memory: 1000},
		{name: "added to", n: 400, size: 1000, memory: 1000, flag: os.O_APPEND},
	} {
		f, err := os.OpenFile(filepath.Join(t.TempDir(), "out.tgm"), os.O_RDWR|os.O_CREATE|c.flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		opts := WriterOptions{Provenance: Provenance{Time: time.Unix(0, 0), UUID: "00000000-0000-4000-8000-000000000000"}, SpoolMemory: c.memory, TempDir: t.TempDir()}
		var whole bytes.Buffer
		w := NewMessageWriter(&whole, opts)
		appendWordy(t, w, c.n, c.size)
		appendLarge(t, w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want := whole.Bytes()
		opts.InPlace = true
		for range 2 {
			start, _ := f.Seek(0, io.SeekCurrent)
			w := NewMessageWriter(f, opts)
			appendWordy(t, w, c.n, c.size)
			if st, err := f.Stat(); err != nil || st.Size()-start < c.before || c.before == 0 && st.Size() > start {
				t.Errorf("%s: %d bytes were written before the end (%v)", c.name, st.Size()-start, err)
			}
			appendLarge(t, w)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, slices.Concat(want, want)) {
			t.Errorf("%s: %d bytes differ from the %d of two messages (%v)", c.name, len(got), 2*len(want), err)
		}
	}
}

func TestMetadataBeyondTheLimitAreWrittenAfterTheObjects(t *testing.T) {
	for _, c := range []struct {
		n, size int
		noHash  bool
		footer  bool
	}{
		{n: 10, size: 1000},
		{n: 1, size: maxHeader - 2000},
		{n: 1, size: maxHeader, footer: true},
		{n: 300, size: 1000, footer: true},
		{n: 300, size: 1000, noHash: true, footer: true},
	} {
		b := wordy(t, c.n, c.size, WriterOptions{NoHash: c.noHash})
		m := openOne(t, b)
		md, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		last, err := m.Object(c.n - 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := last.Name(), fmt.Sprint("x", c.n-1); got != want || len(md.Base) != c.n || md.Extra["source"] != "here" {
			t.Errorf("%+v: last of %d is %q, expected %q; extra %v", c, len(md.Base), got, want, md.Extra)
		}
		first, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		if start := first.Offset(); (start == preambleSize) != c.footer || start > maxHeader {
			t.Errorf("%+v: the first object is at %d", c, start)
		}
		r, err := Validate(bytes.NewReader(b), int64(len(b)), LevelFull, ValidateOptions{Canonical: true})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK() || !c.noHash && len(r.Reports[0].Issues) > 0 {
			t.Errorf("%+v: %+v", c, r)
		}
		s := NewStreamReader(bytes.NewReader(b))
		n := 0
		for {
			if _, err := s.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != c.n {
			t.Errorf("%+v: %d objects in the stream", c, n)
		}
	}
}
