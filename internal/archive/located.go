package archive

import (
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// Located implements [dataset.Fields].
func (a *Archive) Located(ref int, err error) error {
	if err == nil || a.parts(ref) != nil { // errors of parts say where they are
		return err
	}
	e := a.Catalog.Entry(ref)
	return located(&e, err)
}

// located says which file an error is about, and where in it, unless the error says so itself.
func located(e *catalog.Entry, err error) error {
	if err == nil || fault.NamesFile(err) {
		return err
	}
	where := e.Where()
	if _, _, ok := e.MessageSpan(); ok && tgm.IsAt(err, e.Message, e.Object) {
		where = storage.Display(e.File)
	}
	return &fault.Error{Place: where, Err: err}
}
