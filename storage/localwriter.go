package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/tgmconv/tgmconv/internal/disk"
)

// LocalWriter writes a file that appears under its name only when it is complete. Until
// [LocalWriter.Commit] the written bytes are in the same folder: in a file without a name if the
// system has such files, else in a temporary file, which [LocalWriter.Abort] removes. A name that
// already stands for something other than a regular file, such as a device or a named pipe, is
// written to directly.
type LocalWriter struct {
	c      *Client
	f      *disk.File
	path   string       // as the user gave it
	target string       // where the complete file goes; empty when f is the target itself, or all is done
	temp   string       // the file's present name; empty while it has none
	ahead  atomic.Int64 // bytes that were written since the system was last told to begin
}

// writeBack is after how many bytes the system is told to begin to write them to the disk. Little
// is then left to wait for at the end.
const writeBack = 16 << 20

// wrote counts bytes that were written.
func (o *LocalWriter) wrote(n int64) {
	if o.ahead.Add(n) >= writeBack && o.target != "" {
		o.ahead.Store(0)
		beginWriteBack(o.f.File)
	}
}

// Create implements Bucket. If there is a file of that name already, the new file gets
// its permissions. Folders that are missing are made.
func (l localBucket) Create(_ context.Context, path string) (Writer, error) {
	return createLocal(l.c, path)
}

func createLocal(c *Client, path string) (*LocalWriter, error) {
	target, mode, direct, err := resolvePath(path)
	if err != nil {
		return nil, err
	}
	if direct {
		f, err := disk.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, writing(path, "create", err)
		}
		return &LocalWriter{c: c, f: f, path: path}, nil
	}
	o := &LocalWriter{c: c, path: path, target: target}
	folder := filepath.Dir(target)
	o.f, o.temp, err = createHidden(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(folder, 0o777); err == nil {
			o.f, o.temp, err = createHidden(folder)
		}
	}
	if err != nil {
		return nil, o.named("create", err)
	}
	if mode != 0 {
		if err := o.f.Chmod(mode); err != nil {
			o.Abort()
			return nil, o.named("create", err)
		}
	}
	return o, nil
}

// tempName is a name for a file in the making.
func tempName(folder string) string {
	return filepath.Join(folder, tempPrefix+randomName()+tempSuffix)
}

// Names of temporary files begin and end so.
const (
	tempPrefix = ".tgmconv-"
	tempSuffix = ".tmp"
)

func randomName() string { return rand.Text()[:12] }

// createHidden creates a file without a name where the system has these. Elsewhere it creates a
// temporary file, whose name is temp.
func createHidden(folder string) (f *disk.File, temp string, err error) {
	if unnamed := createUnnamed(folder); unnamed != nil {
		return disk.Of(unnamed), "", nil
	}
	if f, err = createTemp(folder); err != nil {
		return nil, "", err
	}
	return f, f.Name(), nil
}

// createTemp creates a file with the permissions that new files have.
func createTemp(folder string) (*disk.File, error) {
	for {
		f, err := disk.OpenFile(tempName(folder), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// named is an error of the temporary file under the name that the user gave.
func (o *LocalWriter) named(op string, err error) error { return writing(o.path, op, err) }

// resolvePath follows symbolic links, so that a link's target is replaced and not the link. It
// gives the permissions of the target, 0 if the target does not exist yet, and reports whether
// it has to be written in place.
func resolvePath(path string) (target string, mode fs.FileMode, direct bool, err error) {
	target = followLinks(path)
	st, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, 0, false, nil
	case err != nil:
		return "", 0, false, writing(path, "create", err)
	case st.IsDir():
		return "", 0, false, &WriteError{LocationError{path, errors.New("is a folder, expected the name of a file")}}
	}
	return target, st.Mode().Perm(), !st.Mode().IsRegular(), nil
}

// followLinks returns the path that path leads to. A link may lead to a file that is not there yet.
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
func (o *LocalWriter) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	o.wrote(int64(n))
	if err != nil {
		err = o.named("writing", err)
	}
	return n, err
}

// WriteAt implements io.WriterAt. It fails for a device or pipe, which is written in place.
func (o *LocalWriter) WriteAt(p []byte, off int64) (int, error) {
	if o.target == "" {
		return 0, o.named("writing", errors.ErrUnsupported)
	}
	n, err := o.f.WriteAt(p, off)
	o.wrote(int64(n))
	if err != nil {
		err = o.named("writing", err)
	}
	return n, err
}

// ReadAt reads written bytes. It fails for a device or pipe.
func (o *LocalWriter) ReadAt(p []byte, off int64) (int, error) {
	if o.target == "" {
		return 0, o.named("reading", errors.ErrUnsupported)
	}
	n, err := o.f.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = o.named("reading", err)
	}
	return n, err
}

// Seek implements io.Seeker. It fails for a device or pipe.
func (o *LocalWriter) Seek(offset int64, whence int) (int64, error) {
	if o.target == "" {
		return 0, o.named("seeking", errors.ErrUnsupported)
	}
	n, err := o.f.Seek(offset, whence)
	if err != nil {
		err = o.named("seeking", err)
	}
	return n, err
}

// ReadFrom appends all bytes of r. If r is a file, the operating system may copy it.
func (o *LocalWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := o.f.ReadFrom(r)
	o.wrote(n)
	if isOf(err, o.f) {
		err = o.named("writing", err)
	}
	return n, err
}

// isOf reports whether an error is of a call about a file.
func isOf(err error, f *disk.File) bool {
	var pe *fs.PathError
	return errors.As(err, &pe) && pe.Path == f.Name()
}

// Dir returns the folder of the file, empty for a device or pipe, which is written in place.
func (o *LocalWriter) Dir() string {
	if o.target == "" {
		return ""
	}
	return filepath.Dir(o.target)
}

// Commit makes the file appear under its name, after its contents have reached the disk.
func (o *LocalWriter) Commit() error { return o.commit(true) }

// CommitUnsynced makes the file appear under its name without waiting until its contents have
// reached the disk. Call [SyncFileSystem] after the last of many files.
func (o *LocalWriter) CommitUnsynced() error { return o.commit(false) }

func (o *LocalWriter) commit(durable bool) error {
	if o.target == "" {
		if err := o.f.Close(); err != nil {
			return o.named("writing", err)
		}
		return nil
	}
	if err := o.c.Sources.Check(); err != nil {
		o.Abort()
		return err
	}
	op, err := "writing", error(nil)
	if durable {
		err = o.f.Sync()
	}
	if err == nil && o.temp == "" {
		op = "create"
		err = disk.Named(o.target, func() (err error) {
			o.temp, err = link(o.f.File, o.target)
			return err
		})
	}
	if closeErr := o.f.Close(); err == nil {
		op, err = "writing", closeErr
	}
	if err == nil && o.temp != o.target {
		op = "create"
		err = disk.MoveFile(o.temp, o.target)
	}
	if err != nil {
		o.remove()
		return o.named(op, err)
	}
	if durable {
		syncFolder(filepath.Dir(o.target))
	}
	o.target, o.temp = "", ""
	return nil
}

// syncFolder makes a new name in a folder outlast a power failure, where the system can.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync() // the file is whole, with or without it
		d.Close()
	}
}

// Abort removes the written bytes. It does nothing after Commit.
func (o *LocalWriter) Abort() {
	o.f.Close()
	o.remove()
}

func (o *LocalWriter) remove() {
	if o.target != "" && o.temp != "" {
		os.Remove(o.temp) // which is the target if that could not be completed
	}
	o.target, o.temp = "", ""
}
