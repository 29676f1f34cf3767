package fromgrib

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/tgmconv/tgmconv/importers"
)

// idleFiles is how many inputs stay open that nobody reads at the moment.
const idleFiles = 16

// files opens inputs when they are needed and closes them when many others have been needed since.
// It may be used by several goroutines.
type files struct {
	inputs []importers.Input

	mu     sync.Mutex
	opener *importers.Opener
	open   map[int]*openFile
	idle   []*openFile // nobody reads them; the one left longest ago first
}

// openFile is an open input with its number of readers.
type openFile struct {
	*importers.InputFile
	index int
	refs  int
}

func newFiles(inputs []importers.Input, opener *importers.Opener) *files {
	return &files{inputs: inputs, opener: opener, open: make(map[int]*openFile)}
}

// acquire opens input i; release must follow.
func (l *files) acquire(ctx context.Context, i int) (*openFile, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.open[i]
	if f == nil {
		in, err := l.opener.Open(ctx, l.inputs[i])
		if err != nil {
			return nil, err
		}
		f = &openFile{InputFile: in, index: i}
		l.open[i] = f
	}
	if f.refs == 0 {
		l.dropIdle(f)
	}
	f.refs++
	return f, nil
}

// release says that the caller reads f no more.
func (l *files) release(f *openFile) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.refs--; f.refs > 0 || !f.Again {
		return
	}
	if l.idle = append(l.idle, f); len(l.idle) > idleFiles {
		oldest := l.idle[0]
		l.idle = l.idle[1:]
		delete(l.open, oldest.index)
		oldest.Close()
	}
}

func (l *files) dropIdle(f *openFile) {
	for k, other := range l.idle {
		if other == f {
			l.idle = append(l.idle[:k:k], l.idle[k+1:]...)
			return
		}
	}
}

func (l *files) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	for _, f := range l.open {
		errs = append(errs, f.Close())
	}
	clear(l.open)
	l.idle = nil
	return errors.Join(errs...)
}

// size adds up the inputs that are files.
func (l *files) size() int64 {
	total := int64(0)
	for _, in := range l.inputs {
		st, err := os.Stat(in.Name)
		if err != nil || !st.Mode().IsRegular() {
			return 0
		}
		total += st.Size()
	}
	return total
}
