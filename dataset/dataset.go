package dataset

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Dataset is a set of labelled arrays in groups. It does not change after it was built, and may
// be used by several goroutines.
type Dataset struct {
	// Groups lists the groups in order; the first is the root.
	Groups []*Group
	// Report tells where each object is shown, or why it is not.
	Report *Report

	unpack bool     // Options.Unpack
	grows  bool     // Options.Growing
	parts  [][]Part // of chunks that no object holds alone
}

// A Group holds variables that may share dimensions: all variables of one grid, or of a netCDF group.
type Group struct {
	Name      string // path; "" is the root
	Attrs     []Attribute
	Variables []*Variable

	ofFields bool

	lengths  map[string]uint64 // of the dimensions of the first variables, as many as measured
	measured int
}

// OfFields reports whether the group holds fields on a grid. Their names and attributes are made from
// their metadata; other variables have their own.
func (g *Group) OfFields() bool { return g.ofFields }

// An Attribute is a text, a number, or a list of such, as the netCDF data model has them.
type Attribute struct {
	Key   string
	Value any
}

// A Variable is a labelled array.
type Variable struct {
	Name  string
	Dims  []string
	Shape []uint64
	// Chunk is the shape of the part that one object holds, or parts of several.
	Chunk []uint64
	DType tgm.DType
	Attrs []Attribute
	// Coordinate is set for variables that label others: axes, scalar coordinates, bounds.
	Coordinate bool
	// Text is set where the elements are the bytes of texts.
	Text Text
	// Unpack tells how elements of type DType become values of the type Type; nil if elements are shown
	// unchanged.
	Unpack *mapping.Scaling

	single  bool             // shown as float32, see [Change.Single]
	scaling *mapping.Scaling // of packed elements; nil where these are the values
	packing []Attribute

	invented []bool // which of Dims are not in the netCDF file; nil for other sources
	strings  bool   // of type string in a netCDF file
	shared   bool   // several files have it, with the same values
	short    bool   // the object of the last chunk may hold less than the whole chunk
	fillText string // of characters
	countsOf string // of lengths of sequences: the variable of the group that has the values

	refs []int32                // the object or parts of each chunk in C order, -1 where there is none; nil for computed values
	data func() ([]byte, error) // computed values: little-endian, in C order
	// region computes some of them without the others; nil if all are computed at once.
	region func(start, count []uint64) ([]byte, error)

	levelType string // of levels of fields
	origin    string // see Origin
	work      int    // see Work
}

// Options configure [Build]. The zero value is the default.
type Options struct {
	Names      Names
	Time       Time
	Duplicates Duplicates
	// MinFill is the least fraction, 0 to 1, of the combinations of labels of a variable that must exist. A
	// variable with fewer is split. 0 means 0.1.
	MinFill float64
	// Unpack shows packed numbers of netCDF files as values where these are float32, see [Variable.Unpack].
	// Without it, only floating-point numbers whose values have the same type are shown as values; for others,
	// attributes describe the packing.
	Unpack bool
	// AlwaysTime gives every variable of fields the dimensions time and step, even with one value. Ranks then do
	// not change while data arrive.
	AlwaysTime bool
	// Read, which may be nil, reads the values of an object, as [Fields] do. Several goroutines call
	// it, for several netCDF files that may be one dataset: for coordinates along the unlimited
	// dimension, which say the order of the files, and for small variables without that dimension,
	// which may differ among files.
	Read func(ref int) (*tgm.Array, error)
	// Growing gives variables of several netCDF files of unequal lengths chunks that have room for more. Files
	// can then be added without other chunks.
	Growing bool
	// Gone, which may be nil, reports whether the values of an object are gone: the dataset has its labels, but
	// shows another object at the same position if there is one.
	Gone func(ref int) bool
	// AlongRows, which may be nil, reports whether the components of a wind that an object is lie along the rows and columns of
	// its grid, and whether that is known. Variables then have [mapping.AttrAlongRows].
	AlongRows func(ref int) (along, known bool)
	// Change says which part of the dataset is shown.
	Change Change
	// MaxCompared bounds the bytes that are read of all such variables to see whether they differ. 0 means 256
	// MiB. Values that are not read are taken to be the same, and the report says so.
	MaxCompared int64
}

