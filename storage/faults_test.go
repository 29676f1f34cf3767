package storage

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// failing has all calls of a kind fail until the test ends.
func failing(t *testing.T, op disk.Op, err error) {
	t.Helper()
	disk.SetFault(func(c disk.Call) (int, error) {
		if c.Op == op {
			return 0, err
		}
		return c.Len, nil
	})
	t.Cleanup(func() { disk.SetFault(nil) })
}

// Every failure names the local output in the error, and leaves none of it.
func TestLocalWriterWithFaults(t *testing.T) {
	for _, op := range []disk.Op{disk.Write, disk.Sync, disk.Close, disk.Rename} {
		for _, former := range []string{"", "former"} {
			dir := t.TempDir()
			path := filepath.Join(dir, "out")
			if former != "" {
				if err := os.WriteFile(path, []byte(former), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for name, begin := range map[string]func(c *Client) (Writer, error){
				"create": func(c *Client) (Writer, error) { return c.Create(t.Context(), path) },
				"append": func(c *Client) (Writer, error) { return c.Append(t.Context(), path, AppendOptions{}) },
			} {
				if name == "append" && (op == disk.Rename || op == disk.Close) {
					continue
				}
				w, err := begin(new(Client))
				if err != nil {
					t.Fatal(err)
				}
				failing(t, op, syscall.ENOSPC)
				_, err = w.Write([]byte("content"))
				if err == nil {
					err = w.Commit()
				}
				w.Abort()
				disk.SetFault(nil)
				var failed *WriteError
				if !errors.As(err, &failed) || !strings.HasPrefix(err.Error(), path+": ") || !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("%s, %s: error %v", op, name, err)
				}
				entries, err := os.ReadDir(dir)
				if now, _ := os.ReadFile(path); string(now) != former || err != nil || len(entries) > 1 || former == "" && name == "create" && len(entries) > 0 {
					t.Errorf("%s, %s: %q is left, and %d files, %v", op, name, now, len(entries), err)
				}
				if former == "" {
					os.Remove(path) // an empty file may be left where something was to be added
				}
			}
		}
	}
}

// An error of writing a temporary file names the temporary file, not the input that is copied to it.
func TestTempFileWithFaults(t *testing.T) {
	c := &Client{Stdin: strings.NewReader("content"), TempDir: t.TempDir()}
	defer c.Close()
	failing(t, disk.Write, syscall.ENOSPC)
	_, err := c.Open(t.Context(), Stdin)
	if want := "temporary file in " + c.TempDir + ": writing: no space left on device"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, expected %s", err, want)
	}
}

// A temporary file is no output if less can be read than was written.
func TestRandomWithFaults(t *testing.T) {
	s := newFakeStore(t)
	var c Client
	defer c.Close()
	out, err := c.Create(t.Context(), "s3://bucket/x")
	if err != nil {
		t.Fatal(err)
	}
	w, err := Random(out, t.TempDir())
	if err == nil {
		_, err = w.WriteAt([]byte("content"), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	failing(t, disk.Read, io.EOF)
	if err := w.Commit(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if _, ok := s.Get("bucket/x"); ok {
		t.Error("something was stored")
	}
}

// A file that became shorter after it was opened gives its readers an error, not an end.
func TestFileThatShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := new(Client).Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := os.Truncate(path, 3); err != nil {
		t.Fatal(err)
	}
	n, err := b.ReadAt(t.Context(), make([]byte, 7), 0)
	if n != 3 || err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d bytes, error %v", n, err)
	}
	if _, err := b.ReadAt(t.Context(), make([]byte, 7), 7); err != io.EOF {
		t.Errorf("after the end: error %v", err)
	}
}

// Errors of an object store include its answer.
func TestStoreAnswers(t *testing.T) {
	newFakeStore(t)
	for status, want := range map[int]string{
		http.StatusPreconditionFailed: "s3://bucket/x: writing: the server answered 412 PreconditionFailed At least one of the pre-conditions you specified did not hold, expected to store the object",
		http.StatusMethodNotAllowed:   "s3://bucket/x: writing: the server answered 405 Method Not Allowed, expected to store the object",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>no</html>", status) }))
		defer server.Close()
		t.Setenv("AWS_ENDPOINT_URL", server.URL)
		if err := store(t, new(Client), "s3://bucket/x", []byte("content")); err == nil || err.Error() != want {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}
