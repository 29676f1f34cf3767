package look

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mapping/where"
)

// Options choose the fields that a [Lister] lists. The zero value chooses all.
type Options struct {
	// Where are clauses that fields must fulfil, see [Field.Value] for the keys.
	Where where.Clauses
	// Asked, which may be nil, records which keys the clauses asked for.
	Asked *where.Asked
	// Slices makes a field of each horizontal slice of a netCDF variable, and leaves out the
	// variables that others name as their bounds, coordinates or grid mapping.
	Slices bool
	// Arrays treats arrays as netCDF variables, see [IsArray].
	Arrays bool
	// Coordinates keeps variables that are coordinates of others.
	Coordinates bool
	// Bounds reads the bounds of times and steps of netCDF variables: Field.Cell and
	// Field.StepCell.
	Bounds bool
	// Limit is the number of fields that are listed at most; 0 means all.
	Limit int
}

// ErrTooMany is returned, with the fields so far, when there are more than Options.Limit.
var ErrTooMany = errors.New("look: more fields than the limit")

// A Lister turns objects into fields: [Lister.Add] takes these one after the other, and
// [Lister.Fields] returns the fields that fulfil the clauses.
type Lister struct {
	opts  Options
	order []*Field               // netCDF variables too, of which slices are made when all coordinates are known
	grids map[string]*gridSource // by the text of the geometry
	axes  map[string]*fileAxes   // by file
	whole lastRead
}

// NewLister returns a lister.
func NewLister(opts Options) *Lister {
	return &Lister{opts: opts, grids: make(map[string]*gridSource), axes: make(map[string]*fileAxes)}
}

// Add adds an object, with all its metadata. It reports whether values of the object may be needed
// later.
func (l *Lister) Add(o *dataset.Object) bool {
	f := newField(o)
	f.isVariable = o.Base.Namespace(mapping.KeyNetCDF) != nil
	if l.opts.Arrays && IsArray(o.Base, o.Shape) {
		f.isVariable, f.Attributes = true, f.arrayAttributes()
	}
	if f.isVariable {
		l.addAxis(f)
	}
	switch {
	case !f.isVariable && f.isCoordinate() && !l.opts.Coordinates:
		return false
	case !f.isVariable:
		if !l.opts.Where.Match(where.Values(f.Value), l.opts.Asked) {
			return false
		}
		l.locate(f)
		f.base = mapping.Entry{} // maps of all fields would take much memory
	}
	l.order = append(l.order, f)
	return true
}

// Fields returns the fields, which read their values from values. Fields itself reads only the
// coordinates of netCDF files. It must be called once.
func (l *Lister) Fields(ctx context.Context, values dataset.Fields) ([]*Field, error) {
	for _, f := range l.order {
		f.values = values
	}
	var all []*Field
	for _, f := range l.order {
		if !f.isVariable {
			all = append(all, f)
			continue
		}
		for _, slice := range l.slices(ctx, f) {
			if l.opts.Where.Match(where.Values(slice.Value), l.opts.Asked) {
				slice.base = mapping.Entry{}
				all = append(all, slice)
			}
		}
	}
	if l.opts.Limit > 0 && len(all) > l.opts.Limit {
		return all[:l.opts.Limit], ErrTooMany
	}
	return all, nil
}
