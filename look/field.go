package look

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Field is an array of numbers with its name, units, labels and attributes.
type Field struct {
	File           string
	Where          string // for errors
	Message, Index int    // in the file, and in the message
	Name           string // short name: 2t
	LongName       string // 2 metre temperature; may be empty
	Units          string // may be empty
	Dims           []string
	Shape          []uint64
	DType          tgm.DType // of the elements in the file

	// Attributes are those of the netCDF variable that the field is of. They must not be changed.
	Attributes map[string]any
	// Mapping has the attributes of the variable's grid mapping, nil if it has none.
	Mapping map[string]any

	Reference, Valid mapping.Opt[time.Time]
	Cell             mapping.Opt[[2]time.Time] // bounds of Valid, with Options.Bounds
	Step             mapping.Opt[time.Duration]
	StepCell         mapping.Opt[[2]time.Duration] // bounds of Step, with Options.Bounds
	Level            mapping.Opt[float64]
	LevelType        string
	Member           mapping.Opt[int64]

	at      []position // of a slice: where it lies along the axes before its own
	whole   *lastRead  // of a slice: what reads the variable
	ref     int
	values  dataset.Fields
	scaling *mapping.Scaling
	grid    *gridSource
	axes    *fileAxes     // of a netCDF variable
	base    mapping.Entry // only while fields are chosen

	isVariable bool // of a netCDF file
}

// A position is one along an axis of a netCDF variable.
type position struct {
	dim   string
	index uint64
	of    uint64
	value any // of the coordinate: a number, or a time as text; nil if there is none
}

func newField(o *dataset.Object) *Field {
	f := &Field{
		File: o.File, Where: o.Where, Message: o.Message, Index: o.Index, Shape: o.Shape, DType: o.DType,
		Dims: o.Base.Dims(len(o.Shape)), ref: o.Ref, base: o.Base,
	}
	if n, ok := o.Base.NetCDF(); ok {
		f.Attributes = n.Attributes
	}
	f.Name = o.Base.Name(mars.ShortName)
	f.Units = o.Base.Units()
	f.nameParameter()
	f.Reference.Value, f.Reference.Known = o.Base.ReferenceTime()
	f.Valid.Value, f.Valid.Known = o.Base.ValidTime()
	f.Step.Value, f.Step.Known = o.Base.Step()
	f.Level.Value, f.Level.Known = o.Base.Level()
	f.LevelType = o.Base.LevelType()
	f.Member.Value, f.Member.Known = o.Base.Member()
	if s, ok := o.Base.Scaling(o.DType); ok {
		f.scaling = &s
	}
	return f
}

// nameParameter finds the long name and the units of the field.
func (f *Field) nameParameter() {
	if said := f.base.CF(); said != nil {
		f.LongName, _ = said[cf.AttrLongName].(string)
		if name, _ := said[cf.AttrStandardName].(string); f.LongName == "" {
			f.LongName = strings.ReplaceAll(name, "_", " ")
		}
	}
	id, ok := mapping.Int(f.paramID())
	if p, known := mars.LookupParam(int(id)); ok && known {
		if f.LongName == "" {
			f.LongName = p.Name
		}
		if f.Units == "" {
			f.Units = p.Units
		}
	}
}

// paramID is the number of the parameter in the database of package mars, nil if it has none.
func (f *Field) paramID() any {
	if v, ok := f.base.Lookup("paramId"); ok {
		return v
	}
	v := f.base.MARS()["param"]
	if s, ok := v.(string); ok {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	}
	return v
}

// isCoordinate reports whether the field is the latitudes or longitudes that a conversion of GRIB
// adds.
func (f *Field) isCoordinate() bool {
	return (f.Name == "latitude" || f.Name == "longitude") && f.base.MARS() == nil && f.base.Namespace(mapping.KeyNetCDF) == nil
}

// Value returns the value of a key: a label or axis, a key of the metadata, or a property of every
// field, such as its shape.
func (f *Field) Value(key string) (any, bool) {
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
	if v, ok := f.base.Lookup(key); ok {
		return v, true
	}
	switch key {
	case mapping.KeyName, "shortName":
		return f.Name, f.Name != ""
	case "typeOfLevel", mapping.KeyLevelType:
		return f.LevelType, f.LevelType != ""
	case mapping.KeyUnits:
		return f.Units, f.Units != ""
	case "date", "dataDate":
		t := f.Reference.Value
		return int64(t.Year()*10000 + int(t.Month())*100 + t.Day()), f.Reference.Known
	case "time", "dataTime":
		t := f.Reference.Value
		return int64(t.Hour()*100 + t.Minute()), f.Reference.Known
	case "file":
		return f.File, true
	case "message":
		return int64(f.Message), true
	case "object":
		return int64(f.Index), true
	case "shape":
		return f.Shape, true
	case "dtype":
		return f.DType.String(), true
	}
	return nil, false
}

