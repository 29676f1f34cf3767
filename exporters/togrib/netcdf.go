package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/codec/bitmask"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// A Slice is a field that is no object of its own: one of the horizontal slices of a netCDF variable.
type Slice struct {
	Name  string
	Base  map[string]any // as base[i] of an object of a GRIB field without sections
	Shape []uint64
	// Values returns the values in GRIB's units, missing ones as NaN.
	Values func(context.Context) ([]float64, error)
}

func (s *Slice) points() int {
	n := 1
	for _, d := range s.Shape {
		n *= int(d)
	}
	return n
}

// A Slicer makes fields of the slices of netCDF variables. It remembers their grids, and the
// parameters that variables may be of.
type Slicer struct {
	grids map[*look.Grid]grid
	named map[[3]string][]mars.Param // by standard name, name and long name
}

// A grid is the geometry of places, or why there is none.
type grid struct {
	geometry map[string]any
	err      error
}

// NewSlicer makes a Slicer.
func NewSlicer() *Slicer {
	return &Slicer{grids: make(map[*look.Grid]grid), named: make(map[[3]string][]mars.Param)}
}

// geometry returns the geometry of the places of a field.
func (s *Slicer) geometry(ctx context.Context, f *look.Field) (map[string]any, error) {
	places, err := f.Grid(ctx)
	var none *look.NoGridError
	if errors.As(err, &none) {
		return nil, errors.New(none.Reason)
	}
	if err != nil {
		return nil, err
	}
	g, ok := s.grids[places]
	if !ok {
		g.geometry, g.err = gridOf(ctx, f, places)
		s.grids[places] = g
	}
	return g.geometry, g.err
}

// Slice makes a field of a slice of a netCDF variable: its parameter is that of the variable's
// standard name and units, its time, level and member are those of its coordinates, its grid that of
// its latitudes and longitudes. Errors are *SliceError.
func (s *Slicer) Slice(ctx context.Context, f *look.Field) (*Slice, error) {
	p, err := s.parameterOf(f)
	if err != nil {
		return nil, &SliceError{mapping.KeyStandardName, err}
	}
	geometry, err := s.geometry(ctx, f)
	if err != nil {
		return nil, &SliceError{mapping.KeyGeometry, err}
	}
	labels := mapping.Labels{Geometry: geometry, Number: f.Member}
	repro := map[string]any{"paramId": int64(p.ID), "packingType": "grid_ieee"}
	if err := labelTimes(f, &labels, repro); err != nil {
		return nil, &SliceError{mapping.KeyReferenceTime, err}
	}
	labelLevel(f, &labels)
	base := labels.Map()
	base[mapping.KeyName], base[mapping.KeyReproduction] = p.ShortName, repro
	values := func(ctx context.Context) ([]float64, error) {
		values, err := f.Values(ctx)
		if p.scale == 1 && p.offset == 0 {
			return values, err
		}
		values = slices.Clone(values)
		for i, v := range values {
			values[i] = float64(v*p.scale) + p.offset
		}
		return values, err
	}
	return &Slice{Name: p.ShortName, Base: base, Shape: f.Shape, Values: values}, nil
}

// A SliceError names what keeps a netCDF variable from being written as GRIB.
type SliceError struct {
	Key string // of what an object of a GRIB field would have
	Err error
}

