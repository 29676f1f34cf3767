package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/storage"
)

// externals open the files that inputs refer to, and keep the states in which they were opened.
type externals struct {
	Client
	opener importers.ExternalOpener // nil if other files are not opened
	within func(location string) bool

	mu     sync.RWMutex
	states map[string]map[string]string // versions by input and location; "" of missing files
	asked  map[string]bool              // inputs that refer to others
	refers map[string]string            // versions of the inputs that are references, with the files they refer to
	sealed bool
}

// newExternals opens files with a client. With only, it opens only files that are inputs themselves.
func newExternals(client Client, only bool) *externals {
	x := &externals{Client: client, states: make(map[string]map[string]string), asked: make(map[string]bool), refers: make(map[string]string)}
	x.opener, _ = client.(importers.ExternalOpener)
	if only {
		x.within = func(string) bool { return false }
	}
	return x
}

// restrict names the inputs that may be opened, if no others may.
func (x *externals) restrict(inputs []storage.Input) {
	if x.within == nil {
		return
	}
	served := make(map[string]bool, len(inputs))
	for _, in := range inputs {
		if path := storage.LocalPath(in.Name); path != "" {
			served[absolute(path)] = true
		}
	}
	x.within = func(location string) bool { return served[absolute(location)] }
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// A notServedError is the error for a file that is not an input, where only inputs are opened.
type notServedError struct{}

func (notServedError) Error() string {
	return "only files that are served are read: name it or its folder as an input too"
}

// Is reports that the error is an external file that is not read, storage.ErrExternal.
func (notServedError) Is(target error) bool { return target == storage.ErrExternal }

// errNew is the error for a file that was not needed when the input was catalogued.
var errNew = errors.New("the input did not need it when it was opened")

// OpenExternal implements [importers.ExternalOpener]. A file is opened in the state that it had when
// its input was catalogued.
func (x *externals) OpenExternal(ctx context.Context, input, name string) (string, storage.Blob, error) {
	x.mu.Lock()
	x.asked[input] = true
	x.mu.Unlock()
	if x.opener == nil {
		return "", nil, storage.ErrExternal
	}
	location, blob, err := x.opener.OpenExternal(ctx, input, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && location != "":
		return location, nil, errors.Join(err, x.note(input, location, ""))
	case err != nil:
		return location, nil, err
	case x.within != nil && !x.within(location):
		blob.Close()
		return location, nil, notServedError{}
	}
	if err := x.note(input, location, blob.ETag()); err != nil {
		blob.Close()
		return location, nil, err
	}
	return location, blob, nil
}

// Open opens an input. The targets of references are part of its version, though only the states of
// local files are known.
func (x *externals) Open(ctx context.Context, location string) (storage.Blob, error) {
	blob, err := x.Client.Open(ctx, location)
	if err != nil {
		return nil, err
	}
	if folder := storage.FolderOf(blob); folder != nil && folder.Refers() {
		x.mu.Lock()
		x.asked[location] = true
		if !x.sealed {
			x.refers[location] = blob.ETag()
		}
		changed := x.refers[location] != blob.ETag()
		x.mu.Unlock()
		if changed {
			blob.Close()
			return nil, &ChangedError{location, "or a file that it refers to changed"}
		}
	}
	return blob, nil
}

// note keeps the state of a file, or compares it with the kept state.
func (x *externals) note(input, location, version string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	want, known := x.states[input][location]
	switch {
	case known && want != version:
		return &ChangedError{location, "changed"}
	case known:
		return nil
	case x.sealed:
		return errNew
	case x.states[input] == nil:
		x.states[input] = make(map[string]string)
	}
	x.states[input][location] = version
	return nil
}

// seal ends the cataloguing. From now on no file is opened that was not opened for it: the versions
// of arrays would not tell that it changed.
func (x *externals) seal() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sealed = true
}

// version identifies the states of the files that an input refers to, "" if there are none.
func (x *externals) version(input string) string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	states, refers := x.states[input], x.refers[input]
	if len(states) == 0 && refers == "" {
		return ""
	}
	h := sha256.New()
	if refers != "" {
		fmt.Fprintf(h, "%q\n", refers)
	}
	for _, location := range slices.Sorted(maps.Keys(states)) {
		fmt.Fprintf(h, "%q %q\n", location, states[location])
	}
	return "-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// check returns a *ChangedError if one of the files that an input refers to is in another state.
func (x *externals) check(input string) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for location, version := range x.states[input] {
		if version != "" {
			if err := checkState(location, 0, version); err != nil {
				return err
			}
		} else if _, err := os.Stat(location); err == nil {
			return &ChangedError{location, "appeared"}
		}
	}
	return nil
}

// checkFile is check for one file.
func (x *externals) checkFile(input, location string) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	version, ok := x.states[input][location]
	if !ok {
		return &ChangedError{location, "changed"}
	}
	return checkState(location, 0, version)
}

// depends reports whether an input refers to other files.
func (x *externals) depends(input string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.asked[input]
}

// changed reports whether a file that one of the inputs refers to has changed.
func (x *externals) changed() bool {
	x.mu.RLock()
	inputs := slices.Collect(maps.Keys(x.states))
	x.mu.RUnlock()
	return slices.ContainsFunc(inputs, func(input string) bool { return x.check(input) != nil })
}

// A checkedExternal reads a file that an input refers to. It fails if the file's state has changed since the
// input was catalogued.
type checkedExternal struct {
	io.ReaderAt
	a               *Archive
	input, location string
}

// ReadAt implements io.ReaderAt.
func (r *checkedExternal) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, off)
	if changed := r.a.external.checkFile(r.input, r.location); changed != nil {
		return 0, changed
	}
	if changed := r.a.checkInput(r.input); changed != nil {
		return 0, changed
	}
	return n, err
}

// checkedFile reads a file of a layout of an input in the state in which it was catalogued.
func (a *Archive) checkedFile(input string, f *importers.File) io.ReaderAt {
	if f.Location == input {
		return &checkedReader{a, input}
	}
	return &checkedExternal{f.ReaderAt, a, input, f.Location}
}

// Refused is why variables of the inputs are left out that need other files, nil if there are none.
func (a *Archive) Refused() error { return a.refused }

// reusable is the catalogue without the versions of files that refer to external files. Such files are
// catalogued again, because the external files that may be read can differ.
func (a *Archive) reusable() *catalog.Catalog { return a.withoutExternal(a.live) }

func (a *Archive) withoutExternal(c *catalog.Catalog) *catalog.Catalog {
	c = c.Renamed(func(name string) string { return name })
	for _, f := range c.Files() {
		if a.external.depends(f.Name) {
			f.Version = ""
			c.SetFile(f)
		}
	}
	return c
}