// Labels returns the labels that distinguish the field from others of the same name, as text:
// "2017-03-22 06:00 +12h, 850 hPa".
func (f *Field) Labels() string {
	var parts []string
	if f.Reference.Known {
		text := f.Reference.Value.Format("2006-01-02 15:04")
		if f.Step.Known {
			text += " +" + stepText(f.Step.Value)
		}
		parts = append(parts, text)
	} else if f.Valid.Known {
		parts = append(parts, f.Valid.Value.Format("2006-01-02 15:04"))
	}
	if level := f.LevelText(); level != "" {
		parts = append(parts, level)
	}
	if f.Member.Known {
		parts = append(parts, "member "+strconv.FormatInt(f.Member.Value, 10))
	}
	for _, p := range f.at {
		if p.of > 1 && !p.said(f) {
			parts = append(parts, p.String())
		}
	}
	return strings.Join(parts, ", ")
}

// said reports whether a label says where the position is.
func (p *position) said(f *Field) bool {
	_, isTime := p.value.(string)
	return isTime && f.Valid.Known
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

func stepText(d time.Duration) string {
	if d%time.Hour == 0 {
		return strconv.FormatInt(int64(d/time.Hour), 10) + "h"
	}
	return d.String()
}

// levelUnits are the units of types of level that people expect.
var levelUnits = map[string]string{
	"isobaricInhPa": "hPa", "isobaricInPa": "Pa", "heightAboveGround": "m", "heightAboveSea": "m", "depthBelowLand": "m",
	"depthBelowSea": "m", "theta": "K",
}

// LevelText returns the vertical position of the field as text: "850 hPa", "2 m above ground",
// "surface".
func (f *Field) LevelText() string {
	if !f.Level.Known || f.Level.Value == 0 && levelUnits[f.LevelType] == "" {
		return f.LevelType
	}
	level := strconv.FormatFloat(f.Level.Value, 'g', -1, 64)
	switch units := levelUnits[f.LevelType]; f.LevelType {
	case "heightAboveGround":
		return level + " m above ground"
	case "pl":
		return level + " hPa"
	default:
		if units != "" {
			return level + " " + units
		}
		return strings.TrimSpace(f.LevelType + " " + level)
	}
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
		a, err := f.values.Read(ctx, f.ref, nil)
		return a, f.inFile(err)
	}
	a, err := f.whole.read(ctx, f)
	if err != nil {
		return nil, f.inFile(err)
	}
	n, skip := uint64(a.DType.Size()), uint64(0)
	for _, d := range f.Shape {
		n *= d
	}
	for _, p := range f.at {
		skip = skip*p.of + p.index
	}
	if n == 0 || skip*n+n > uint64(len(a.Data)) {
		return nil, fmt.Errorf("%s: slice %d of %d bytes is not within %d bytes", f.Where, skip, n, len(a.Data))
	}
	return &tgm.Array{Shape: f.Shape, DType: a.DType, Data: a.Data[skip*n:][:n]}, nil
}

// inFile names the file in an error of reading the field, if the error does not.
func (f *Field) inFile(err error) error {
	if err == nil || f.File == "" || strings.Contains(err.Error(), f.File) || errors.Is(err, context.Canceled) {
		return err
	}
	return &readError{f.File, err}
}

// readError is an error of reading a file that says what it was reading, but not where that lies.
type readError struct {
	file string
	err  error
}

func (e *readError) Error() string { return e.file + ": " + strings.TrimPrefix(e.err.Error(), "tgm: ") }
func (e *readError) Unwrap() error { return e.err }

// Values reads the values of the field, missing points as NaN, in C order.
func (f *Field) Values(ctx context.Context) ([]float64, error) {
	a, err := f.Array(ctx)
	if err != nil {
		return nil, err
	}
	if a.DType == tgm.Float64 && len(f.at) == 0 && !f.unpacks(a.DType) {
		return tgm.Values[float64](a) // in the memory of a, which no one else has
	}
	values, err := Floats(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Where, err)
	}
	if f.unpacks(a.DType) {
		unpack(values, f.scaling)
	}
	return values, nil
}

// unpacks reports whether the elements of the field are packed numbers.
func (f *Field) unpacks(t tgm.DType) bool {
	return f.scaling != nil && (t.IsInteger() || t.IsFloat())
}

// A lastRead keeps the variable that was read last: its slices are asked for one after the other.
type lastRead struct {
	mu    sync.Mutex
	ref   int
	array *tgm.Array
}

func (l *lastRead) read(ctx context.Context, f *Field) (*tgm.Array, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.array != nil && l.ref == f.ref {
		return l.array, nil
	}
	l.array = nil // before memory for its successor is taken
	a, err := f.values.Read(ctx, f.ref, nil)
	if err == nil {
		l.ref, l.array = f.ref, a
	}
	return a, err
}
