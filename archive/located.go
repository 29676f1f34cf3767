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
	if err == nil {
		return nil
	}
	e := a.Catalog.Entry(ref)
	return located(&e, err)
}

// located says which file an error is about, and where in it, unless the error says so itself.
func located(e *catalog.Entry, err error) error {
	if err == nil {
		return nil
	}
	file := storage.Display(e.File)
	if strings.HasPrefix(err.Error(), file+":") {
		return err
	}
	where := e.Where()
	var at interface{ Place() tgm.Location }
	if _, _, ok := e.MessageSpan(); ok && errors.As(err, &at) && at.Place().Message == e.Message && at.Place().Object == e.Object {
		where = file
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

// Unwrap returns the cause.
func (e *placeError) Unwrap() error { return e.err }

var _ dataset.Locator = (*Archive)(nil)
