package hdf5

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"sync/atomic"
)

// Opener opens a file that another refers to. Files are referred to through an external link, as
// the source of a virtual dataset, or for their elements alone. The name is a slash-separated
// path, relative to the folder of the file that was opened first, or absolute. When the reader is
// an [io.Closer] it is closed with the first file. An Opener may be called from several
// goroutines at once.
type Opener func(name string) (r io.ReaderAt, size int64, err error)

// ErrNoOpener is the error for a reference to another file, if the file was opened without
// [WithOpener].
var ErrNoOpener = errors.New("other files are not opened from here")

// WithOpener sets the function that opens other files, to which a File refers. The name is the
// file's own, as others of its folder would refer to it; it may be empty.
func WithOpener(name string, open Opener) Option {
	return func(f *File) { f.others.open, f.name = open, strings.TrimPrefix(path.Clean("/"+name), "/") }
}

// others are the files that a file and its linked files have opened.
type others struct {
	open    Opener
	extents atomic.Int64 // sources used to compute lengths, and further blocks that were looked for

	mu      sync.Mutex
	sources map[sourceKey]bool // of virtual datasets that were looked for: whether they are there
	files   map[string]*File
	raw     map[string]*RawFile
	closers []io.Closer
}

// A RawFile is an open file as bytes: the file that was opened first, or an external file.
type RawFile struct {
	io.ReaderAt        // as it was given to NewFile, or returned by the Opener
	Name        string // as an [Opener] understands it; the name of the first file may be empty
	Size        int64
}

// A sourceKey is a dataset of a file.
type sourceKey struct {
	file *File
	name string
}

// look reports whether a dataset is there, as far as is known. It also reports whether it is
// asked for the first time.
func (o *others) look(f *File, name string) (known, first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := sourceKey{f, name}
	known, again := o.sources[key]
	if !again {
		if o.sources == nil {
			o.sources = make(map[sourceKey]bool)
		}
		o.sources[key] = false
	}
	return known, !again
}

// looked notes that a dataset is there.
func (o *others) looked(f *File, name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sources[sourceKey{f, name}] = true
}

// An otherError is the error for a file that cannot be opened.
type otherError struct {
	name string
	err  error
}

func (e *otherError) Error() string { return "file " + e.name + ": " + e.err.Error() }

// Unwrap returns the cause.
func (e *otherError) Unwrap() error { return e.err }

// maxOthers bounds the files that one file may lead to.
const maxOthers = 4096

// nameOf turns the name by which f refers to another file into a name that the opener understands.
func (f *File) nameOf(name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return path.Join(path.Dir(f.name), name)
}

// openRaw opens a file once; the caller holds the lock.
func (o *others) openRaw(name string) (*RawFile, error) {
	if r := o.raw[name]; r != nil {
		return r, nil
	}
	if o.open == nil {
		return nil, ErrNoOpener
	}
	if len(o.raw) >= maxOthers {
		return nil, fmt.Errorf("more than %d other files", maxOthers)
	}
	r, size, err := o.open(name)
	if err != nil {
		return nil, err
	}
	if o.raw == nil {
		o.raw = map[string]*RawFile{}
	}
	o.raw[name] = &RawFile{r, name, size}
	if c, ok := r.(io.Closer); ok {
		o.closers = append(o.closers, c)
	}
	return o.raw[name], nil
}

// other opens an HDF5 file that f refers to; "." is f itself.
func (f *File) other(name string) (*File, error) {
	if name == "." {
		return f, nil
	}
	o := f.others
	at := f.nameOf(name)
	o.mu.Lock()
	defer o.mu.Unlock()
	if other := o.files[at]; other != nil {
		return other, nil
	}
	raw, err := o.openRaw(at)
	if err != nil {
		return nil, &otherError{name, err}
	}
	other, err := NewFile(raw, raw.Size, func(g *File) { g.others, g.name, g.raw, g.chunks, g.unchecked = o, at, raw, f.chunks, f.unchecked })
	if err != nil {
		return nil, &otherError{name, err}
	}
	return other, nil
}

// keep remembers a file by its name; the caller holds the lock.
func (o *others) keep(name string, f *File) {
	if o.files == nil {
		o.files = map[string]*File{}
	}
	o.files[name] = f
}

// otherRaw opens a file of elements that f refers to.
func (f *File) otherRaw(name string) (*RawFile, error) {
	f.others.mu.Lock()
	defer f.others.mu.Unlock()
	raw, err := f.others.openRaw(f.nameOf(name))
	if err != nil {
		return nil, &otherError{name, err}
	}
	return raw, nil
}

// Close closes the other files that f has opened, and f itself when [Open] opened it. Files that
// were opened on the way cannot be read any more.
func (f *File) Close() error {
	f.others.mu.Lock()
	defer f.others.mu.Unlock()
	var errs []error
	for _, c := range f.others.closers {
		errs = append(errs, c.Close())
	}
	f.others.closers = nil
	return errors.Join(errs...)
}
