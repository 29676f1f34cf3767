package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// AppendOptions say how a file is added to.
type AppendOptions struct {
	// Tail returns how many bytes at the end of a file belong to no whole record. They are
	// left by an interrupted addition. Nil means that there are none.
	Tail func(r io.ReaderAt, size int64) (int64, error)
	// Lock says how long to wait while another process adds to the file.
	Lock LockOptions
}

// A TailError says that a file cannot be added to, because it does not end with a whole record.
type TailError struct {
	Path  string
	Bytes int64 // at the end that belong to no record
}

func (e *TailError) Error() string {
	return fmt.Sprintf("%s: the last %d bytes are no whole record", e.Path, e.Bytes)
}

// Append begins an addition to the end of a local file, which is created if it does not exist.
// Writes go to a file next to it until Commit copies them; if that fails, the file is cut to the
// length it had before, and if the process ends meanwhile, the next addition cuts it. One process
// adds to a file at a time. It is an error for locations that are not local files.
func (c *Client) Append(ctx context.Context, location string, opts AppendOptions) (Writer, error) {
	if IsRemote(location) || location == Stdin {
		return nil, fmt.Errorf("%s: cannot be added to, only local files can: %w", Display(location), errors.ErrUnsupported)
	}
	target, _, direct, err := resolvePath(LocalPath(location))
	if err != nil {
		return nil, err
	}
	if direct {
		return createLocal(c, target)
	}
	if opts.Tail == nil {
		opts.Tail = func(io.ReaderAt, int64) (int64, error) { return 0, nil }
	}
	a := &appendWriter{c: c, ctx: ctx, target: target, opts: opts}
	if err := a.lookEarly(); err != nil {
		return nil, err
	}
	if a.File, a.temp, err = createHidden(filepath.Dir(target)); err != nil {
		return nil, a.named("create", err)
	}
	return a, nil
}

// appendWriter is an addition to a file.
type appendWriter struct {
	*disk.File
	c      *Client
	ctx    context.Context
	temp   string // its name, if it has one
	target string
	opts   AppendOptions
	whole  int64 // length at which the file was seen to end with a whole record
}

// lookEarly fails for a file that cannot be added to, before there is something to add. If
// another process adds to it, or was killed while adding, Commit gives the error.
func (a *appendWriter) lookEarly() error {
	if _, err := os.Stat(LockName(a.target)); err == nil {
		return nil
	}
	f, err := disk.OpenRead(a.target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return a.look(f)
}

// look checks that a file ends with a whole record.
func (a *appendWriter) look(f *disk.File) error {
	st, err := f.Stat()
	if err != nil || st.Size() == a.whole {
		return err
	}
	n, err := a.opts.Tail(f, st.Size())
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", a.target, err)
	case n > 0:
		return &TailError{a.target, n}
	}
	a.whole = st.Size()
	return nil
}

// An appendNote is kept with the lock while a file is added to.
type appendNote struct {
	Length int64  `json:"length"` // before
	Hash   string `json:"hash"`   // of the last bytes before
}

// hashedBefore is how many bytes before an addition are hashed.
const hashedBefore = 64 << 10

// noteOf is the note for an addition to the first length bytes of a file.
func noteOf(f io.ReaderAt, length int64) (appendNote, error) {
	b := make([]byte, min(length, hashedBefore))
	_, err := f.ReadAt(b, length-int64(len(b)))
	return appendNote{length, fmt.Sprintf("%016x", xxh3.Hash(b))}, err
}

// undo cuts a file with an incomplete addition of a process that was killed to the length before it.
// It reports whether there was such an addition.
func (a *appendWriter) undo(f *disk.File, left string, tail int64) (bool, error) {
	var note appendNote
	st, err := f.Stat()
	if err != nil || json.Unmarshal([]byte(left), &note) != nil || note.Length < 0 || note.Length > st.Size()-tail {
		return false, err
	}
	if now, err := noteOf(f, note.Length); err != nil || now != note {
		return false, err
	}
	return true, f.Truncate(note.Length)
}

// Dir returns the folder that the file lies in.
func (a *appendWriter) Dir() string { return filepath.Dir(a.target) }

// named is an error of the addition under the name of the target file.
func (a *appendWriter) named(op string, err error) error { return writing(a.target, op, err) }

// Write appends to the addition.
func (a *appendWriter) Write(p []byte) (int, error) {
	n, err := a.File.Write(p)
	if err != nil {
		err = a.named("writing", err)
	}
	return n, err
}

// ReadFrom appends all bytes of r. If r is a file, the operating system may copy it.
func (a *appendWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := a.File.ReadFrom(r)
	if isOf(err, a.File) {
		err = a.named("writing", err)
	}
	return n, err
}

// Commit copies the addition to the end of the file.
func (a *appendWriter) Commit() error {
	defer a.Abort()
	err := a.commit()
	var pe *fs.PathError
	if errors.As(err, &pe) || errors.Is(err, io.EOF) { // other errors name the file themselves
		err = a.named("writing", err)
	}
	return err
}

func (a *appendWriter) commit() error {
	if err := a.c.Sources.Check(); err != nil {
		return err
	}
	lock, err := a.c.Lock(a.ctx, LockName(a.target), a.opts.Lock)
	if err != nil {
		return err
	}
	out, err := disk.OpenFile(a.target, os.O_RDWR|os.O_CREATE, 0o666)
	if err == nil {
		err = errors.Join(a.copyTo(out, lock), out.Close())
	}
	return errors.Join(err, lock.Unlock())
}

func (a *appendWriter) copyTo(out *disk.File, lock *Lock) error {
	err := a.look(out)
	if torn, ok := errors.AsType[*TailError](err); ok {
		undone, undoErr := a.undo(out, lock.Left(), torn.Bytes)
		if err = undoErr; err == nil && !undone {
			err = torn
		}
	}
	if err != nil {
		return err
	}
	before, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	added, err := a.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = a.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	note, err := noteOf(out, before)
	if err != nil {
		return err
	}
	text, err := json.Marshal(note)
	if err == nil {
		err = lock.Note(string(text))
	}
	if err != nil {
		return err
	}
	if err = copyAll(out, a.File, added); err == nil {
		err = out.Sync()
	}
	if err != nil {
		err = errors.Join(a.named("writing", err), out.Truncate(before))
	}
	return err
}

// Abort drops the addition.
func (a *appendWriter) Abort() {
	a.Close()
	if a.temp != "" {
		os.Remove(a.temp)
	}
}
