package look

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
)

// attribute returns an attribute of a netCDF variable that is text, else "".
func (f *Field) attribute(key string) string {
	text, _ := f.Attributes[key].(string)
	return text
}

// label finds the coordinate of a position, and the label that it gives to the field.
func (a *fileAxes) label(ctx context.Context, f *Field, p *position) {
	if o := f.other; o != nil && o.Labelled == p.dim && p.index < uint64(len(o.Labels)) {
		f.Level, p.value = mapping.Some(o.Labels[p.index]), o.Labels[p.index]
		return
	}
	if axis := a.coordinateOf(f, p.dim); axis != nil {
		before := f.Label
		p.value = a.value(ctx, f, axis, p.index)
		p.told = f.Label != before
	}
}

// coordinateOf returns the coordinate along a dimension of a variable, nil if there is none: the variable of its
// name, or else a time among the coordinates that the variable names, or texts that are times.
func (a *fileAxes) coordinateOf(f *Field, dim string) *Field {
	if axis := a.along(f, dim); axis != nil {
		return axis
	}
	for _, name := range strings.Fields(f.attribute(cf.AttrCoordinates)) {
		if c := a.find(f, name); c != nil && slices.Equal(c.Dims, []string{dim}) && c.axis() == cf.T {
			return c
		}
	}
	for _, t := range a.times {
		if slices.Contains(cf.TimesNames(dim), path.Base(t.Name)) && len(t.textDims()) == 1 && t.textDims()[0] == dim {
			return t
		}
	}
	return nil
}

// textDims are the dimensions of texts, without the dimension of their characters.
func (f *Field) textDims() []string { return f.Dims[:max(0, min(len(f.Dims), len(f.Shape)-1))] }

// scalars adds the labels of the scalar coordinates that a variable's attribute coordinates names.
func (a *fileAxes) scalars(ctx context.Context, f *Field) {
	for _, name := range strings.Fields(f.attribute(cf.AttrCoordinates)) {
		if c := a.find(f, name); c != nil && len(c.Dims) == 0 && c.DType.Size() > 0 {
			a.value(ctx, f, c, 0)
		}
	}
}

// value returns the value of a coordinate at an index, times as text, and labels the field with it.
// It is nil if the coordinate cannot be read.
func (a *fileAxes) value(ctx context.Context, f, axis *Field, index uint64) any {
	if axis.Text {
		dates := a.readDates(ctx, axis)
		if index >= uint64(len(dates)) {
			return nil
		}
		return f.setDate(axis, dates[index])
	}
	values := a.read(ctx, axis)
	if index >= uint64(len(values)) {
		return nil
	}
	v := values[index]
	if date, ok := axis.dateOf(v); ok {
		f.Cell = a.cell(ctx, axis, index)
		return f.setDate(axis, date)
	}
	units := strings.ToLower(axis.attribute(cf.AttrUnits))
	if f.place(axis, units, v) {
		f.LevelAt = mapping.Some(v)
		if low, high, ok := a.bounds(ctx, axis, axis.attribute(cf.AttrBounds), index); ok {
			f.LevelCell = mapping.Some([2]float64{low, high})
		}
	}
	if size := steps[units]; size != 0 && axis.attribute(cf.AttrStandardName) == "forecast_period" {
		if low, high, ok := a.bounds(ctx, axis, f.stepBounds(axis), index); ok {
			f.StepCell = mapping.Some([2]time.Duration{time.Duration(low * float64(size)), time.Duration(high * float64(size))})
		}
	}
	return v
}

// setDate labels the field with a date of a coordinate, and returns it as text.
func (f *Field) setDate(axis *Field, date cf.Date) string {
	switch {
	case axis.attribute(cf.AttrStandardName) == "forecast_reference_time":
		f.Reference.Value, f.Reference.Known = date.Time()
		f.Cell = mapping.Opt[[2]time.Time]{}
	default:
		f.Valid.Value, f.Valid.Known = date.Time()
		f.date = date.String()
	}
	return date.String()
}

// readDates are the times that texts are, nil if one of them is none.
func (a *fileAxes) readDates(ctx context.Context, axis *Field) []cf.Date {
	dates, ok := a.dates[axis]
	if ok {
		return dates
	}
	a.dates[axis] = nil
	width := axis.Shape[len(axis.Shape)-1]
	if width == 0 || width > maxDate {
		return nil
	}
	array, err := axis.Array(ctx)
	if err != nil {
		if a.err == nil {
			a.err = err
		}
		return nil
	}
	for rest := array.Data; len(rest) > 0; rest = rest[width:] {
		date, ok := cf.ParseDate(strings.TrimRight(string(rest[:width]), "\x00 "))
		if !ok {
			return nil
		}
		dates = append(dates, date)
	}
	a.dates[axis] = dates
	return dates
}

