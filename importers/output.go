package importers

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Output is a file that appears under its name only when it is complete. Until [Output.Commit] what is written lies in
// a temporary file in the same folder, which [Output.Abort] removes. A name that already stands for something other
// than a regular file, such as a device or a named pipe, is written to directly.
type Output struct {
	f      *os.File
	target string // where the complete file goes; empty when f is the target itself
}

// CreateOutput begins a file that will be at path.
func CreateOutput(path string) (*Output, error) {
	target, direct, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if direct {
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &Output{f: f}, nil
	}
	for {
		name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:10]+".tmp")
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &Output{f: f, target: target}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			// The user named the target: the error shall too.
			var pe *fs.PathError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			return nil, &fs.PathError{Op: "create", Path: path, Err: err}
		}
	}
}

// resolve follows symbolic links, so that a link's target is replaced and not the link, and says whether the target
// has to be written in place.
func resolve(path string) (target string, direct bool, err error) {
	target = path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	st, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, false, nil
	case err != nil:
		return "", false, err
	case st.IsDir():
		return "", false, fmt.Errorf("%s: is a folder, expected the name of a file", path)
	}
	return target, !st.Mode().IsRegular(), nil
}

// Write appends to the file.
func (o *Output) Write(p []byte) (int, error) { return o.f.Write(p) }

// ReadFrom appends what r gives, inside the operating system where both are files.
func (o *Output) ReadFrom(r io.Reader) (int64, error) { return o.f.ReadFrom(r) }

// Dir is the folder the file is made in.
func (o *Output) Dir() string {
	if o.target == "" {
		return ""
	}
	return filepath.Dir(o.target)
}

// Commit makes the file appear under its name.
func (o *Output) Commit() error {
	if err := o.f.Close(); err != nil {
		o.remove()
		return err
	}
	if o.target == "" {
		return nil
	}
	if err := os.Rename(o.f.Name(), o.target); err != nil {
		o.remove()
		return err
	}
	o.target = ""
	return nil
}

// Abort removes what was written. It does nothing after Commit.
func (o *Output) Abort() {
	o.f.Close()
	o.remove()
}

func (o *Output) remove() {
	if o.target != "" {
		os.Remove(o.f.Name())
		o.target = ""
	}
}

// countingWriter counts the bytes that reach w.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ReadFrom lets w copy in its own way where it has one.
func (c *countingWriter) ReadFrom(r io.Reader) (int64, error) {
	if rf, ok := c.w.(io.ReaderFrom); ok {
		n, err := rf.ReadFrom(r)
		c.n += n
		return n, err
	}
	n, err := io.Copy(struct{ io.Writer }{c.w}, r)
	c.n += n
	return n, err
}
