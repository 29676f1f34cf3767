package tgm

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// pipeFiles are the fixtures, those that are damaged too, by their paths.
func pipeFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir("../fixtures/tgm", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".tgm" {
			return err
		}
		b, err := os.ReadFile(path)
		if len(b) < 1<<20 {
			files[path] = b
		}
		return err
	})
	if err != nil || len(files) < 16 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}

// seen is what there is to see of a file without its payloads.
type seen struct {
	Shared  []*Metadata
	Objects []seenObject
	Gaps    []Gap
	Err     string
}

type seenObject struct {
	Message, Index int
	Base           map[string]any
	Desc           *Descriptor
	Offset, Length int64
	Hash           uint64
}

func seenOf(o *Object, message int) seenObject {
	return seenObject{message, o.Index(), o.Base(), o.Descriptor(), o.Offset(), o.Length(), o.hash}
}

func look(f *File) (s seen) {
	fail := func(err error) seen { s.Err = err.Error(); return s }
	for m, err := range f.Messages() {
		if err != nil {
			return fail(err)
		}
		shared, err := m.SharedMetadata()
		if err != nil {
			return fail(err)
		}
		s.Shared = append(s.Shared, shared)
		for o, err := range m.Objects() {
			if err != nil {
				return fail(err)
			}
			s.Objects = append(s.Objects, seenOf(o, m.Index()))
		}
	}
	var err error
	if s.Gaps, err = f.Gaps(); err != nil {
		return fail(err)
	}
	return s
}

func TestPipeShowsWhatAFileShows(t *testing.T) {
	for name, b := range pipeFiles(t) {
		want := look(fileOf(t, b))
		for _, window := range []int64{pipeWindow, 300} {
			f := NewPipe(iotest.OneByteReader(bytes.NewReader(b)), withWindow(window), WithTempDir(t.TempDir()))
			got := look(f)
			if window != pipeWindow && (want.Err != "" || len(want.Gaps) > 0) {
				if got.Err == "" && len(got.Gaps) == 0 {
					t.Errorf("%s, window %d: no error and no gap", name, window)
				}
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, window %d:\n%+v, expected\n%+v", name, window, got, want)
			}
		}
	}
}

func fileOf(t *testing.T, b []byte) *File {
	t.Helper()
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestValidatePipe(t *testing.T) {
	for name, b := range pipeFiles(t) {
		for _, level := range []Level{LevelDefault, LevelQuick, LevelFull, LevelChecksum} {
			want, err := Validate(bytes.NewReader(b), int64(len(b)), level, ValidateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, window := range []int64{pipeWindow, 300} {
				got, err := validatePipe(bytes.NewReader(b), level, ValidateOptions{TempDir: t.TempDir()}, window)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !want.OK() && window != pipeWindow {
					if got.OK() {
						t.Errorf("%s, level %d, window %d: OK, expected what is wrong", name, level, window)
					}
					continue
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, level %d, window %d:\n%+v, expected\n%+v", name, level, window, got, want)
				}
			}
		}
	}
}

// Objects that pass are what they are in the file, with their payloads.
func TestPipePassesObjects(t *testing.T) {
	passed := 0
	for name, b := range pipeFiles(t) {
		want := look(fileOf(t, b))
		if want.Err != "" || len(want.Gaps) > 0 {
			continue
		}
		file := fileOf(t, b)
		f := NewPipe(bytes.NewReader(b), WithPayloads(), withWindow(300), WithTempDir(t.TempDir()))
		n := 0
		for m, err := range f.Messages() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if m.Passing() {
				passed++
			}
			for o, err := range m.Objects() {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := seenOf(o, m.Index()); !reflect.DeepEqual(got, want.Objects[n]) {
					t.Errorf("%s: object %d is\n%+v, expected\n%+v", name, n, got, want.Objects[n])
				}
				payload, err := o.EncodedPayload()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if at := o.PayloadOffset(); !bytes.Equal(payload, b[at:][:o.PayloadLength()]) {
					t.Errorf("%s: object %d has another payload", name, n)
				}
				n++
			}
			shared, err := m.SharedMetadata()
			if err != nil || !reflect.DeepEqual(shared, want.Shared[m.Index()]) {
				t.Errorf("%s: message %d has metadata\n%+v, expected\n%+v: %v", name, m.Index(), shared, want.Shared[m.Index()], err)
			}
		}
		if n != len(want.Objects) {
			t.Errorf("%s: %d objects, expected %d", name, n, len(want.Objects))
		}
		if size := f.Size(); size != file.Size() {
			t.Errorf("%s: %d bytes, expected %d", name, size, file.Size())
		}
		f.Close()
	}
	if passed < 10 {
		t.Errorf("%d messages passed, expected more", passed)
	}
}

func TestPipeKeepsNoPayload(t *testing.T) {
	b := streamOf(t, 3, 1000)
	arrived := 0
	f := NewPipe(bytes.NewReader(b), withWindow(500), WithTempDir(t.TempDir()), withArrived(func(o *Object) error {
		arrived++
		_, err := o.Decode(DecodeOptions{})
		return err
	}))
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.Object(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.EncodedPayload(); !errors.Is(err, ErrPassed) || arrived != 3 {
		t.Errorf("%v after %d payloads, expected ErrPassed after 3", err, arrived)
	}
	if _, err := f.Message(1); err == nil {
		t.Error("a message after the last one")
	}
	if _, err := f.Message(0); !errors.Is(err, ErrPassed) {
		t.Errorf("message 0 again: %v, expected ErrPassed", err)
	}
}

// streamOf is a streamed message of objects of n float64.
func streamOf(t *testing.T, objects, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewStreamWriter(&b, WriterOptions{})
	for range objects {
		if err := w.AppendArray("x", ArrayOf(make([]float64, n)), Pipeline{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPipeReadError(t *testing.T) {
	b := streamOf(t, 3, 100)
	for _, window := range []int64{pipeWindow, 500} {
		for _, cut := range []int{10, 100, 1500, len(b) - 3} {
			r := io.MultiReader(bytes.NewReader(b[:cut]), iotest.ErrReader(errors.New("broken")))
			if got := look(NewPipe(r, withWindow(window))); !strings.Contains(got.Err, "broken") {
				t.Errorf("window %d, error after %d bytes: %q", window, cut, got.Err)
			}
		}
	}
}

// FuzzPipe compares a pipe whose large messages pass with the file of the same bytes.
func FuzzPipe(f *testing.F) {
	for _, name := range []string{"../fixtures/tgm/scan/streaming-tail.tgm", "../fixtures/tgm/named_axes.tgm"} {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want := look(fileOf(t, b))
		for n, opts := range [][]Option{{withWindow(300)}, {withWindow(300), WithPayloads()}, {}} {
			p := NewPipe(bytes.NewReader(b), append(opts, WithTempDir(t.TempDir()))...)
			got := look(p)
			p.Close()
			if got.Err == "" && len(got.Gaps) == 0 && (want.Err != "" || len(want.Gaps) > 0) {
				t.Errorf("%d: nothing wrong, expected %q, %v", n, want.Err, want.Gaps)
			}
			if got.Err == "" && want.Err == "" && len(got.Gaps) == 0 && !reflect.DeepEqual(got.Objects, want.Objects) {
				t.Errorf("%d:\n%+v, expected\n%+v", n, got.Objects, want.Objects)
			}
		}
	})
}
