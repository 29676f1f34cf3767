package tgmconv

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// Objects are what files of any format hold, each with all its metadata and without labels: the objects of
// Tensogram files, the fields of GRIB, the variables of netCDF and Zarr.
type Objects struct {
	// List has the objects in the order of the files.
	List []dataset.Object
	of   *archive.Archive
}

// OpenObjects opens files, folders and addresses of any format and lists what they hold. It reads metadata.
// Most programs want [Open].
//
// Unreadable files and parts are left out, see [Objects.Bad]. It is an error if nothing is
// readable.
func OpenObjects(ctx context.Context, paths ...string) (*Objects, error) {
	if len(paths) == 0 {
		return nil, errors.New("tgmconv: no paths to open")
	}
	o := new(Objects)
	var err error
	o.of, err = archive.List(ctx, paths, archive.Options{Select: func(object *dataset.Object) bool {
		o.List = append(o.List, *object)
		return true
	}})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Fields returns the values of the objects, for those who take both: tonetcdf.NewPlan, and look.Lister.Fields.
func (o *Objects) Fields() dataset.Fields { return o.of }

// Bad lists unreadable files and parts, which are left out, with the reasons.
func (o *Objects) Bad() []string { return o.of.Bad }

// Close closes the files.
func (o *Objects) Close() error { return o.of.Close() }
