// Package disk has the calls of the operating system that read and write files. A test can have them
// fail, with [SetFault]; otherwise they call package os.
package disk

import (
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
)

// An Op is a kind of call.
type Op string

// The kinds of calls. Create is for files that are opened to be written.
const (
	Open     Op = "open"
	Create   Op = "create"
	Read     Op = "read"
	Write    Op = "write"
	Sync     Op = "sync"
	Close    Op = "close" // of a file that was written to
	Truncate Op = "truncate"
	Rename   Op = "rename" // also the first name that a file gets
)

// A Call is one call of the system.
type Call struct {
	Op   Op
	Name string // of the file; where it is renamed, its new one
	Len  int    // of the bytes to be read or written
}

// A Fault returns the error that a call fails with, nil if the call is to be made. A failing read or
// write transfers n bytes, at most its length, before the error. The error of a read may be io.EOF.
// Several goroutines may call a Fault.
type Fault func(Call) (n int, err error)

// fault is the fault that is in force, nil outside tests.
var fault atomic.Pointer[Fault]

// SetFault has f decide about all calls from now on; nil has all of them made. It is for tests.
func SetFault(f Fault) {
	if f == nil {
		fault.Store(nil)
		return
	}
	fault.Store(&f)
}

// before asks the fault about a call.
func before(op Op, name string, n int) (int, error) {
	f := fault.Load()
	if f == nil {
		return n, nil
	}
	done, err := (*f)(Call{op, name, n})
	if err == nil || err == io.EOF {
		return min(done, n), err
	}
	return min(done, n), &os.PathError{Op: string(op), Path: name, Err: err}
}

// A File is an open file.
type File struct {
	*os.File
	written atomic.Bool
}

// Of returns an open file as a File.
func Of(f *os.File) *File { return &File{File: f} }

// OpenFile is [os.OpenFile].
func OpenFile(name string, flag int, perm os.FileMode) (*File, error) {
	op := Open
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		op = Create
	}
	if _, err := before(op, name, 0); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return Of(f), nil
}

// OpenRead is [os.Open].
func OpenRead(name string) (*File, error) { return OpenFile(name, os.O_RDONLY, 0) }

// CreateTemp is [os.CreateTemp].
func CreateTemp(folder, pattern string) (*File, error) {
	if _, err := before(Create, filepath.Join(folder, pattern), 0); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, err
	}
	return Of(f), nil
}

// ReadFile is [os.ReadFile].
func ReadFile(name string) ([]byte, error) {
	f, err := OpenRead(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// MoveFile is [os.Rename].
func MoveFile(from, to string) error { return Named(to, func() error { return os.Rename(from, to) }) }

// Named gives a file its name by a function.
func Named(name string, give func() error) error {
	if _, err := before(Rename, name, 0); err != nil {
		return err
	}
	return give()
}

// Read implements io.Reader.
func (f *File) Read(p []byte) (int, error) {
	if fault.Load() == nil {
		return f.File.Read(p)
	}
	return f.call(Read, p, f.File.Read)
}

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if fault.Load() == nil {
		return f.File.ReadAt(p, off)
	}
	return f.call(Read, p, func(p []byte) (int, error) { return f.File.ReadAt(p, off) })
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	f.written.Store(true)
	return f.call(Write, p, f.File.Write)
}

// WriteAt implements io.WriterAt.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	f.written.Store(true)
	return f.call(Write, p, func(p []byte) (int, error) { return f.File.WriteAt(p, off) })
}

// call makes the call, or the part of it that the fault permits.
func (f *File) call(op Op, p []byte, do func(p []byte) (int, error)) (int, error) {
	n, err := before(op, f.Name(), len(p))
	if err == nil {
		return do(p)
	}
	if n > 0 {
		var doErr error
		if n, doErr = do(p[:n]); doErr != nil {
			err = doErr
		}
	}
	return n, err
}

// WriteTo implements io.WriterTo.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	if fault.Load() == nil {
		return f.File.WriteTo(w)
	}
	return io.Copy(w, struct{ io.Reader }{f})
}

// ReadFrom implements io.ReaderFrom. The system copies from file to file.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	f.written.Store(true)
	if fault.Load() != nil {
		return io.Copy(struct{ io.Writer }{f}, r)
	}
	switch in := r.(type) {
	case *File:
		return f.File.ReadFrom(in.File)
	case *io.LimitedReader:
		if file, ok := in.R.(*File); ok {
			limited := &io.LimitedReader{R: file.File, N: in.N}
			n, err := f.File.ReadFrom(limited)
			in.N = limited.N
			return n, err
		}
	}
	return f.File.ReadFrom(r)
}

// Sync is [os.File.Sync].
func (f *File) Sync() error {
	if _, err := before(Sync, f.Name(), 0); err != nil {
		return err
	}
	return f.File.Sync()
}

// Truncate is [os.File.Truncate].
func (f *File) Truncate(size int64) error {
	if _, err := before(Truncate, f.Name(), 0); err != nil {
		return err
	}
	f.written.Store(true)
	return f.File.Truncate(size)
}

// Close closes the file, also where a fault has it fail.
func (f *File) Close() error {
	var failed error
	if f.written.Swap(false) {
		_, failed = before(Close, f.Name(), 0)
	}
	if err := f.File.Close(); err != nil {
		return err
	}
	return failed
}
