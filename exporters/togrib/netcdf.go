package togrib

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// A Slice is a field that is no object of its own: one of the horizontal slices of a netCDF
// variable.
type Slice struct {
	Name  string
	Base  map[string]any // as base[i] of an object of a GRIB field without sections
	Shape []uint64
	// Values returns the values in GRIB's units, missing ones as NaN.
	Values func(context.Context) ([]float64, error)
	// Packing returns the parameters of the integers that the values were decoded from, nil if they were from none. It
	// may be nil.
	Packing func(context.Context) (*array.Packing, error)
	// Source returns the header of the message that the slice was cut from, and the edited metadata of its object.
	// The header is nil if there is none. Source may be nil.
	Source func(context.Context) (grib.Header, mapping.Entry, error)

	noGrid error       // why no message can be made of the coordinates and attributes alone
	kept   *keptHeader // that the variable has among its attributes; nil for none
}

func (s *Slice) points() int {
	n := 1
	for _, d := range s.Shape {
		n *= int(d)
	}
	return n
}

// A Slicer makes fields of the slices of netCDF variables. It caches their grids and parameters.
type Slicer struct {
	set   map[string]string // keys that are asked for
	grids map[*look.Grid]grid
	named map[[3]string][]mars.Param // by standard name, name and long name
	heads map[string]*parsedHeader   // by the text of the attribute
	last  lastOctets
	whole map[wholeKey]bool
}

// A grid is the geometry of places, or why there is none.
type grid struct {
	geometry map[string]any
	err      error
}

// NewSlicer returns a Slicer. It uses the settings that identify a variable if its attributes do
// not: paramId, shortName, centre, stepType, stepRange and stepUnits. [Export] must be given them
// as well.
func NewSlicer(set ...Setting) *Slicer {
	s := &Slicer{set: make(map[string]string), grids: make(map[*look.Grid]grid), named: make(map[[3]string][]mars.Param),
		heads: make(map[string]*parsedHeader), whole: make(map[wholeKey]bool)}
	for _, kv := range set {
		s.set[kv.Key] = kv.Value
	}
	return s
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

// Slice returns the field of a slice of a netCDF or Zarr variable. If the variable was made of GRIB fields and has
// the header of one in [mapping.AttrSections], the slice has the keys of this header, with the time, level and member
// of the coordinates. Otherwise its parameter follows from the variable's standard name and units, its time, level
// and member from the coordinates, its grid from the latitudes and longitudes. Errors are *SliceError.
func (s *Slicer) Slice(ctx context.Context, f *look.Field) (*Slice, error) {
	p, noParameter := s.parameterOf(f)
	slice, built := s.described(ctx, f, p, noParameter)
	kept, err := s.keptOf(ctx, f, p, noParameter)
	switch {
	case err != nil:
		return nil, err
	case kept == nil:
		return slice, built
	case slice == nil:
		slice = &Slice{Name: kept.name, Shape: f.Shape, Values: converted(f, p), noGrid: built}
	}
	if !kept.whole {
		if kept.header = slice.cut(kept.header); kept.header == nil {
			return slice, built
		}
	}
	slice.kept = kept
	return slice, nil
}

// Part returns a part of a GRIB field, with its grid; [Slice].Source has the header.
func (s *Slicer) Part(ctx context.Context, f *look.Field) (*Slice, error) {
	geometry, err := s.geometry(ctx, f)
	if err != nil {
		return nil, &SliceError{mapping.KeyGeometry, err}
	}
	base := (&mapping.Labels{Geometry: geometry, Number: f.Member}).Map()
	return &Slice{Name: f.Name, Base: base, Shape: f.Shape, Values: converted(f, nil)}, nil
}

// converted returns a function that reads the values of a field in the units of p, which may be nil.
func converted(f *look.Field, p *parameter) func(ctx context.Context) ([]float64, error) {
	return func(ctx context.Context) ([]float64, error) {
		values, err := f.Values(ctx)
		if p == nil || p.scale == 1 && p.offset == 0 {
			return values, err
		}
		values = slices.Clone(values)
		for i, v := range values {
			values[i] = float64(v*p.scale) + p.offset
		}
		return values, err
	}
}

// described returns the slice that the attributes and coordinates of a variable describe.
func (s *Slicer) described(ctx context.Context, f *look.Field, p *parameter, noParameter error) (*Slice, error) {
	if noParameter != nil {
		return nil, &SliceError{cf.AttrStandardName, noParameter}
	}
	geometry, noGrid := s.geometry(ctx, f)
	if noGrid != nil {
		noGrid = &SliceError{mapping.KeyGeometry, noGrid}
	}
	if geometry == nil {
		return nil, noGrid
	}
	labels := mapping.Labels{Geometry: geometry, Number: f.Member}
	repro := map[string]any{"paramId": int64(p.ID), "packingType": "grid_ieee"}
	if name := s.set["shortName"]; name != "" && s.set["paramId"] == "" {
		delete(repro, "paramId")
		repro["shortName"] = name
	}
	for _, attributes := range []map[string]any{f.Global, f.Attributes} { // cfgrib has it in the file
		if centre, ok := attributes["GRIB_centre"].(string); ok {
			repro["centre"] = centre
		}
	}
	if along, ok := mapping.Int(f.Attributes[mapping.AttrAlongRows]); ok {
		repro["uvRelativeToGrid"] = along
	} else if f.AlongRows() {
		repro["uvRelativeToGrid"] = int64(1)
	}
	for _, key := range []string{"centre", "subCentre"} {
		if v := s.set[key]; v != "" {
			repro[key] = v
		}
	}
	if err := s.labelTimes(f, &labels, repro); err != nil {
		return nil, &SliceError{mapping.KeyReferenceTime, err}
	}
	labelLevel(f, &labels)
	base := labels.Map()
	base[mapping.KeyName], base[mapping.KeyReproduction] = p.ShortName, repro
	slice := &Slice{Name: p.ShortName, Base: base, Shape: f.Shape, Values: converted(f, p), noGrid: noGrid}
	if p.scale == 1 && p.offset == 0 {
		slice.Packing = f.Packing
	}
	return slice, nil
}

// A SliceError says why a slice of a netCDF variable cannot be written as GRIB.
type SliceError struct {
	Key string // the key of a GRIB field that is missing or wrong
	Err error
}

func (e *SliceError) Error() string {
	return fmt.Sprintf("it has no form in GRIB: %s: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *SliceError) Unwrap() error { return e.Err }

// labelLevel sets the level.
func labelLevel(f *look.Field, l *mapping.Labels) {
	l.Level, l.LevelType = f.Level, f.LevelType
	name := fmt.Sprint(f.Attributes[cf.AttrStandardName], path.Base(f.Name))
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
