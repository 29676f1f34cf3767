package importers

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/storage"
)

// OpenFiles opens the inputs of a source by name when needed, and closes them after many others. It may be
// used by several goroutines.
type OpenFiles[T any] struct {
	opener Opener
	own    *storage.Client // that is used when no opener was given
	idle   int
	parsed func(*InputFile) T

	mu     sync.Mutex
	files  map[string]*sharedFile[T]
	unused []*sharedFile[T] // not in use, oldest first
}

// OpenFile is an open input, acquired by one user, with the data parsed by its source.
type OpenFile[T any] struct {
	*sharedFile[T]
	ctx  context.Context
	done func()
}

// sharedFile is an open input with all its users.
type sharedFile[T any] struct {
	*InputFile
	Parsed T

	set    *OpenFiles[T]
	key    string
	refs   int
	opened chan struct{} // closed when the attempt to open it has ended
	err    error         // of that attempt
}

// NewOpenFiles returns a set of files that keeps up to idle of them open while they are not in use.
// A nil opener opens local files. parsed is called for each file when it is opened, to make the
// data that the source keeps with it; if these are an io.Closer, closing them closes the input.
func NewOpenFiles[T any](opener Opener, idle int, parsed func(*InputFile) T) *OpenFiles[T] {
	own := new(storage.Client)
	if opener == nil {
		opener = own
	}
	return &OpenFiles[T]{opener: opener, own: own, idle: idle, parsed: parsed, files: make(map[string]*sharedFile[T])}
}

// Acquire returns the input at a location, and opens it if it is not open. [OpenFile.Release] must
// follow.
func (s *OpenFiles[T]) Acquire(ctx context.Context, location string) (*OpenFile[T], error) {
	for {
		s.mu.Lock()
		f := s.files[location]
		if f == nil {
			f = &sharedFile[T]{set: s, key: location, refs: 1, opened: make(chan struct{})}
			s.files[location] = f
			s.mu.Unlock()
			if err := f.open(ctx); err != nil {
				return nil, err
			}
			return &OpenFile[T]{f, ctx, f.users.add(ctx)}, nil
		}
		if f.refs == 0 {
			s.use(f)
		}
		f.refs++
		s.mu.Unlock()
		select {
		case <-f.opened:
		case <-ctx.Done():
			f.release()
			return nil, ctx.Err()
		}
		if f.err == nil {
			return &OpenFile[T]{f, ctx, f.users.add(ctx)}, nil
		}
		// That attempt has failed, perhaps only because the other caller gave up.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// open opens f for the first caller that wants it.
func (f *sharedFile[T]) open(ctx context.Context) error {
	var blob storage.Blob
	if blob, f.err = f.set.opener.Open(ctx, f.key); f.err == nil {
		f.InputFile = newInputFile(blob, f.key)
		f.Parsed = f.set.parsed(f.InputFile)
	} else {
		f.set.mu.Lock()
		delete(f.set.files, f.key)
		f.set.mu.Unlock()
	}
	close(f.opened)
	return f.err
}

// OpenExternal opens a file that an input refers to, as [ExternalOpener] does.
func (s *OpenFiles[T]) OpenExternal(in *InputFile, name string) (string, storage.Blob, error) {
	opener, ok := s.opener.(ExternalOpener)
	if !ok {
		return "", nil, storage.ErrExternal
	}
	return opener.OpenExternal(context.Background(), in.Location, name)
}

// ReadAt implements io.ReaderAt, under the context that the file was acquired with.
func (f *OpenFile[T]) ReadAt(p []byte, off int64) (int, error) { return f.Blob.ReadAt(f.ctx, p, off) }

// Release ends the use of f, which must not be read afterwards.
func (f *OpenFile[T]) Release() {
	f.done()
	f.release()
}

func (f *sharedFile[T]) release() {
	s := f.set
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.refs--; f.refs > 0 || s.files[f.key] != f {
		return
	}
	if s.unused = append(s.unused, f); len(s.unused) > s.idle {
		oldest := s.unused[0]
		s.unused = s.unused[1:]
		delete(s.files, oldest.key)
		oldest.close()
	}
}

func (f *sharedFile[T]) close() error {
	if c, ok := any(f.Parsed).(io.Closer); ok {
		return c.Close()
	}
	return f.InputFile.Close()
}

// use takes f out of the files that are not in use.
func (s *OpenFiles[T]) use(f *sharedFile[T]) {
	for i, other := range s.unused {
		if other == f {
			s.unused = append(s.unused[:i:i], s.unused[i+1:]...)
			return
		}
	}
}

// Close closes all files. None may be in use.
func (s *OpenFiles[T]) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.close())
	}
	clear(s.files)
	s.unused = nil
	return errors.Join(append(errs, s.own.Close())...)
}
