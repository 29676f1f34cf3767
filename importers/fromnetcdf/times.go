package fromnetcdf

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// times gives the variables of a file the dates of their time coordinates.
type times struct {
	file  *file
	scope *choice // to find variables by the names that others call them

	mu   sync.Mutex
	axes map[*netcdf.Var]*timeAxis // nil for other variables
}

// A timeAxis is a coordinate with units of time.
type timeAxis struct {
	units  *cf.TimeUnits
	role   role
	dates  func(ctx context.Context, i uint64) string // of element i; "" if it is no date
	n      uint64
	bounds func(ctx context.Context, i uint64) [2]string
	span   func(ctx context.Context) [2]string // the first and the last date, whatever the order
}

// role is the kind of time of a coordinate.
type role int

const (
	validTime role = iota
	referenceTime
)

func newTimes(f *file) *times {
	scope := f.chosen
	if scope == nil {
		scope = newChoice(f)
	}
	return &times{file: f, scope: scope, axes: map[*netcdf.Var]*timeAxis{}}
}

// of returns the times of a part of the file.
func (t *times) of(ctx context.Context, p *part) (out mapping.TimeTexts) {
	v := p.v
	if t.scope.of[v] == nil {
		return out // a member of a compound
	}
	for i, d := range v.Dims {
		axis := t.axis(t.coordinate(v, d))
		switch {
		case axis == nil || axis.role != validTime || out.Valid != "" || out.Range[0] != "":
		case i == p.axis && p.record < axis.n:
			out.Valid, out.Bounds = axis.dates(ctx, p.record), axis.bounds(ctx, p.record)
		case axis.n == 1:
			out.Valid, out.Bounds = axis.dates(ctx, 0), axis.bounds(ctx, 0)
		case axis.n > 1:
			out.Range = [2]string{axis.dates(ctx, 0), axis.dates(ctx, axis.n-1)}
		}
	}
	t.auxiliary(ctx, p, &out)
	return out
}

// auxiliary sets the times of auxiliary coordinates of a part, such as scalars and the times of profiles. The
// part itself may be one.
func (t *times) auxiliary(ctx context.Context, p *part, out *mapping.TimeTexts) {
	v := p.v
	list := []*netcdf.Var{v}
	for _, name := range words(v, cf.AttrCoordinates) {
		list = append(list, t.scope.find(v, name))
	}
	for _, c := range list {
		axis := t.axis(c)
		switch {
		case axis == nil:
		case c.Len() != 1:
			if axis.role == validTime && !p.split && out.Valid == "" && out.Range[0] == "" {
				out.Range = axis.span(ctx)
			}
		case axis.role == referenceTime:
			out.Reference = axis.dates(ctx, 0)
		case out.Valid == "" && out.Range[0] == "":
			out.Valid, out.Bounds = axis.dates(ctx, 0), axis.bounds(ctx, 0)
		}
	}
}

// coordinate is the coordinate variable of a dimension of v, or texts that may be its times, or nil.
func (t *times) coordinate(v *netcdf.Var, d *netcdf.Dim) *netcdf.Var {
	if c := t.scope.find(v, d.Name); c != nil && len(c.Dims) == 1 && c.Dims[0] == d {
		return c
	}
	for _, name := range cf.TimesNames(d.Name) {
		if c := t.scope.find(v, name); c != nil && isTexts(c) && c.Dims[0] == d {
			return c
		}
	}
	return nil
}

// axis returns v as a time coordinate, or nil if it is none.
func (t *times) axis(v *netcdf.Var) *timeAxis {
	if v == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	axis, known := t.axes[v]
	if !known {
		axis = t.newAxis(v)
		t.axes[v] = axis
	}
	return axis
}

func (t *times) newAxis(v *netcdf.Var) *timeAxis {
	if isTexts(v) {
		return textAxis(v)
	}
	units := attrText(v, cf.AttrUnits)
	if units == "" || v.Len() == 0 {
		return nil
	}
	parsed, err := cf.ParseTimeUnits(units, attrText(v, cf.AttrCalendar))
	if err != nil {
		return nil
	}
	a := &timeAxis{units: parsed, n: v.Len()}
	if attrText(v, cf.AttrStandardName) == "forecast_reference_time" {
		a.role = referenceTime
	}
	read := t.reader(v)
	a.dates = func(ctx context.Context, i uint64) string { return a.text(read(ctx, i, 1)) }
	a.bounds = func(context.Context, uint64) [2]string { return [2]string{} }
	a.span = func(ctx context.Context) (span [2]string) {
		all := slices.DeleteFunc(slices.Clone(read(ctx, 0, a.n)), math.IsNaN)
		if len(all) == 0 {
			return span
		}
		if first, last := a.text([]float64{slices.Min(all)}), a.text([]float64{slices.Max(all)}); first != "" && last != "" {
			span = [2]string{first, last}
		}
		return span
	}
	if b := t.boundsOf(v); b != nil {
		read := t.reader(b)
		a.bounds = func(ctx context.Context, i uint64) [2]string {
			pair := read(ctx, 2*i, 2)
			if len(pair) != 2 {
				return [2]string{}
			}
			return [2]string{a.text(pair[:1]), a.text(pair[1:])}
		}
	}
	return a
}

