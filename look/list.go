package look

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
)

// Options choose the fields that [List] lists. The zero value chooses all.
type Options struct {
	// Where are clauses that fields must fulfil, see [Field.Value] for the keys.
	Where where.Clauses
	// Asked, which may be nil, learns which keys the clauses asked for.
	Asked *where.Asked
	// Slices makes a field of each horizontal slice of a netCDF variable, and leaves out the variables
	// that others name as their bounds, coordinates or grid mapping.
	Slices bool
	// Coordinates keeps variables that are coordinates of others.
	Coordinates bool
	// Bad, which may be nil, is called for each object that cannot be read.
	Bad func(where string, err error)
	// Limit is the number of fields that are listed at most; 0 means all.
	Limit int
}

// ErrTooMany is returned, with the fields so far, when there are more than Options.Limit.
var ErrTooMany = errors.New("look: more fields than the limit")

// List lists the fields of a collection that fulfil the clauses. It reads no values but those of the
// coordinates of netCDF files, and must be called once for a collection.
func List(ctx context.Context, c *dataset.Collection, opts Options) ([]*Field, error) {
	l := &lister{opts: &opts, grids: make(map[string]*gridSource), axes: make(map[string]*fileAxes)}
	var deferred []*Field // netCDF variables, of which slices are made when all coordinates are known
	var order []*Field
	for o, err := range c.Objects(ctx, opts.Bad) {
		if err != nil {
			return nil, err
		}
		f := newField(&o, c)
		isNetCDF := o.Base.Namespace(mapping.KeyNetCDF) != nil
		if isNetCDF {
			l.addAxis(f)
		}
		if f.isCoordinate() && !opts.Coordinates {
			continue
		}
		switch {
		case isNetCDF:
			deferred = append(deferred, f)
		case !opts.Where.Match(where.Values(f.Value), opts.Asked):
			continue
		default:
			l.locate(f)
			f.base = mapping.Entry{} // maps of all fields would take much memory
		}
		order = append(order, f)
	}
	isDeferred := make(map[*Field]bool, len(deferred))
	for _, f := range deferred {
		isDeferred[f] = true
	}
	var all []*Field
	for _, f := range order {
		if !isDeferred[f] {
			all = append(all, f)
			continue
		}
		for _, slice := range l.slices(ctx, f) {
			if opts.Where.Match(where.Values(slice.Value), opts.Asked) {
				slice.base = mapping.Entry{}
				all = append(all, slice)
			}
		}
	}
	if opts.Limit > 0 && len(all) > opts.Limit {
		return all[:opts.Limit], ErrTooMany
	}
	return all, nil
}

// A lister finds the grids of fields.
type lister struct {
	opts  *Options
	grids map[string]*gridSource // by the text of the geometry
	axes  map[string]*fileAxes   // by file
	whole lastRead
}
