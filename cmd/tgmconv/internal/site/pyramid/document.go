package pyramid

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/plot/colour"
)

// A Document lists the fields that can be drawn, for viewers.
type Document struct {
	Fields     []Field              `json:"fields"`
	Dimensions map[string]Dimension `json:"dimensions"`
}

// A Field is a variable as viewers list it.
type Field struct {
	Path     string   `json:"path"` // of the array, and of its group of maps
	Name     string   `json:"name"`
	LongName string   `json:"long_name,omitempty"`
	Units    string   `json:"units,omitempty"`
	Summary  string   `json:"summary,omitempty"`
	Group    string   `json:"group,omitempty"`
	Lead     []Axis   `json:"lead"`              // the dimensions of the array before latitude and longitude
	First    []uint64 `json:"first,omitempty"`   // positions along these of the first map that is there, if not all are 0
	Why      string   `json:"why,omitempty"`     // it cannot be drawn
	Colours  []Choice `json:"colours,omitempty"` // for values of one sign, of both signs, and mostly of one
	Grid     string   `json:"grid,omitempty"`    // the same for fields on one grid
	East     string   `json:"east,omitempty"`    // the path of the maps of the component to the east of a wind whose first component this is
	North    string   `json:"north,omitempty"`   // and to the north
}

// An Axis names a dimension of a field.
type Axis struct {
	Name      string `json:"name"`
	Length    uint64 `json:"length"`
	Dimension string `json:"dimension"` // its labels in the document; "" if there are none
}

// A Dimension has the labels along an axis: numbers, or times as texts.
type Dimension struct {
	LongName string `json:"long_name,omitempty"`
	Units    string `json:"units,omitempty"`
	Values   []any  `json:"values"`
}

// A Choice is the scale that suits a field, see package colour.
type Choice struct {
	Table     string `json:"table"`
	Zero      bool   `json:"zero,omitempty"`
	Symmetric bool   `json:"symmetric,omitempty"`
}

// maxLabels is the length of the longest axis whose labels are listed; positions of a longer axis
// are numbers.
const maxLabels = 100000

// Document lists the variables of the dataset. It reads labels, and nothing else.
func (v *View) Document(ctx context.Context) (*Document, error) {
	v.build.Do(v.list)
	d := &Document{Fields: []Field{}, Dimensions: make(map[string]Dimension)}
	for _, s := range v.series {
		name, longName, units := s.plane.Label()
		f := Field{Path: s.path, Name: s.plane.Variable.Name, LongName: longName, Units: units, Summary: strings.TrimSpace(s.plane.Variable.Summary()), Group: s.plane.Group.Name, Lead: []Axis{}}
		if err := s.shown(); err != nil {
			f.Why = err.Error()
			d.Fields = append(d.Fields, f)
			continue
		}
		f.First = s.first()
		f.Grid, f.East, f.North = s.grid, s.east, s.north
		for _, reach := range [][2]float64{{0, 1}, {-1, 1}, {-0.1, 1}} {
			c := colour.For(name, longName, units, reach[0], reach[1])
			f.Colours = append(f.Colours, Choice{c.Table.Name, c.Zero, c.Symmetric})
		}
		for _, axis := range s.lead {
			a := Axis{Name: s.plane.Variable.Dims[axis], Length: s.plane.Variable.Shape[axis]}
			key := s.plane.Group.Name + "/" + a.Name
			if _, ok := d.Dimensions[key]; !ok && a.Length <= maxLabels {
				labels, err := s.plane.Labels(ctx, axis)
				if err != nil {
					return nil, err
				}
				if labels.Values != nil {
					d.Dimensions[key] = Dimension{labels.LongName, labels.Units, finite(labels.Values)}
				}
			}
			if known, ok := d.Dimensions[key]; ok && uint64(len(known.Values)) == a.Length {
				a.Dimension = key
			}
			f.Lead = append(f.Lead, a)
		}
		d.Fields = append(d.Fields, f)
	}
	return d, nil
}

// first are the positions of the first map that is not empty, nil if they are 0 or all maps are
// empty.
func (s *series) first() []uint64 {
	v := s.plane.Variable
	chunk := slices.IndexFunc(v.Refs(), func(ref int32) bool { return ref >= 0 })
	if chunk <= 0 {
		return nil
	}
	var at []uint64
	index := nd.Place(make([]uint64, len(v.Shape)), uint64(chunk), v.Grid())
	for _, axis := range s.lead {
		at = append(at, index[axis]*v.Chunk[axis])
	}
	return at
}

// finite are labels that JSON has, nil in place of others.
func finite(values []any) []any {
	for i, v := range values {
		if x, ok := v.(float64); ok && x-x != 0 {
			values[i] = nil
		}
	}
	return values
}

// Numbers are values; NaN and infinities are null in JSON.
type Numbers []float64

// MarshalJSON implements [json.Marshaler].
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		if v-v != 0 {
			out = append(out, "null"...)
			continue
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return append(out, ']'), nil
}

// A Number is null in JSON where it is NaN.
type Number float64

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	text, err := Numbers{float64(n)}.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return text[1 : len(text)-1], nil
}
