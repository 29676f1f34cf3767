package look

import (
	"context"
	"errors"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// Options choose the fields that a [Lister] lists. The zero value chooses all.
type Options struct {
	// Where are clauses that fields must match, see [mapping.Known.Value] for the keys.
	Where mapping.Clauses
	// Asked, which may be nil, records which keys the clauses asked for.
	Asked *mapping.Asked
	// Slices makes a field of each horizontal slice of a netCDF variable.
	Slices bool
	// Arrays treats arrays as netCDF variables, see [IsArray]. Those of other writers always are.
	Arrays bool
	// Coordinates keeps variables that others name as their coordinates, bounds or grid mapping.
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
// [Lister.Fields] returns the fields that match the clauses.
type Lister struct {
	opts  Options
	order []*Field               // netCDF variables too, of which slices are made when all coordinates are known
	grids map[string]*gridSource // by the text of the geometry
	axes  map[origin]*fileAxes
	// sources are the sources of netCDF variables, and of arrays that name their source.
	sources mapping.Sources
	whole   lastRead
}

// NewLister returns a lister.
func NewLister(opts Options) *Lister {
	return &Lister{opts: opts, grids: make(map[string]*gridSource), axes: make(map[origin]*fileAxes)}
}

// Add adds an object, with all its metadata. It reports whether values of the object may be needed
// later.
func (l *Lister) Add(o *dataset.Object) bool {
	known := o.Known
	if known == nil {
		of := mars.KnownOf(o.Base)
		known = &of
	}
	isArray := o.Base.Other() != nil || l.opts.Arrays && IsArray(o.Base, o.Shape)
	if isVariable := isArray || o.Base.Namespace(mapping.KeyNetCDF) != nil; !isVariable {
		if isCoordinate(o.Base) && !l.opts.Coordinates || len(l.opts.Where) > 0 && !known.Match(l.opts.Where, l.opts.Asked) {
			return false
		}
		f := newField(o)
		l.locate(f)
		f.base = mapping.Entry{} // maps of all fields would take much memory
		l.order = append(l.order, f)
		return true
	}
	f := newField(o)
	f.isVariable, f.known = true, known
	if isArray {
		f.Attributes = f.arrayAttributes()
	}
	f.source = l.originOf(o)
	l.addAxis(f)
	l.order = append(l.order, f)
	return true
}

// isCoordinate reports whether an object is the latitudes or longitudes that a conversion of GRIB
// adds.
func isCoordinate(e mapping.Entry) bool {
	name := e.Name(mars.ShortName)
	return (name == mapping.AxisLatitude || name == mapping.AxisLongitude) && e.MARS() == nil && e.Namespace(mapping.KeyNetCDF) == nil
}

// An origin is the common origin of variables that belong together: a source, or else a file.
type origin struct {
	source int // from 1; 0 where it is not known
	file   string
	frame  string // of objects of other writers: the objects that give the places of their points
}

// originOf returns the origin of a variable.
func (l *Lister) originOf(o *dataset.Object) origin {
	if o.Base.Namespace(mapping.KeyNetCDF) == nil && o.Base.Source() == "" {
		from := origin{file: o.File}
		if other := o.Base.Other(); other != nil {
			from.frame = other.Frame
		}
		return from
	}
	record, _ := o.Base.RecordIndex()
	return origin{source: l.sources.Add(o.Base, o.File, o.Message, record).Source + 1}
}

// Fields returns the fields, which read their values from values. Fields itself reads only the
// coordinates of netCDF files. It must be called once.
func (l *Lister) Fields(ctx context.Context, values dataset.Fields) ([]*Field, error) {
	for _, f := range l.order {
		f.values = values
	}
	all, err := l.fields(ctx)
	if err == nil && len(all) == 0 && len(l.opts.Where) == 0 && !l.opts.Arrays && !l.opts.Coordinates {
		l.opts.Coordinates = true // what else a file of coordinates has to show
		all, err = l.fields(ctx)
	}
	if err != nil {
		return nil, err
	}
	if l.opts.Limit > 0 && len(all) > l.opts.Limit {
		return all[:l.opts.Limit], ErrTooMany
	}
	return all, nil
}

func (l *Lister) fields(ctx context.Context) (all []*Field, err error) {
	for _, f := range l.order {
		if !f.isVariable {
			all = append(all, f)
			continue
		}
		slices := l.slices(ctx, f)
		if f.axes != nil && f.axes.err != nil {
			return nil, f.axes.err
		}
		for _, slice := range slices {
			if len(l.opts.Where) == 0 || slice.allKnown().Match(l.opts.Where, l.opts.Asked) {
				slice.base, slice.known = mapping.Entry{}, nil
				all = append(all, slice)
			}
		}
	}
	return all, nil
}
