package pyramid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/look"
)

// A PlaceError reports a question about values that are not there.
type PlaceError struct{ Msg string }

func (e *PlaceError) Error() string { return e.Msg }

// asked finds a variable by its path and checks positions along its dimensions, in the order of
// [Field].Lead.
func (v *View) asked(path string, at []uint64) (*series, error) {
	v.build.Do(v.list)
	n := v.nodes[path]
	if n == nil || n.series == nil {
		return nil, &PlaceError{fmt.Sprintf("there are no maps of %q", path)}
	}
	s := n.series
	if len(at) != len(s.lead) {
		return nil, &PlaceError{fmt.Sprintf("%d positions along dimensions of %s, expected %d", len(at), path, len(s.lead))}
	}
	for i, axis := range s.lead {
		if n := s.plane.Variable.Shape[axis]; at[i] >= n {
			return nil, &PlaceError{fmt.Sprintf("position %d along %s, which has length %d", at[i], s.plane.Variable.Dims[axis], n)}
		}
	}
	return s, nil
}

// axis finds a dimension before latitude and longitude.
func (s *series) axis(name string) (int, error) {
	for _, axis := range s.lead {
		if s.plane.Variable.Dims[axis] == name {
			return axis, nil
		}
	}
	return -1, &PlaceError{fmt.Sprintf("%s has no dimension %q", s.path, name)}
}

// Values are the values at a place along a dimension.
type Values struct {
	Values Numbers `json:"values"` // at the positions that were asked for
	// Bands are the values that a tenth, a quarter, a half, three quarters and nine tenths of the members
	// do not exceed, with the least before and the greatest after these.
	Bands []Numbers `json:"bands,omitempty"`
}

// probabilities of the bands.
var probabilities = []float64{0.1, 0.25, 0.5, 0.75, 0.9}

// maxPicked bounds the values that are read for one series.
const maxPicked = 100000

// Along returns the values of a variable, given by its path, at a place and along one of its
// dimensions, and their bands over another if over is not empty. at are the positions along all
// dimensions, in the order of [Field].Lead. Values are NaN where the variable has none nearby. The error is
// a [*PlaceError] for dimensions and positions that the variable does not have.
func (v *View) Along(ctx context.Context, path string, lat, lon float64, at []uint64, dim, over string) (*Values, error) {
	s, err := v.asked(path, at)
	if err != nil {
		return nil, err
	}
	along, err := s.axis(dim)
	if err != nil {
		return nil, err
	}
	members := -1
	if over != "" {
		if members, err = s.axis(over); err != nil {
			return nil, err
		}
	}
	if !(math.Abs(lat) <= 90) || !(math.Abs(lon) <= 1e4) {
		return nil, &PlaceError{fmt.Sprintf("latitude %v and longitude %v are no place", lat, lon)}
	}
	f, err := s.frame(ctx)
	if err != nil {
		return nil, err
	}
	number := f.find(lat, lon)
	n := int(s.plane.Variable.Shape[along])
	if number < 0 {
		return &Values{Values: slices.Repeat(Numbers{math.NaN()}, n)}, nil
	}
	if members < 0 || members == along {
		values, err := s.along(ctx, number, at, along, -1)
		return &Values{Values: values}, err
	}
	size := int(s.plane.Variable.Shape[members])
	if n*size > maxPicked {
		return nil, &PlaceError{fmt.Sprintf("%d values of %d members, at most %d are read at once", n*size, size, maxPicked)}
	}
	all, err := s.along(ctx, number, at, along, members)
	if err != nil {
		return nil, err
	}
	found := &Values{Bands: make([]Numbers, len(probabilities)+2)}
	now := int(at[slices.Index(s.lead, members)])
	for of := range slices.Chunk(all, size) {
		found.Values = append(found.Values, of[now])
		d := look.Describe(of, probabilities, 0)
		found.Bands[0] = append(found.Bands[0], d.Min)
		for i := range probabilities {
			q := math.NaN()
			if i < len(d.Quantiles) {
				q = d.Quantiles[i].Value
			}
			found.Bands[i+1] = append(found.Bands[i+1], q)
		}
		found.Bands[len(probabilities)+1] = append(found.Bands[len(probabilities)+1], d.Max)
	}
	return found, nil
}

// along reads the values along an axis at one number of the map, and for each of its positions those
// along a second axis, unless over is -1.
func (s *series) along(ctx context.Context, number int, lead []uint64, axis, over int) ([]float64, error) {
	if s.wind != nil {
		along, err := s.wind.along.along(ctx, number, lead, axis, over)
		if err != nil {
			return nil, err
		}
		across, err := s.wind.across.along(ctx, number, lead, axis, over)
		if err != nil {
			return nil, err
		}
		return s.turn(ctx, slices.Repeat([]int{number}, len(along)), along, across)
	}
	a, err := s.plane.Array(ctx)
	if err != nil {
		return nil, err
	}
	_, wide := s.across()
	shape := s.plane.Variable.Shape
	start := s.region(lead, number/wide, number%wide, 1, 1).Start
	var at []uint64
	for i := range shape[axis] {
		start[axis] = i
		if over < 0 {
			at = append(at, nd.Number(start, shape))
			continue
		}
		for j := range shape[over] {
			start[over] = j
			at = append(at, nd.Number(start, shape))
		}
	}
	data := make([]byte, len(at)*a.Info().DType.Size())
	if err := array.Pick(ctx, a, at, data); err != nil {
		return nil, err
	}
	return s.plane.Numbers(a.Info().DType, data)
}

// A Head has the first values of a variable, also of one that cannot be drawn.
type Head struct {
	Dims   []string `json:"dims"`
	Shape  []uint64 `json:"shape"`
	Values Numbers  `json:"values"` // in C order
}

// maxHead bounds the values of a head.
const maxHead = 1000

// Head returns the first values of a variable, given by its path. The error is a [*PlaceError] for a variable
// that there is not.
func (v *View) Head(ctx context.Context, path string) (*Head, error) {
	v.build.Do(v.list)
	i := slices.IndexFunc(v.series, func(s *series) bool { return s.path == path })
	if i < 0 {
		return nil, &PlaceError{fmt.Sprintf("there is no variable %q", path)}
	}
	p := v.series[i].plane
	h := &Head{Dims: slices.Clone(p.Variable.Dims), Shape: slices.Clone(p.Variable.Shape), Values: Numbers{}}
	if slices.Contains(h.Shape, 0) {
		return h, nil
	}
	r := array.Region{Start: make([]uint64, len(h.Shape)), Count: slices.Repeat([]uint64{1}, len(h.Shape))}
	for i, room := len(h.Shape)-1, uint64(maxHead); i >= 0 && room > 0; i-- {
		r.Count[i] = min(h.Shape[i], room)
		if room /= r.Count[i]; r.Count[i] < h.Shape[i] {
			break
		}
	}
	a, err := p.Array(ctx)
	if err != nil {
		return nil, err
	}
	data, err := array.Read(ctx, a, r, nil)
	if err != nil {
		return nil, err
	}
	h.Values, err = p.Numbers(a.Info().DType, data)
	return h, err
}
