package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
)

// listedObjects are the objects of files of any format, for a verb that writes them in another
// format.
type listedObjects struct {
	*archive.Archive
	Objects []dataset.Object
	Bytes   float64 // how much work they are
}

// ListObjects lists the objects of the inputs that opts select, or all objects. It is an error if no input has a known
// format, or if an input cannot be read and bad inputs are not to be skipped.
func ListObjects(cmd *cobra.Command, opts archive.Options, skipBad bool) (*listedObjects, error) {
	l := new(listedObjects)
	opts.Client, opts.MaxArray, opts.Missing = ClientOf(cmd), MaxArrayOf(cmd), MissingOf(cmd)
	if opts.Select == nil {
		opts.Select = func(*dataset.Object) bool { return true }
	}
	opts.Chosen = func(o *dataset.Object) {
		l.Objects = append(l.Objects, *o)
		l.Bytes += nd.Estimate(o.Shape, o.DType.Size())
		if o.Base.Namespace(mapping.KeyNetCDF) != nil {
			l.Bytes += arrayWork // others are put together to arrays
		}
	}
	var err error
	if l.Archive, err = archive.List(cmd.Context(), nil, opts); err != nil {
		return nil, err
	}
	if err = l.HasData(); len(l.Bad) > 0 && !skipBad {
		err = errors.New(l.Bad[0])
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Notes are warnings about the inputs.
func (l *listedObjects) Notes() (notes []string) {
	for _, name := range l.PassedOver {
		notes = append(notes, storage.Display(name)+": skipped: neither Tensogram nor GRIB nor netCDF nor Zarr nor .tet")
	}
	return notes
}