// maxDate is more than a date has characters.
const maxDate = 64

// read reads a coordinate once. A coordinate without numbers gives its indices; an error of reading
// is kept in err.
func (a *fileAxes) read(ctx context.Context, axis *Field) []float64 {
	values, ok := a.values[axis]
	if !ok {
		array, err := axis.Array(ctx)
		if err == nil {
			values, _ = axis.numbers(array)
		} else if a.err == nil {
			a.err = err
		}
		a.values[axis] = values
	}
	return values
}

// stepBounds is the name of the bounds of the step of a variable: the bounds of the coordinate or,
// if variables have other windows, the bounds among the variable's coordinates that are named after
// the step.
func (f *Field) stepBounds(step *Field) string {
	name := step.attribute(cf.AttrBounds)
	for _, c := range strings.Fields(f.attribute(cf.AttrCoordinates)) {
		if name == "" && strings.HasPrefix(c, path.Base(step.Name)+"_bounds") {
			name = c
		}
	}
	return name
}

// bounds returns the bounds of a value of a coordinate, in the units of that, if they are wanted.
func (a *fileAxes) bounds(ctx context.Context, axis *Field, name string, index uint64) (low, high float64, ok bool) {
	if !a.wantBounds {
		return 0, 0, false
	}
	bounds := a.byName[path.Join(path.Dir(axis.Name), name)]
	if name == "" || bounds == nil || len(bounds.Shape) == 0 || bounds.Shape[len(bounds.Shape)-1] != 2 {
		return 0, 0, false
	}
	values := a.read(ctx, bounds)
	if index >= uint64(len(values)/2) {
		return 0, 0, false
	}
	return values[2*index], values[2*index+1], true
}

// cell returns the bounds of a time.
func (a *fileAxes) cell(ctx context.Context, axis *Field, index uint64) (cell mapping.Opt[[2]time.Time]) {
	low, high, ok := a.bounds(ctx, axis, axis.attribute(cf.AttrBounds), index)
	if !ok {
		return cell
	}
	for i, v := range []float64{low, high} {
		date, ok := axis.dateOf(v)
		if !ok {
			return mapping.Opt[[2]time.Time]{}
		}
		if cell.Value[i], cell.Known = date.Time(); !cell.Known {
			return mapping.Opt[[2]time.Time]{}
		}
	}
	return cell
}

// pressures are units of pressure as files spell them, in pascals.
var pressures = map[string]float64{"pa": 1, "hpa": 100, "mb": 100, "mbar": 100, "millibar": 100, "millibars": 100, "kpa": 1000}

// levelTypes are ecCodes' types of level by the standard names of vertical coordinates.
var levelTypes = map[string]string{
	"height": "heightAboveGround", "altitude": "heightAboveSea", "depth": "depthBelowSea", "model_level_number": "hybrid",
	"air_potential_temperature": "theta",
}

// steps are units of forecast periods.
var steps = map[string]time.Duration{
	"s": time.Second, "second": time.Second, "seconds": time.Second, "minute": time.Minute, "minutes": time.Minute, "min": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour, "d": 24 * time.Hour,
}

// place labels the field with the value of a coordinate that is not a time. It reports whether this is a level.
func (f *Field) place(axis *Field, units string, v float64) (isLevel bool) {
	standardName, pressure := axis.attribute(cf.AttrStandardName), pressures[units]
	switch {
	case standardName == "realization":
		f.Member = mapping.Some(int64(v))
		return false
	case standardName == "forecast_period" && steps[units] != 0:
		f.Step = mapping.Some(time.Duration(v * float64(steps[units])))
		return false
	case pressure == 1:
		f.Level, f.LevelType = mapping.Some(v), "isobaricInPa"
	case pressure == 100:
		f.Level, f.LevelType = mapping.Some(v), "isobaricInhPa"
	case pressure != 0:
		f.Level, f.LevelType = mapping.Some(v*pressure/100), "isobaricInhPa"
	case levelTypes[standardName] != "":
		f.Level, f.LevelType = mapping.Some(v), levelTypes[standardName]
	case axis.axis() == cf.Z && !f.Level.Known:
		f.Level = mapping.Some(v)
	default:
		return false
	}
	return true
}

// dateOf is the time that a value of a coordinate means.
func (f *Field) dateOf(v float64) (cf.Date, bool) {
	units, err := cf.ParseTimeUnits(f.attribute(cf.AttrUnits), f.attribute(cf.AttrCalendar))
	if err != nil {
		return cf.Date{}, false
	}
	return units.Date(v)
}