// boundsOf is the variable with two bounds for each element of v, or nil.
func (t *times) boundsOf(v *netcdf.Var) *netcdf.Var {
	for _, attr := range []string{cf.AttrBounds, cf.AttrClimatology} {
		for _, name := range words(v, attr) {
			if b := t.scope.find(v, name); b != nil && b.Len() == 2*v.Len() && len(b.Dims) == len(v.Dims)+1 {
				return b
			}
		}
	}
	return nil
}

// text is the date of the single number in list.
func (a *timeAxis) text(list []float64) string {
	if len(list) != 1 {
		return ""
	}
	d, ok := a.units.Date(list[0])
	if !ok || d.Year < 0 || d.Year > 9999 {
		return ""
	}
	return d.String()
}

// attrText is the text of an attribute, "" if it has none.
func attrText(v *netcdf.Var, name string) string {
	a := v.Attr(name)
	if a == nil {
		return ""
	}
	switch s := a.Value.(type) {
	case string:
		return text(s)
	case []string:
		if len(s) == 1 {
			return text(s[0])
		}
	}
	return ""
}

// maxTimes is how long a time axis may be to be read at once.
const maxTimes = 1 << 20

// reader gives elements of a coordinate by their number in C order. Missing elements are NaN. It
// gives nothing if they cannot be read: reading the variable itself reports that. A short
// coordinate is read once.
func (t *times) reader(v *netcdf.Var) func(ctx context.Context, first, n uint64) []float64 {
	if v.Err != nil || v.Len() > maxTimes || v.Type.Size > 8 {
		return func(context.Context, uint64, uint64) []float64 { return nil }
	}
	var mu sync.Mutex
	var all []float64
	return func(ctx context.Context, first, n uint64) []float64 {
		mu.Lock()
		defer mu.Unlock()
		if all == nil {
			all = t.numbers(ctx, v)
		}
		if first+n > uint64(len(all)) {
			return nil
		}
		return all[first : first+n]
	}
}

// numbers reads all elements of a variable, unpacked.
func (t *times) numbers(ctx context.Context, v *netcdf.Var) []float64 {
	list, err := forms(v, v.Attrs)
	if err != nil || len(list) != 1 || list[0].form != asNumbers || list[0].kind.inner != nil {
		return nil
	}
	s, _, _, err := (&part{variable: &list[0], axis: -1}).slab()
	if err != nil || t.file.plausible(v, s, 8) != nil {
		return nil
	}
	raw := make([]byte, s.elements*v.Type.Size)
	if err := v.Read(ctx, raw, s.start, s.count); err != nil {
		return nil
	}
	vals, _ := newValues(&list[0], s)
	return vals.floats(raw)
}

// floats are the values of raw elements, NaN where they are missing.
func (v *values) floats(raw []byte) []float64 {
	if v.packed == nil {
		v.packed = &packing{scale: 1}
	}
	v.packed.single = false
	missing := newMissing(v.count())
	dst := make([]byte, 8*v.count())
	v.convert(raw, dst, missing)
	out := make([]float64, v.count())
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(dst[8*i:]))
		if missing.mask != nil && missing.mask.Get(i) {
			out[i] = math.NaN()
		}
	}
	return out
}

// selectsRecord reports whether the clauses about time hold for a record.
func (f *file) selectsRecord(ctx context.Context, record uint64) bool {
	_, clauses := f.clauses()
	if len(clauses) == 0 || f.record == nil {
		return true
	}
	axis := f.times.axis(f.times.recordCoordinate())
	known := mapping.Known{Position: func(string) (any, bool) {
		if axis == nil || record >= axis.n {
			return nil, false
		}
		date := axis.dates(ctx, record)
		return date, date != ""
	}}
	return known.Match(clauses, &f.source.asked)
}

// recordCoordinate is the coordinate variable of the dimension of records, or texts that may be its times, or nil.
func (t *times) recordCoordinate() *netcdf.Var {
	var found *netcdf.Var
	t.scope.each(t.file.nc.Root(), func(_ *netcdf.Group, v *netcdf.Var) {
		if found == nil && len(v.Dims) > 0 && v.Dims[0] == t.file.record {
			found = t.coordinate(v, t.file.record)
		}
	})
	return found
}