// leastFilled is MinFill if it is not given.
const leastFilled = 0.1

// Names chooses names of dimensions and variables.
type Names int

// The styles of names.
const (
	NamesCFGRIB   Names = iota // number, time, step; t2m, u10, as ecCodes names netCDF variables
	NamesEarthkit              // number, forecast_reference_time, step; short names of parameters: 2t, 10u
	NamesCF                    // realization, forecast_reference_time, forecast_period; t2m, u10
	NamesShort                 // number, time, step; short names of parameters
)

// Time chooses the dimensions of time.
type Time int

// The choices of time dimensions.
const (
	TimeForecast Time = iota // time of reference and step
	TimeValid                // the time of validity; a time reached twice takes the newest run
)

// Duplicates chooses which of several fields at one position is shown.
type Duplicates int

// The choices for duplicates.
const (
	DuplicatesLast Duplicates = iota
	DuplicatesFirst
	DuplicatesError // Build returns an error
)

// Build builds a dataset of objects, over which it iterates once. It reads no values, except with
// [Options].Read.
func Build(objects Objects, opts Options) (*Dataset, error) {
	b := newBuilder(&opts)
	var where []string
	b.report.locate = func(ref int) string { return where[ref] }
	for o, err := range objects {
		if err != nil {
			return nil, err
		}
		for len(where) <= o.Ref {
			where = append(where, "")
		}
		where[o.Ref] = o.Where
		b.add(&o)
	}
	return b.finish()
}

// A builder collects objects.
type builder struct {
	opts   *Options
	maker  *fieldMaker
	report *Report
	byKind map[*kind][]field
	netcdf []Object
	plain  []Object // objects without labels
	bare   []bareFile
}

func newBuilder(opts *Options) *builder {
	if opts.Gone == nil {
		opts.Gone = func(int) bool { return false }
	}
	if opts.MinFill == 0 {
		opts.MinFill = leastFilled
	}
	return &builder{opts: opts, maker: newFieldMaker(opts), report: new(Report), byKind: make(map[*kind][]field)}
}

// finish makes the dataset.
func (b *builder) finish() (*Dataset, error) {
	d := b.dataset()
	if n := len(b.report.duplicates); n > 0 && b.opts.Duplicates == DuplicatesError {
		first := b.report.duplicates[0]
		return nil, fmt.Errorf("dataset: fields at the position of another one: %d, the first: %s and %s",
			n, b.report.locate(first.hidden), b.report.locate(first.shown))
	}
	return d, d.change(&b.opts.Change, b.opts.Read)
}

func (b *builder) add(o *Object) {
	b.report.add(o.Ref)
	_, dated := o.Base.ReferenceTime()
	switch what := roleOf(o.Base); {
	case what == roleCoordinate:
		b.report.computed(o.Ref)
	case what == roleNetCDF:
		b.netcdf = append(b.netcdf, *o)
	case what == roleOther:
		b.addOther(*o)
	case what == rolePlain && !dated:
		b.plain = append(b.plain, *o)
	default:
		b.addField(b.maker.make(o))
	}
}

func (b *builder) addField(f field, k *kind) {
	list := b.byKind[k]
	if len(list) == cap(list) {
		list = slices.Grow(list, len(list)+1) // twice as many, since each growth copies all
	}
	b.byKind[k] = append(list, f)
}

// A role is the place of an object in the dataset.
type role int

const (
	roleField      role = iota
	roleCoordinate      // computed from the grid
	roleNetCDF
	rolePlain // except for objects with a time of reference
	roleOther // a coordinate that another program wrote
)

