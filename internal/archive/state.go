package archive

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// A ChangedError is the error for an object of a file that has changed since it was catalogued.
type ChangedError struct {
	File   string
	Reason string
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s: the file %s after it was opened", storage.Display(e.File), e.Reason)
}

// FileChanged reports that a file has changed.
func (e *ChangedError) FileChanged() bool { return true }

// NamesFile reports that the text says which file the error is about.
func (e *ChangedError) NamesFile() bool { return true }

// holderOf is the path of the file on this machine that holds an input: the input itself, or the archive
// around it.
func holderOf(name string) string {
	outer, _, _ := unpack.Split(name)
	return storage.LocalPath(outer)
}

// localState is the size and the version of the regular file on this machine that holds an input.
func localState(name string) (size int64, version string, ok bool) {
	if storage.IsRemote(name) {
		return 0, "", false
	}
	st, err := os.Stat(holderOf(name))
	if err != nil || !st.Mode().IsRegular() {
		return 0, "", false
	}
	return st.Size(), string(appendVersion(make([]byte, 0, 40), st)), true
}

// appendVersion appends the version of a file: its time of modification and its size.
func appendVersion(text []byte, st os.FileInfo) []byte {
	text = strconv.AppendInt(text, st.ModTime().UnixNano(), 16)
	return strconv.AppendInt(append(text, '-'), st.Size(), 16)
}

// check returns a *ChangedError if an input, or a file that it refers to, has changed since it was
// catalogued.
func (a *Archive) check(name string) error {
	if err := a.checkInput(name); err != nil {
		return err
	}
	return a.external.check(name)
}

// checkInput is check for the input alone. Inputs on servers are checked where they are read.
func (a *Archive) checkInput(name string) error {
	want, ok := a.states[name]
	if !ok {
		return nil
	}
	return checkState(name, want.Size, want.Version)
}

// checkState returns a *ChangedError if a file of this machine is not in a state, unless that is
// unknown.
func checkState(name string, wantSize int64, wantVersion string) error {
	if wantVersion == "" || storage.IsRemote(name) {
		return nil
	}
	st, err := os.Stat(holderOf(name))
	if err == nil && st.IsDir() {
		return checkFolder(name, wantVersion)
	}
	switch {
	case err != nil:
		return &ChangedError{name, "vanished"}
	case !st.Mode().IsRegular():
		return nil // a pipe, which was copied
	case st.Size() < wantSize:
		return &ChangedError{name, "shrank"}
	case string(appendVersion(make([]byte, 0, 40), st)) != wantVersion:
		return &ChangedError{name, "changed"}
	}
	return nil
}

// checkFolder returns a *ChangedError if the document of a folder that is one input is not in a state.
// The states of all its files are looked at when it is opened again.
func checkFolder(name, wantVersion string) error {
	switch state := storage.FolderState(holderOf(name)); {
	case state == "":
		return &ChangedError{name, "vanished"}
	case !strings.HasPrefix(wantVersion, state+"-"):
		return &ChangedError{name, "changed"}
	}
	return nil
}

// Unchanged returns a reader of a file whose reads fail with a *ChangedError once the file has
// changed. Bytes of another state are never returned. A file that is not on this machine is read
// without this check.
func Unchanged(name string, r io.ReaderAt) io.ReaderAt {
	size, version, _ := localState(name)
	return &unchangedReader{r, name, size, version}
}

type unchangedReader struct {
	io.ReaderAt
	name    string
	size    int64
	version string
}

// ReadAt implements io.ReaderAt.
func (r *unchangedReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	if changed := checkState(r.name, r.size, r.version); changed != nil {
		return 0, changed
	}
	return n, err
}
