package importers

import (
	"context"
	"errors"
	"io"
	"sync"
)

// OpenFiles opens the inputs of a source by name when they are needed, and closes them when many
// others have been needed since. It may be used by several goroutines.
type OpenFiles[T any] struct {
	opener *Opener
	idle   int
	parsed func(*InputFile) T

	mu     sync.Mutex
	files  map[string]*OpenFile[T]
	unused []*OpenFile[T] // nobody reads them; the one left longest ago first
}

// OpenFile is an open input with what its source knows of it.
type OpenFile[T any] struct {
	*InputFile
	Parsed T

	set    *OpenFiles[T]
	key    string
	refs   int
	opened chan struct{} // closed when the attempt to open it has ended
	err    error         // of that attempt
}

// NewOpenFiles makes a set of files that keeps up to idle of them open while nobody reads them.
// parsed is called for each file when it is opened, to make what the source keeps with it; if that
// is an io.Closer, closing it closes the input.
func NewOpenFiles[T any](opener *Opener, idle int, parsed func(*InputFile) T) *OpenFiles[T] {
	if opener == nil {
		opener = new(Opener)
	}
	return &OpenFiles[T]{opener: opener, idle: idle, parsed: parsed, files: make(map[string]*OpenFile[T])}
}

// Acquire opens the input of that name, or gives the one that is open. [OpenFile.Release] must
// follow.
func (s *OpenFiles[T]) Acquire(ctx context.Context, name string) (*OpenFile[T], error) {
	for {
		s.mu.Lock()
		f := s.files[name]
		if f == nil {
			f = &OpenFile[T]{set: s, key: name, refs: 1, opened: make(chan struct{})}
			s.files[name] = f
			s.mu.Unlock()
			return f.open(ctx)
		}
		if f.refs == 0 {
			s.use(f)
		}
		f.refs++
		s.mu.Unlock()
		select {
		case <-f.opened:
		case <-ctx.Done():
			f.Release()
			return nil, ctx.Err()
		}
		if f.err == nil {
			return f, nil
		}
		// That attempt has failed, perhaps only because the other caller gave up.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// open opens f for the first caller that wants it.
func (f *OpenFile[T]) open(ctx context.Context) (*OpenFile[T], error) {
	f.InputFile, f.err = f.set.opener.Open(ctx, Input{Name: f.key})
	if f.err == nil {
		f.Parsed = f.set.parsed(f.InputFile)
	} else {
		f.set.mu.Lock()
		delete(f.set.files, f.key)
		f.set.mu.Unlock()
	}
	close(f.opened)
	if f.err != nil {
		return nil, f.err
	}
	return f, nil
}

// Release says that the caller reads f no more.
func (f *OpenFile[T]) Release() {
	s := f.set
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.refs--; f.refs > 0 || s.files[f.key] != f || !f.Again {
		return
	}
	if s.unused = append(s.unused, f); len(s.unused) > s.idle {
		oldest := s.unused[0]
		s.unused = s.unused[1:]
		delete(s.files, oldest.key)
		oldest.close()
	}
}

func (f *OpenFile[T]) close() error {
	if c, ok := any(f.Parsed).(io.Closer); ok {
		return c.Close()
	}
	return f.InputFile.Close()
}

// use takes f out of the files that nobody reads.
func (s *OpenFiles[T]) use(f *OpenFile[T]) {
	for i, other := range s.unused {
		if other == f {
			s.unused = append(s.unused[:i:i], s.unused[i+1:]...)
			return
		}
	}
}

// Close closes all files. Nobody may be reading them.
func (s *OpenFiles[T]) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.close())
	}
	clear(s.files)
	s.unused = nil
	return errors.Join(errs...)
}