func roleOf(e mapping.Entry) role {
	other := e.Other()
	switch {
	case other != nil && other.Coordinate:
		return roleOther
	case other != nil:
		return roleField
	case isCoordinate(e):
		return roleCoordinate
	case e.Namespace(mapping.KeyNetCDF) != nil:
		return roleNetCDF
	case e.MARS() == nil && e.Geometry() == nil:
		return rolePlain
	}
	return roleField
}

// isCoordinate reports whether an entry is the latitude or longitude that a GRIB conversion wrote for a grid.
// Such coordinates are computed from the geometry.
func isCoordinate(e mapping.Entry) bool {
	if e.Geometry() == nil || e.MARS() != nil {
		return false
	}
	return mapping.IsGridCoordinate(e.Name(nil))
}

// dataset makes the groups.
func (b *builder) dataset() *Dataset {
	d := &Dataset{Report: b.report, unpack: b.opts.Unpack, grows: b.opts.Growing}
	b.joinWindows()
	kinds := make([]*kind, 0, len(b.byKind))
	for k := range b.byKind {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b *kind) int { return cmp.Compare(a.number, b.number) })
	byGrid := make(map[*grid][]*block)
	grids := b.maker.grids.labelled()
	for _, g := range grids {
		byGrid[g] = []*block{}
	}
	b.maker.grids.joinUnframed(kinds)
	for _, k := range kinds {
		if byGrid[k.grid] == nil {
			grids = append(grids, k.grid)
		}
		byGrid[k.grid] = append(byGrid[k.grid], b.maker.splitFields(k, b.byKind[k], b.report)...)
	}
	taken := nameset.New()
	for i, g := range grids {
		name := ""
		if i > 0 {
			name = taken.Next(g.groupName())
		}
		a := newAssembler(name, g, byGrid[g], b.maker, b.report)
		d.Groups = append(d.Groups, a.group())
	}
	ofGrids := slices.Clone(d.Groups)
	if len(b.netcdf) == 0 && len(b.plain) == 0 {
		d.Groups = emptyRoot(d.Groups, func() string { return taken.Next(grids[0].groupName()) }, b.report)
	}
	for i, g := range grids {
		b.report.missingCoordinates(g, ofGrids[i])
	}
	d.addNetCDF(b.netcdf, b.opts, b.report)
	d.addPlain(b.plain, b.opts, b.report)
	d.addBare(b.bare)
	b.report.finish(b.opts.Gone)
	if len(d.Groups) == 0 || d.Groups[0].Name != "" {
		d.Groups = slices.Insert(d.Groups, 0, &Group{})
	}
	return d
}

// joinWindows makes one kind of the windows from the start of the forecast and later windows of the same
// length.
func (b *builder) joinWindows() {
	for k, fields := range b.byKind {
		if same := b.maker.sameLength(k); same != nil {
			joined := append(fields, b.byKind[same]...)
			slices.SortStableFunc(joined, func(a, b field) int { return cmp.Compare(a.ref, b.ref) })
			b.byKind[same] = joined
			same.number = min(same.number, k.number)
			delete(b.byKind, k)
		}
	}
}

// Group returns the group of a name, nil if there is none.
func (d *Dataset) Group(name string) *Group {
	for _, g := range d.Groups {
		if g.Name == name {
			return g
		}
	}
	return nil
}

// Variable returns a variable by its path, nil if there is none: "t" is in the root, "sh_T63/t" in
// the group sh_T63.
func (d *Dataset) Variable(path string) *Variable {
	group, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		group, name = path[:i], path[i+1:]
	}
	if g := d.Group(group); g != nil {
		return g.Variable(name)
	}
	return nil
}

