package archive

import (
	"errors"
	"strings"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Located implements [dataset.Locator].
func (a *Archive) Located(ref int, err error) error {
	if err == nil || a.parts(ref) != nil { // errors of parts say where they are
		return err
	}
	e := a.Catalog.Entry(ref)
	return located(&e, err)
}

// located says which file an error is about, and where in it, unless the error says so itself.
func located(e *catalog.Entry, err error) error {
	if err == nil {
		return nil
	}
	var named interface{ NamesFile() bool }
	if errors.As(err, &named) && named.NamesFile() {
		return err
	}
	where := e.Where()
	if _, _, ok := e.MessageSpan(); ok && tgm.IsAt(err, e.Message, e.Object) {
		where = storage.Display(e.File)
	}
	return &placeError{where, err}
}

// A placeError is an error with the place it is about in front.
type placeError struct {
	where string
	err   error
}

// Error has the place in front of what was wrong, and no name of a package between them.
func (e *placeError) Error() string {
	return e.where + ": " + strings.TrimPrefix(e.err.Error(), "tgm: ")
}

// NamesFile reports that the text says which file the error is about.
func (e *placeError) NamesFile() bool { return true }

// Unwrap returns the cause.
func (e *placeError) Unwrap() error { return e.err }

var _ dataset.Locator = (*Archive)(nil)
