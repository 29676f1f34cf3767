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

// Output is a file that appears under its name only when it is complete. Until [Output.Commit] what
// is written lies in a temporary file in the same folder, which [Output.Abort] removes. A name that
// already stands for something other than a regular file, such as a device or a named pipe, is
// written to directly.
type Output struct {
	f      *os.File
	path   string // as the user gave it
	target string // where the complete file goes; empty when f is the target itself
}

// CreateOutput begins a file that will be at path. If there is one already, the new one gets its
// permissions.
func CreateOutput(path string) (*Output, error) {
	target, mode, direct, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if direct {
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &Output{f: f, path: path}, nil
	}
	for {
		name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+rand.Text()[:10]+".tmp")
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			o := &Output{f: f, path: path, target: target}
			if mode != 0 {
				if err := f.Chmod(mode); err != nil {
					o.Abort()
					return nil, o.named("create", err)
				}
			}
			return o, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, (&Output{path: path}).named("create", err)
		}
	}
}

// named is an error of the temporary file under the name that the user gave.
func (o *Output) named(op string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: o.path, Err: err}
}

// resolve follows symbolic links, so that a link's target is replaced and not the link. It gives
// the permissions of the target, 0 if there is none yet, and says whether it has to be written in
// place.
func resolve(path string) (target string, mode fs.FileMode, direct bool, err error) {
	target = followLinks(path)
	st, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, 0, false, nil
	case err != nil:
		return "", 0, false, err
	case st.IsDir():
		return "", 0, false, fmt.Errorf("%s: is a folder, expected the name of a file", path)
	}
	return target, st.Mode().Perm(), !st.Mode().IsRegular(), nil
}

// followLinks is what path stands for. A link may lead to a file that is not there yet.
func followLinks(path string) string {
	for range 40 { // as many as Linux follows
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		next, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return path
}

// Write appends to the file.
func (o *Output) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	if err != nil {
		err = o.named("write", err)
	}
	return n, err
}

// ReadFrom appends what r gives, inside the operating system where both are files.
func (o *Output) ReadFrom(r io.Reader) (int64, error) {
	n, err := o.f.ReadFrom(r)
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Path == o.f.Name() {
		err = o.named("write", err)
	}
	return n, err
}

// ReadAt, WriteAt and Seek let a message that was written as it came get its length in front.

// ReadAt reads what was written.
func (o *Output) ReadAt(p []byte, off int64) (int, error) { return o.f.ReadAt(p, off) }

// WriteAt changes what was written.
func (o *Output) WriteAt(p []byte, off int64) (int, error) { return o.f.WriteAt(p, off) }

// Seek sets where Write goes on.
func (o *Output) Seek(offset int64, whence int) (int64, error) { return o.f.Seek(offset, whence) }

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
		return o.named("write", err)
	}
	if o.target == "" {
		return nil
	}
	if err := os.Rename(o.f.Name(), o.target); err != nil {
		o.remove()
		return o.named("create", linkError(err))
	}
	o.target = ""
	return nil
}

// linkError is the cause of what os.Rename returns.
func linkError(err error) error {
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
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