// Variable returns a variable of the group, nil if there is none.
func (g *Group) Variable(name string) *Variable {
	for _, v := range g.Variables {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Attr returns an attribute of the variable, nil if there is none.
func (v *Variable) Attr(key string) any {
	for _, a := range v.Attrs {
		if a.Key == key {
			return a.Value
		}
	}
	return nil
}

// Computed reports whether the values are computed, as for coordinates, and not read from objects.
func (v *Variable) Computed() bool { return v.refs == nil }

// Shared reports whether several files have the variable with the same values. It may then be read from any
// of them.
func (v *Variable) Shared() bool { return v.shared }

// Origin identifies the source of the values of a large coordinate, such as the grid of its points.
// Two coordinates of one name and origin have the same values. It is "" where the values are in
// memory.
func (v *Variable) Origin() string { return v.origin }

// Work is the cost of computing a value, in numbers read in the same time. It is 1, or more for
// coordinates of projections.
func (v *Variable) Work() int { return max(1, v.work) }

// Data computes the values of a variable whose values are computed: little-endian, in C order.
func (v *Variable) Data() ([]byte, error) {
	if v.data == nil {
		return nil, fmt.Errorf("dataset: %s: the values are in objects", v.Name)
	}
	return v.data()
}

// Region computes the values of a region of a variable whose values are computed: count elements from
// start on along each dimension, little-endian, in C order.
func (v *Variable) Region(start, count []uint64) ([]byte, error) {
	if v.data == nil {
		return nil, fmt.Errorf("dataset: %s: the values are in objects", v.Name)
	}
	for i, n := range v.Shape {
		if len(start) != len(v.Shape) || len(count) != len(v.Shape) || start[i] > n || count[i] > n-start[i] {
			return nil, fmt.Errorf("dataset: %s: %d elements from %d on, expected a region of shape %d", v.Name, count, start, v.Shape)
		}
	}
	if v.region != nil {
		return v.region(start, count)
	}
	data, err := v.data()
	if err != nil || slices.Equal(count, v.Shape) {
		return data, err
	}
	return nd.Cut(nd.At(data, v.Shape, start), count, v.DType.Size()), nil
}

// regionBytes is about the size of the parts in which many values are computed.
const regionBytes = 16 << 20

// RegionShape returns the shape of the parts in which many computed values are read with
// [Variable.Region]. Parts are whole rows where these are not too long, so that reading takes little
// memory. It is nil if the values are few or computed at once.
func (v *Variable) RegionShape() []uint64 {
	if v.region == nil {
		return nil
	}
	return nd.Rows(v.Shape, uint64(v.DType.Size()), regionBytes)
}

// Regions yields the parts in which [Variable.Region] reads the computed values. These are all at once, or
// parts of [Variable.RegionShape] in C order.
func (v *Variable) Regions() iter.Seq2[[]uint64, []uint64] {
	return func(yield func(start, count []uint64) bool) {
		part := v.RegionShape()
		if part == nil || slices.Contains(v.Shape, 0) {
			yield(make([]uint64, len(v.Shape)), v.Shape)
			return
		}
		nd.Tiles(v.Shape, part)(yield)
	}
}

// Grid returns the number of chunks along each dimension.
func (v *Variable) Grid() []uint64 { return nd.Grid(v.Shape, v.Chunk) }

// Ref returns the object that holds a chunk, by the chunk's position along each dimension. For a chunk
// assembled from parts it returns their number, see [Dataset.Parts]. It returns false for a hole, a position
// outside the array, or computed values.
func (v *Variable) Ref(index []uint64) (ref int, ok bool) {
	if v.refs == nil || len(index) != len(v.Shape) {
		return 0, false
	}
	grid := v.Grid()
	for i, n := range grid {
		if index[i] >= n {
			return 0, false
		}
	}
	ref = int(v.refs[nd.Number(index, grid)])
	return ref, ref >= 0
}

// Refs returns the ref of each chunk, see [Variable.Ref], in C order. It is -1 for holes, and the
// list is nil for computed values. It must not be changed.
func (v *Variable) Refs() []int32 { return v.refs }
