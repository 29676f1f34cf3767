package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tgm")
	var c Client
	for _, text := range []string{"one", "two"} {
		w, err := c.Append(t.Context(), path, AppendOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	w, err := c.Append(t.Context(), path, AppendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("dropped")); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	if got, err := os.ReadFile(path); err != nil || string(got) != "onetwo" {
		t.Errorf("the file holds %q, %v, expected %q", got, err, "onetwo")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left, expected 1", len(left))
	}
	if _, err := c.Append(t.Context(), "s3://bucket/a.tgm", AppendOptions{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an addition to an object: %v", err)
	}
}

// lines is the Tail of files whose records are lines.
func lines(r io.ReaderAt, size int64) (int64, error) {
	b := make([]byte, size)
	_, err := r.ReadAt(b, 0)
	return size - int64(bytes.LastIndexByte(b, '\n')+1), err
}

func TestAppendAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	const writers, times, length = 4, 5, 300000
	var group sync.WaitGroup
	for n := range writers {
		group.Go(func() {
			var c Client
			for i := range times {
				w, err := c.Append(t.Context(), path, AppendOptions{Tail: lines, Lock: LockOptions{Wait: time.Minute}})
				if err == nil {
					_, err = fmt.Fprintf(w, "%d %d %s\n", n, i, strings.Repeat("x", length))
				}
				if err == nil {
					err = w.Commit()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range writers {
		for i := range times {
			if bytes.Count(got, fmt.Appendf(nil, "%d %d %s\n", n, i, strings.Repeat("x", length))) != 1 {
				t.Errorf("addition %d of writer %d is not in the file once", i, n)
			}
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left, expected 1", len(left))
	}
}

// The addition of a process that was killed is cut off by the next addition. Other bytes at the end
// are not.
func TestAppendAfterKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	add := func(text string) error {
		var c Client
		w, err := c.Append(t.Context(), path, AppendOptions{Tail: lines})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		return w.Commit()
	}
	write(path, "one\n")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	note, err := noteOf(f, 4)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ left, want string }{
		{"one\ntwo\nthr", "one\nfour\n"},
		{"one\ntwo\n", "one\ntwo\nfour\n"}, // killed when all was there
		{"xxx\ntwo\nthr", ""},              // not the bytes that the note describes
		{"on", ""},
	} {
		about := newLockText() // of a process that was killed
		about.Note = fmt.Sprintf(`{"length":%d,"hash":%q}`, note.Length, note.Hash)
		write(LockName(path), string(about.bytes()))
		write(path, c.left)
		err := add("four\n")
		if errors.As(err, new(*TailError)) != (c.want == "") {
			t.Errorf("%q: %v", c.left, err)
		}
		want := c.want
		if want == "" {
			want = c.left
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%q became %q, expected %q", c.left, got, want)
		}
	}
	write(path, "one\nt")
	if err := add("four\n"); !errors.As(err, new(*TailError)) {
		t.Errorf("an incomplete line of another program: %v", err)
	}
}
