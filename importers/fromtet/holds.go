package fromtet

import (
	"io"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Holds reports whether size bytes of r are a .tet file, or a Tensogram file converted from one. The first
// object of the latter has the metadata of a dataset.
func Holds(r io.ReaderAt, size int64) (bool, error) {
	found, err := importers.DetectFormat(r, size)
	if err != nil || found != importers.FormatTensogram {
		return found == importers.FormatTet, err
	}
	f, err := tgm.NewFile(r, size)
	if err != nil {
		return false, err
	}
	for m, err := range f.Messages() {
		if err != nil {
			return false, err
		}
		return madeOfTet(m)
	}
	return false, nil // the reader of the messages reports the format
}

// madeOfTet reports whether the first object of a message has the metadata of a dataset.
func madeOfTet(m *tgm.Message) (bool, error) {
	for o, err := range m.Objects() {
		if err != nil {
			return false, err
		}
		_, is := mapping.Read(o.Base()).Tet()
		return is, nil
	}
	return false, nil
}
