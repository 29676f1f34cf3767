package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Stdin is the name of standard input among inputs.
const Stdin = "-"

// An Input is something named on the command line, or found in a folder named there, that has not
// been opened.
type Input struct {
	Name string
	// FromFolder says that the user did not name it, only a folder it lies in.
	FromFolder bool
}

// FindInputs lists the inputs that args name: files and URLs as they are, folders by the files
// below them in lexical order, hidden ones left out. Nothing is opened.
func FindInputs(args []string) ([]Input, error) {
	var inputs []Input
	for _, arg := range args {
		if arg == Stdin || isURL(arg) {
			inputs = append(inputs, Input{Name: arg})
			continue
		}
		st, err := os.Stat(arg)
		if scheme, _, ok := strings.Cut(arg, "://"); ok && errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: cannot read from %s addresses, expected http or https", arg, scheme)
		}
		if err != nil {
			return nil, fileError(arg, err)
		}
		if !st.IsDir() {
			inputs = append(inputs, Input{Name: arg})
			continue
		}
		found, err := walkFolder(arg)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}

func walkFolder(folder string) ([]Input, error) {
	var found []Input
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fileError(path, err)
		case path != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
				return nil
			}
		case !d.Type().IsRegular():
			return nil
		}
		found = append(found, Input{Name: path, FromFolder: true})
		return nil
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: the folder holds no files", folder)
	}
	return found, err
}

// SizeOf adds up the bytes of the inputs, 0 if one of them is not a file.
func SizeOf(inputs []Input) int64 {
	total := int64(0)
	for _, in := range inputs {
		st, err := os.Stat(in.Name)
		if err != nil || !st.Mode().IsRegular() {
			return 0
		}
		total += st.Size()
	}
	return total
}

// fileError says of which file err is, in our words: "file: what went wrong".
func fileError(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// InputFile is an open input: random access, its size, and how it is closed. It may be used by
// several goroutines.
type InputFile struct {
	io.ReaderAt
	Name string // "standard input" for "-"
	Path string // of a file of this machine, else empty
	Size int64
	// Again says that it can be closed and opened again.
	Again  bool
	closer func() error
}

// Close releases the input.
func (f *InputFile) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer()
}

// Opener opens inputs. What cannot be read at any offset (a pipe, a server without range requests)
// is copied to a temporary file first, which nobody else can see. An Opener may be used by several
// goroutines.
type Opener struct {
	Stdin   io.Reader // standard input; nil means there is none
	TempDir string    // empty is the system's

	patience time.Duration // with silent servers; 0 means httpPatience

	mu   sync.Mutex
	held map[string]*InputFile // opened before, for the next Open
}

// Peek opens in for a first look. An input that can be read only once is kept for the next call of
// Open, which the caller must make; every other the caller must close, as done tells.
func (o *Opener) Peek(ctx context.Context, in Input) (f *InputFile, done func(), err error) {
	if f, err = o.Open(ctx, in); err != nil {
		return nil, nil, err
	}
	if f.Again {
		return f, func() { f.Close() }, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held == nil {
		o.held = make(map[string]*InputFile)
	}
	o.held[in.Name] = f
	return f, func() {}, nil
}

// Open opens in. A cancelled ctx stops what the input does over the network or from a pipe.
func (o *Opener) Open(ctx context.Context, in Input) (*InputFile, error) {
	o.mu.Lock()
	held := o.held[in.Name]
	delete(o.held, in.Name)
	o.mu.Unlock()
	if held != nil {
		return held, nil
	}
	switch {
	case in.Name == Stdin:
		return o.openStdin(ctx)
	case isURL(in.Name):
		return o.openURL(ctx, in.Name)
	}
	f, err := openFile(ctx, in.Name)
	if err != nil {
		return nil, fileError(in.Name, err)
	}
	st, err := f.Stat()
	if err == nil && st.IsDir() {
		err = errors.New("is a folder, expected a file")
	}
	if err == nil && !st.Mode().IsRegular() {
		return o.spool(ctx, in.Name, f, f.Close)
	}
	if err != nil {
		f.Close()
		return nil, fileError(in.Name, err)
	}
	return &InputFile{ReaderAt: f, Name: in.Name, Path: in.Name, Size: st.Size(), Again: true, closer: f.Close}, nil
}

// openFile opens a file. A named pipe does not open before somebody writes to it: it is not waited
// for when ctx is done.
func openFile(ctx context.Context, name string) (*os.File, error) {
	if st, err := os.Stat(name); err != nil || st.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (o *Opener) openStdin(ctx context.Context) (*InputFile, error) {
	const name = "standard input"
	if o.Stdin == nil {
		return nil, fmt.Errorf("%s: there is none", name)
	}
	if f, ok := o.Stdin.(*os.File); ok {
		st, err := f.Stat()
		if err != nil {
			return nil, fileError(name, err)
		}
		if at, err := f.Seek(0, io.SeekCurrent); err == nil && st.Mode().IsRegular() {
			return &InputFile{ReaderAt: io.NewSectionReader(f, at, st.Size()-at), Name: name, Size: st.Size() - at}, nil
		}
	}
	return o.spool(ctx, name, o.Stdin, nil)
}

// spool copies r to a temporary file that has no name any more.
func (o *Opener) spool(ctx context.Context, name string, r io.Reader, done func() error) (*InputFile, error) {
	if done != nil {
		defer done()
	}
	f, err := os.CreateTemp(o.TempDir, "tgmconv-input-*")
	if err != nil {
		return nil, fmt.Errorf("%s: a temporary copy: %w", name, err)
	}
	// Without a name it is gone when closed, however the process ends. Where an open file cannot be
	// removed, Close does it.
	removed := os.Remove(f.Name()) == nil
	in := &InputFile{ReaderAt: f, Name: name, closer: sync.OnceValue(func() error {
		err := f.Close()
		if !removed {
			os.Remove(f.Name())
		}
		return err
	})}
	if in.Size, err = copyUntilDone(ctx, f, r); err != nil {
		in.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: reading: %w", name, err)
	}
	return in, nil
}

// copyUntilDone copies r to w. When ctx is done it does not wait for a read that waits for input:
// that read may never return, and what it brings goes nowhere.
func copyUntilDone(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	type end struct {
		n   int64
		err error
	}
	ended := make(chan end, 1)
	go func() {
		n, err := io.Copy(w, &contextReader{ctx, r})
		ended <- end{n, err}
	}()
	select {
	case e := <-ended:
		return e.n, e.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// contextReader ends reading when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
