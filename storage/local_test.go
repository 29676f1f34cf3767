package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, b Blob) string {
	t.Helper()
	buf := make([]byte, b.Size())
	if n, err := b.ReadAt(t.Context(), buf, 0); n < len(buf) {
		t.Fatalf("read %d of %d bytes: %v", n, len(buf), err)
	}
	return string(buf)
}

// Reading standard input that could not be kept fails again. The bytes left in the pipe are not read as
// a file.
func TestStdinLost(t *testing.T) {
	broken := errors.New("broken")
	c := &Client{Stdin: io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(broken), strings.NewReader("the rest"))}
	defer c.Close()
	for range 2 {
		if b, err := c.Open(t.Context(), Stdin); !errors.Is(err, broken) {
			t.Errorf("%v, %v, expected the error of the first read", b, err)
		}
	}
	if !c.StdinKept() {
		t.Error("standard input is to be read once more")
	}
}

func TestFindWalksFoldersInOrder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/2", "b/1", "a/x", ".hidden/y", "c/.hidden", "z"} {
		write(t, filepath.Join(dir, name), name)
	}
	if err := os.Symlink(filepath.Join(dir, "z"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nothing", filepath.Join(dir, "lost")); err != nil { // opening it is an error
		t.Fatal(err)
	}
	c := new(Client)
	found, err := c.Find(t.Context(), filepath.Join(dir, "z"), dir, "-", "https://example.org/x")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range found {
		name := strings.TrimPrefix(in.Name, dir+"/")
		if in.FromFolder {
			name = "*" + name
		}
		names = append(names, name)
	}
	if want := []string{"z", "*a/x", "*b/1", "*b/2", "*link", "*lost", "*z", "-", "https://example.org/x"}; !slices.Equal(names, want) {
		t.Errorf("found %v, want %v", names, want)
	}
	if _, err := c.Find(t.Context(), filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := c.Find(t.Context(), t.TempDir()); err == nil {
		t.Error("an empty folder is accepted")
	}
	if found, err := c.Find(t.Context(), "HTTPS://example.org/x"); err != nil || len(found) != 1 {
		t.Errorf("HTTPS://: %v, error %v", found, err)
	}
	if _, err := c.Find(t.Context(), "ftp://host/x"); !errors.As(err, new(*SchemeError)) {
		t.Errorf("ftp://: error %v", err)
	}
}

func TestStdinIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	write(t, path, "0123456789")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(3, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin io.Reader
		want  string
	}{{strings.NewReader("piped"), "piped"}, {file, "3456789"}, {strings.NewReader(""), ""}} {
		client := &Client{Stdin: c.stdin, TempDir: dir}
		for range 2 { // closed and opened again
			b, err := client.Open(t.Context(), Stdin)
			if err != nil {
				t.Fatal(err)
			}
			if got := contents(t, b); got != c.want {
				t.Errorf("standard input is %q, want %q", got, c.want)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("temporary files are left: %v", entries)
	}
	if _, err := new(Client).Open(t.Context(), Stdin); err == nil {
		t.Error("standard input is read where there is none")
	}
}

func TestPipeIsNotWaitedForWhenCancelled(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	c := &Client{Stdin: r, TempDir: t.TempDir()}
	if _, err := c.Open(ctx, Stdin); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}

// A file is read for as long as the context of the reading lasts.
func TestReadingEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	write(t, path, "abc")
	b, err := new(Client).Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := ReaderAt(ctx, b)
	if n, err := r.ReadAt(make([]byte, 3), 0); n != 3 || err != nil {
		t.Errorf("%d bytes, error %v", n, err)
	}
	cancel()
	if _, err := r.ReadAt(make([]byte, 3), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestFindPatterns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.nc", "b.nc", "b.grib", "sub/c.nc", ".hidden.nc", "odd[1].nc"} {
		write(t, filepath.Join(dir, name), name)
	}
	c := new(Client)
	for pattern, want := range map[string][]string{
		"*.nc": {"a.nc", "b.nc", "odd[1].nc"}, "?.{nc,grib}": {"a.nc", "b.grib", "b.nc"}, "**/*.nc": {"a.nc", "b.nc", "odd[1].nc", "sub/c.nc"},
		"odd[1].nc": {"odd[1].nc"}, // a name is a name
	} {
		found, err := c.Find(t.Context(), filepath.Join(dir, pattern))
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
		}
		var names []string
		for _, in := range found {
			names = append(names, strings.TrimPrefix(in.Name, dir+"/"))
			if in.FromFolder {
				t.Errorf("%s: %s counts as found in a folder", pattern, in.Name)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", pattern, names, want)
		}
	}
	if _, err := c.Find(t.Context(), filepath.Join(dir, "*.tgm")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v for a pattern that matches nothing", err)
	}
}

func TestDisplayHidesSecrets(t *testing.T) {
	for location, want := range map[string]string{
		"-": "standard input", "a@b:c": "a@b:c", "https://u:pass@h/x": "https://u:***@h/x", "https://u@h/x": "https://u@h/x",
		"https://h/x?X-Amz-Signature=abc&y=1": "https://h/x?X-Amz-Signature=***&y=1", "https://h/x?y=1&sig=abc": "https://h/x?y=1&sig=***",
		"https://h/x?access_token=abc": "https://h/x?access_token=***", "https://h/x?step=6": "https://h/x?step=6",
		"https://u:p@ss@h/x": "https://u:***@h/x", "https://u:p%zz@h/x": "https://u:***@h/x",
	} {
		if got := Display(location); got != want {
			t.Errorf("%s is shown as %s, want %s", location, got, want)
		}
	}
}