func (e *SliceError) Error() string {
	return fmt.Sprintf("it has no form in GRIB: %s: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *SliceError) Unwrap() error { return e.Err }

// cellMethods are ecCodes' stepType by the method of CF's cell_methods.
var cellMethods = map[string]string{
	"mean": "avg", "sum": "accum", "maximum": "max", "minimum": "min", "standard_deviation": "sd",
}

// labelTimes sets the reference time and the step: those of the file, or else the time of validity
// and no step.
func labelTimes(f *look.Field, l *mapping.Labels, repro map[string]any) error {
	if method := timeMethod(f.Attributes["cell_methods"]); method != "" && method != "point" {
		return labelStatistics(f, method, l, repro)
	}
	step := f.Step
	switch {
	case f.Reference.Known && !step.Known && f.Valid.Known:
		step = mapping.Some(f.Valid.Value.Sub(f.Reference.Value))
	case f.Reference.Known:
	case f.Valid.Known && step.Known:
		f.Reference = mapping.Some(f.Valid.Value.Add(-step.Value))
	case f.Valid.Known:
		f.Reference, step = f.Valid, mapping.Some(time.Duration(0))
	default:
		return errors.New("no coordinate says when the field is valid, in a calendar that GRIB has")
	}
	unit, size := unitOf(step.Value)
	l.ReferenceTime, l.Step, l.StepUnits = f.Reference, mapping.Some(int64(step.Value/size)), unit
	return nil
}

// labelStatistics sets the reference time and the steps between which a statistic is taken.
func labelStatistics(f *look.Field, method string, l *mapping.Labels, repro map[string]any) error {
	kind, reference := cellMethods[method], f.Reference
	var from, to time.Duration
	switch {
	case kind == "":
		return fmt.Errorf("cell_methods is %q, which has no GRIB code here", f.Attributes["cell_methods"])
	case reference.Known && f.StepCell.Known:
		from, to = f.StepCell.Value[0], f.StepCell.Value[1]
	case f.Cell.Known:
		if !reference.Known {
			reference = mapping.Some(f.Cell.Value[0])
		}
		from, to = f.Cell.Value[0].Sub(reference.Value), f.Cell.Value[1].Sub(reference.Value)
	default:
		return fmt.Errorf("cell_methods is %q, and the time has no bounds", f.Attributes["cell_methods"])
	}
	unit, size := unitOf(from, to)
	l.ReferenceTime = reference
	repro["stepType"], repro["stepUnits"], repro["stepRange"] = kind, unit, fmt.Sprintf("%d-%d", from/size, to/size)
	return nil
}

// timeAxes are the names that cell_methods has for the axis of time: those of the variables are most
// often these as well.
var timeAxes = []string{"time:", "step:", "valid_time:", "forecast_period:"}

// timeMethod returns what cell_methods says of the axis of time, "" if it says nothing.
func timeMethod(attribute any) string {
	text, _ := attribute.(string)
	words := strings.Fields(text)
	for i := range len(words) - 1 {
		if slices.Contains(timeAxes, words[i]) && !strings.HasSuffix(words[i+1], ":") {
			return words[i+1]
		}
	}
	return ""
}

// unitOf returns the largest unit of GRIB that divides all durations, down to seconds.
func unitOf(durations ...time.Duration) (unit string, size time.Duration) {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"h", time.Hour}, {"m", time.Minute}} {
		if !slices.ContainsFunc(durations, func(d time.Duration) bool { return d%u.size != 0 }) {
			return u.name, u.size
		}
	}
	return "s", time.Second
}

// labelLevel sets the level.
func labelLevel(f *look.Field, l *mapping.Labels) {
	l.Level, l.LevelType = f.Level, f.LevelType
	name := fmt.Sprint(f.Attributes[mapping.KeyStandardName], path.Base(f.Name))
	switch {
	case l.LevelType == "isobaricInPa" && math.Mod(l.Level.Value, 100) == 0:
		l.Level.Value, l.LevelType = l.Level.Value/100, "isobaricInhPa"
	case l.LevelType == "isobaricInhPa" && l.Level.Value != math.Trunc(l.Level.Value):
		l.Level.Value, l.LevelType = l.Level.Value*100, "isobaricInPa"
	case l.LevelType == "depthBelowSea" && strings.Contains(name, "soil"):
		l.LevelType = "depthBelowLand"
	}
}

// missingOf returns the mask of the values that are NaN, nil if there are none.
func missingOf(values []float64) *bitmask.Mask {
	var mask *bitmask.Mask
	for i, v := range values {
		if v == v {
			continue
		}
		if mask == nil {
			mask = bitmask.New(len(values))
		}
		mask.Set(i)
	}
	return mask
}
