package look

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Field is an array of numbers with its name, units, labels and attributes.
type Field struct {
	File           string
	Where          string // for errors
	Message, Index int    // in the file, and in the message
	mapping.Label
	Dims  []string
	Shape []uint64
	DType tgm.DType // of the elements in the file
	Text  bool      // the elements are the characters of texts

	// Attributes are the attributes of the field's netCDF variable. They must not be changed.
	Attributes map[string]any
	// Global are the attributes of the file that the netCDF variable is of. They must not be changed.
	Global map[string]any
	// Mapping has the attributes of the variable's grid mapping, nil if it has none.
	Mapping map[string]any

	Cell     mapping.Opt[[2]time.Time]     // bounds of Valid, with Options.Bounds
	StepCell mapping.Opt[[2]time.Duration] // bounds of Step, with Options.Bounds

	// LevelAt is the value of the vertical coordinate as the file has it, LevelCell its bounds, with Options.Bounds.
	LevelAt   mapping.Opt[float64]
	LevelCell mapping.Opt[[2]float64]

	date string // for which the field is valid, in a calendar that Valid has no time of

	at      []position // of a slice: where it lies along the axes before its own
	whole   *lastRead  // of a slice: what reads the variable
	ref     int
	chunk   int // of the dataset that the field is; -1 for none
	values  dataset.Fields
	scaling *mapping.Scaling
	fills   fillIntegers // of integers that are not packed
	grid    *gridSource
	cells   *gridSource    // of the last dimensions, also where grid is nil because there are others
	axes    *fileAxes      // of a netCDF variable
	source  origin         // of a netCDF variable
	base    mapping.Entry  // only while fields are chosen
	known   *mapping.Known // of a variable, only while slices are chosen

	isVariable bool           // of a netCDF file
	other      *mapping.Other // of an object of another writer
}

// Ref is the caller's number of the object that the field is or is a slice of, see [dataset.Object]. Of fields of
// [DatasetFields] that is the number of the variable.
func (f *Field) Ref() int { return f.ref }

// OfVariable reports whether the field is a variable of a file that is not Tensogram, or a slice of
// one. Of a variable nothing need be stored; an object takes a 1024th of its size at least.
func (f *Field) OfVariable() bool {
	if !f.isVariable {
		return false
	}
	o, err := f.values.Object(f.ref)
	return err == nil && o == nil
}

// A position is one along an axis of a netCDF variable.
type position struct {
	axis  int // of the variable
	dim   string
	index uint64
	of    uint64
	value any  // of the coordinate: a number, or a time as text; nil if there is none
	told  bool // the value is a label of the field
}

func newField(o *dataset.Object) *Field {
	f := &Field{
		File: o.File, Where: o.Where, Message: o.Message, Index: o.Index, Shape: o.Shape, DType: o.DType,
		Dims: o.Base.Dims(len(o.Shape)), Label: mars.LabelOf(o.Base), ref: o.Ref, base: o.Base, other: o.Base.Other(),
	}
	if o.Known != nil && o.Known.Label != nil {
		f.Label = o.Known.Label() // which the metadata may not have
	}
	if n, ok := o.Base.NetCDF(); ok {
		f.Attributes = n.Attributes
		if n.File != nil {
			f.Global = n.File.Global
		}
		f.Text = o.DType == tgm.Uint8 && (n.Type == "char" || n.Type == "string")
	}
	if s, ok := o.Base.Scaling(o.DType); ok {
		f.scaling = &s
	} else if o.DType.IsInteger() {
		f.fills = fillIntegers{o.DType, o.Base.MissingIntegers()}
	}
	return f
}

// allKnown is the known metadata of a variable, or of a slice of it, while fields are chosen.
func (f *Field) allKnown() *mapping.Known {
	k := *f.known
	k.Label = func() mapping.Label { return f.Label }
	if len(f.at) == 0 {
		return &k
	}
	k.Position = f.Position
	if array := k.Array; array != nil {
		k.Array = func() mapping.ArrayKeys {
			a := array()
			a.Shape, a.Dims = f.Shape, f.Dims
			return a
		}
	}
	return &k
}

// Position is the value of the coordinate of a dimension at which a slice lies, or the place along
// it. The level comes from the coordinate, whatever the name of the dimension.
func (f *Field) Position(key string) (any, bool) {
	for _, p := range f.at {
		switch {
		case key == p.dim && p.value != nil:
			return p.value, true
		case key == p.dim:
			return int64(p.index), true
		case key == mapping.KeyLevel && f.Level.Known:
			return mapping.Number(f.Level.Value), true
		}
	}
	return nil, false
}

// Labels returns the labels that distinguish the field from others of the same name, as text:
// "2017-03-22 06:00 +12h, 850 hPa".
func (f *Field) Labels() string {
	var parts []string
	if text := f.Label.Text(); text != "" {
		parts = append(parts, text)
	}
	for _, p := range f.at {
		if p.of > 1 && !p.said(f) {
			parts = append(parts, p.String())
		}
	}
	return strings.Join(parts, ", ")
}

// Number returns the number of the field among the slices of its variable, in C order, and how many there are.
func (f *Field) Number() (n, of uint64) {
	of = 1
	for _, p := range f.at {
		n, of = n*p.of+p.index, of*p.of
	}
	return n, of
}

// Unlabelled returns the dimensions with several positions of which no label says at which one the field lies.
func (f *Field) Unlabelled() (dims []string) {
	for _, p := range f.at {
		if p.of > 1 && !p.said(f) {
			dims = append(dims, p.dim)
		}
	}
	return dims
}

