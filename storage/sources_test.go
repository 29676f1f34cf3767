package storage

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func readAll(t *testing.T, b Blob) {
	t.Helper()
	if _, err := io.Copy(io.Discard, io.NewSectionReader(ReaderAt(t.Context(), b), 0, b.Size())); err != nil {
		t.Fatal(err)
	}
}

func TestSourcesThatChange(t *testing.T) {
	old := bytes.Repeat([]byte("0123456789abcdef"), 20000)
	other := bytes.Repeat([]byte("fedcba9876543210"), 20000)
	write := func(path string, b []byte) error { return os.WriteFile(path, b, 0o666) }
	inPlace := func(path string, b []byte) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteAt(b, 0)
			err = errors.Join(err, f.Close())
		}
		return err
	}
	unix := runtime.GOOS != "windows" && runtime.GOARCH != "wasm"
	for _, c := range []struct {
		name   string
		change func(path string) error
		how    string
		unix   bool
	}{
		{"shrinks", func(path string) error { return os.Truncate(path, 1000) }, "shrank from 320000 to 1000 bytes", false},
		{"is written in place", func(path string) error { return inPlace(path, other) }, "was written to", false},
		{"is written at one place", func(path string) error { return inPlace(path, []byte("x")) }, "was written to", false},
		{"is written again", func(path string) error { return write(path, other) }, "was written to", false},
		{"is written again and longer", func(path string) error { return write(path, append(bytes.Clone(other), "more"...)) }, "was written anew", false},
		{"is written and its time set", func(path string) error {
			st, err := os.Stat(path)
			if err == nil {
				err = inPlace(path, other)
			}
			return errors.Join(err, os.Chtimes(path, st.ModTime(), st.ModTime()))
		}, "was written to", true},
		{"grows", func(path string) error { return write(path, append(bytes.Clone(old), "more"...)) }, "", false},
		{"is replaced", func(path string) error {
			return errors.Join(write(path+".new", other), os.Rename(path+".new", path))
		}, "", true},
		{"is removed", os.Remove, "", true},
		{"is renamed", func(path string) error { return os.Rename(path, path+".old") }, "", true},
		{"has other permissions", func(path string) error { return os.Chmod(path, 0o600) }, "", false},
		{"gets another link", func(path string) error { return os.Link(path, path+".link") }, "", true},
		{"stays", func(string) error { return nil }, "", false},
	} {
		if c.unix && !unix {
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "in")
		if err := write(path, old); err != nil {
			t.Fatal(err)
		}
		for _, closed := range []bool{false, true} {
			if closed {
				if err := errors.Join(os.RemoveAll(path), write(path, old)); err != nil {
					t.Fatal(err)
				}
			}
			client := &Client{Sources: new(Sources)}
			b, err := client.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			readAll(t, b)
			if err := c.change(path); err != nil {
				t.Fatal(err)
			}
			if closed {
				b.Close()
			}
			out, err := client.Create(t.Context(), filepath.Join(dir, "out"))
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range []error{client.Sources.Check(), out.Commit()} {
				switch changed, ok := errors.AsType[*ChangedError](err); {
				case c.how == "" && err != nil:
					t.Errorf("a file that %s: %v", c.name, err)
				case c.how != "" && (!ok || changed.Location != path || changed.How != c.how || !errors.Is(err, ErrChanged)):
					t.Errorf("a file that %s: %v, expected one that %s", c.name, err, c.how)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "out")); (err == nil) != (c.how == "") {
				t.Errorf("a file that %s: the output: %v", c.name, err)
			}
			os.Remove(filepath.Join(dir, "out"))
			appended, err := client.Append(t.Context(), filepath.Join(dir, "out"), AppendOptions{})
			if err == nil {
				err = appended.Commit()
			}
			if (err == nil) != (c.how == "") {
				t.Errorf("a file that %s, appended: %v", c.name, err)
			}
			if !closed {
				b.Close()
			}
			os.Remove(filepath.Join(dir, "out"))
			os.Remove(path + ".link")
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A change of a file after it was read and checked does not matter.
func TestSourcesAfterCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	client := &Client{Sources: new(Sources)}
	b, err := client.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	readAll(t, b)
	if err := client.Sources.Check(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := client.Sources.Check(); err != nil {
		t.Error(err)
	}
	_, _ = b.ReadAt(t.Context(), make([]byte, 10), 0)
	if err := client.Sources.Check(); !errors.Is(err, ErrChanged) {
		t.Errorf("after a further read: %v", err)
	}
}

// A file that is opened twice must be the same, unless it was only looked at.
func TestSourcesOpenedTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	for _, looked := range []bool{false, true} {
		if err := os.WriteFile(path, []byte("content"), 0o666); err != nil {
			t.Fatal(err)
		}
		client := &Client{Sources: new(Sources)}
		ctx := t.Context()
		if looked {
			ctx = Glance(ctx)
		}
		b, err := client.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.ReadAt(ctx, make([]byte, 4), 0); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if b, err = client.Open(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if err := errors.Join(os.WriteFile(path+".new", []byte("another"), 0o666), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
		b, err = client.Open(t.Context(), path)
		if looked && err != nil || !looked && (!errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "was replaced by another")) {
			t.Errorf("looked at %t: %v", looked, err)
		}
		if err == nil {
			b.Close()
		}
		if err := client.Sources.Check(); (err == nil) != looked {
			t.Errorf("looked at %t: %v", looked, err)
		}
	}
}

func TestSourcesOfObjects(t *testing.T) {
	store := newFakeStore(t)
	store.Put("bucket/in", []byte("content"))
	sources := new(Sources)
	for i := range 3 {
		client := &Client{Sources: sources} // keeps no object of the client before
		b, err := client.Open(t.Context(), "s3://bucket/in")
		switch {
		case i < 2 && err != nil, i == 2 && !errors.Is(err, ErrChanged):
			t.Errorf("opening %d: %v", i, err)
		case err == nil:
			readAll(t, b)
			b.Close()
		}
		if i == 1 {
			store.Put("bucket/in", []byte("another"))
		}
		client.Close()
	}
	out, err := (&Client{Sources: sources}).Create(t.Context(), "s3://bucket/out")
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Commit(); !errors.Is(err, ErrChanged) {
		t.Errorf("the output: %v", err)
	}
	if _, ok := store.Get("bucket/out"); ok {
		t.Error("the output is there")
	}
}

// Of many files little is kept.
func TestSourcesKeepLittle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, make([]byte, 8<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	client := &Client{Sources: new(Sources)}
	b, err := client.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, b)
	b.Close()
	if f := client.Sources.files[path]; len(f.samples) > keptParts || f.file != nil || len(client.Sources.open) > 0 {
		t.Errorf("kept: %d parts, %d open files", len(f.samples), len(client.Sources.open))
	}
	for range 100 { // a writer of the file goes on
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString("more")
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Millisecond)
	if b, err = client.Open(t.Context(), path); err != nil {
		t.Errorf("opened again when it has grown: %v", err)
	} else {
		b.Close()
	}
}

// A file that is written anew after its first bytes were read has changed, even with the same
// first bytes.
func TestSourcesWithTheSameHead(t *testing.T) {
	head := bytes.Repeat([]byte("head"), 16)
	for _, size := range []int{1000, sampleBytes, 1 << 20} {
		old := append(bytes.Clone(head), bytes.Repeat([]byte{1}, size)...)
		for name, c := range map[string]struct {
			now     []byte
			changed bool
		}{
			"longer":             {append(bytes.Clone(head), bytes.Repeat([]byte{2}, 2*size)...), true},
			"longer with an end": {slices.Concat(head, bytes.Repeat([]byte{2}, size/2), old[len(head)+size/2:], head), true},
			"grown":              {append(bytes.Clone(old), head...), false},
		} {
			path := filepath.Join(t.TempDir(), "in")
			if err := os.WriteFile(path, old, 0o666); err != nil {
				t.Fatal(err)
			}
			sources := new(Sources)
			b, err := (&Client{Sources: sources}).Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.ReadAt(t.Context(), make([]byte, len(head)), 0); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, c.now, 0o666); err != nil {
				t.Fatal(err)
			}
			readAll(t, b)
			if err := sources.Check(); errors.Is(err, ErrChanged) != c.changed {
				t.Errorf("%d bytes, %s: %v", size, name, err)
			}
			b.Close()
		}
	}
}
