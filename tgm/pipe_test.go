package tgm

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// pipeFiles are the fixtures, damaged files too, by their paths.
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

// seen is the visible content of a file without its payloads.
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
			f.Close()
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
				f := NewPipe(bytes.NewReader(b), WithoutHashes(), withWindow(window), WithTempDir(t.TempDir()))
				got, err := validateFile(f, level, ValidateOptions{})
				f.Close()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, level %d, window %d:\n%+v, expected\n%+v", name, level, window, got, want)
				}
			}
		}
	}
}

// A large message has its payloads until the next is asked for, and no file remains.
func TestPipeKeepsLargeMessages(t *testing.T) {
	b := slices.Concat(streamOf(t, 3, 1000), streamOf(t, 1, 10), streamOf(t, 2, 500))
	dir := t.TempDir()
	f := NewPipe(iotest.HalfReader(bytes.NewReader(b)), withWindow(500), WithTempDir(dir))
	var objects []*Object
	for m, err := range f.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		for o, err := range m.Objects() {
			if err != nil {
				t.Fatal(err)
			}
			payload, err := o.EncodedPayload()
			if at := o.PayloadOffset(); err != nil || !bytes.Equal(payload, b[at:][:o.PayloadLength()]) {
				t.Errorf("message %d, object %d has another payload: %v", m.Index(), o.Index(), err)
			}
			objects = append(objects, o)
		}
	}
	if len(objects) != 6 || f.Size() != int64(len(b)) {
		t.Errorf("%d objects in %d bytes, expected 6 in %d", len(objects), f.Size(), len(b))
	}
	if _, err := objects[0].EncodedPayload(); !errors.Is(err, ErrPassed) {
		t.Errorf("a payload of the first message at the end: %v, expected ErrPassed", err)
	}
	if _, err := f.Message(0); !errors.Is(err, ErrPassed) {
		t.Errorf("message 0 again: %v, expected ErrPassed", err)
	}
	f.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v, expected no file", left, err)
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

// FuzzPipe compares a pipe with the file of the same bytes. Of damaged bytes both give an error, but
// maybe not the same: a file finds its objects by the index, a message in memory by walking its frames.
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
		for _, window := range []int64{300, pipeWindow} {
			p := NewPipe(bytes.NewReader(b), withWindow(window), WithTempDir(t.TempDir()))
			got := look(p)
			p.Close()
			if got.Err != "" && want.Err != "" {
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("window %d:\n%+v, expected\n%+v", window, got, want)
			}
		}
	})
}