// said reports whether a label says where the position is.
func (p *position) said(f *Field) bool {
	if p.told {
		return true
	}
	if _, isTime := p.value.(string); isTime {
		return f.Valid.Known || f.Reference.Known
	}
	return f.Member.Known && p.value == float64(f.Member.Value) || f.Level.Known && p.value == f.Level.Value ||
		f.Step.Known && p.dim == mapping.KeyStep
}

// Validity returns the time for which the field is valid: the label, or the reference time and the step.
func (f *Field) Validity() (t time.Time, known bool) {
	if !f.Valid.Known && f.Reference.Known && f.Step.Known {
		return f.Reference.Value.Add(f.Step.Value), true
	}
	return f.Valid.Value, f.Valid.Known
}

// ValidTime returns the time for which the field is valid in the form of ISO 8601, in any calendar; "" if that is
// not known.
func (f *Field) ValidTime() string {
	if t, known := f.Validity(); known {
		return t.Format(time.RFC3339)
	}
	return f.date
}

// String is "level 850", or "level #2" without a coordinate.
func (p *position) String() string {
	switch v := p.value.(type) {
	case float64:
		return p.dim + " " + strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return p.dim + " " + v
	}
	return fmt.Sprintf("%s #%d", p.dim, p.index)
}

// String returns the name and the labels of the field: "t, 2017-03-22 06:00 +12h, 850 hPa".
func (f *Field) String() string {
	if labels := f.Labels(); labels != "" {
		return f.Name + ", " + labels
	}
	return f.Name
}

// Title returns the name of the field for titles: the long name if it has one.
func (f *Field) Title() string {
	title := f.LongName
	if title == "" {
		title = path.Base(f.Name)
	}
	if title == "" || title == "." {
		title = fmt.Sprintf("object %d.%d", f.Message, f.Index)
	}
	return title
}

// UnitsText writes powers as people do: m s**-1 is m s-1. It is empty for numbers without units.
func UnitsText(units string) string {
	if units == "~" || units == "1" {
		return ""
	}
	return strings.ReplaceAll(units, "**", "")
}

// WithUnits returns a title with the units in parentheses, if units is not empty.
func WithUnits(title, units string) string {
	switch {
	case units == "" || units == "~" || units == "1":
		return title
	case strings.HasPrefix(units, "("):
		return title + " " + units
	}
	return title + " (" + units + ")"
}

// Array reads the elements of the field as they are in the file, missing points of floating-point
// types as NaN: little-endian, in C order.
func (f *Field) Array(ctx context.Context) (*tgm.Array, error) {
	if len(f.at) == 0 {
		a, err := dataset.Read(ctx, f.values, f.ref, nil)
		return a, f.InFile(err)
	}
	slice, err := f.slice(ctx)
	if err != nil {
		return nil, f.InFile(err)
	}
	info := slice.Info()
	data, err := array.Read(ctx, slice, info.Whole(), nil)
	return &tgm.Array{Shape: f.Shape, DType: info.DType, Data: data}, f.InFile(err)
}

// slice is the array of one of the slices of a variable.
func (f *Field) slice(ctx context.Context) (array.Array, error) {
	whole, err := f.whole.open(ctx, f)
	if err != nil {
		return nil, err
	}
	info := whole.Info()
	if len(info.Shape) != len(f.at)+len(f.Shape) {
		return nil, fmt.Errorf("%s: a slice of shape %v is not within shape %v", f.Where, f.Shape, info.Shape)
	}
	r := array.Region{Start: make([]uint64, len(info.Shape)), Count: slices.Clone(info.Shape)}
	for _, p := range f.at {
		r.Start[p.axis], r.Count[p.axis] = p.index, 1
	}
	return array.Reshape(array.Cut(whole, r), f.Shape)
}

// InFile names the file in an error of reading the field, if the error does not.
func (f *Field) InFile(err error) error {
	if err == nil || f.File == "" || strings.Contains(err.Error(), f.File) || errors.Is(err, context.Canceled) {
		return err
	}
	return &fault.Error{Place: f.File, Err: err}
}

// Values reads the values of the field, missing points as NaN, in C order.
func (f *Field) Values(ctx context.Context) ([]float64, error) {
	a, err := f.Array(ctx)
	if err != nil {
		return nil, err
	}
	return f.numbers(a)
}

// numbers returns the elements of the field as numbers, in the memory of a where it has them.
func (f *Field) numbers(a *tgm.Array) ([]float64, error) {
	if a.DType == tgm.Float64 && !f.unpacks(a.DType) {
		return tgm.Values[float64](a) // in the memory of a, which no one else has
	}
	values, err := Floats(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Where, err)
	}
	if f.unpacks(a.DType) {
		unpack(values, f.scaling)
	}
	f.fills.erase(values, a)
	return values, nil
}

// unpacks reports whether the elements of the field are packed numbers.
func (f *Field) unpacks(t tgm.DType) bool {
	return f.scaling != nil && (t.IsInteger() || t.IsFloat())
}

// A lastRead keeps blocks of the variable that was read last: its slices are asked for one after the
// other.
type lastRead struct {
	mu  sync.Mutex
	ref int
	of  array.Array // nil before the first
}

// keptBlocks is how many blocks of a variable are kept: two slices are read at a time.
const keptBlocks = 2

func (l *lastRead) open(ctx context.Context, f *Field) (array.Array, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of != nil && l.ref == f.ref {
		return l.of, nil
	}
	l.of = nil // before memory for its successor is taken
	a, err := f.values.Array(ctx, f.ref)
	if err == nil {
		l.ref, l.of = f.ref, array.Cached(a, a.Info().Block, array.Last(keptBlocks))
	}
	return l.of, err
}
