package list

import (
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
)

// A Place is a place near which values are shown.
type Place struct {
	Latitude, Longitude float64
	// Four shows the values at the four nearest points, else that at the nearest one.
	Four bool
	// Mask, if it is not nil, is a field in which the point must be 0.5 or more. This is so only if one of the
	// four points is.
	Mask     *grib.Field
	MaskName string

	mu     sync.Mutex
	found  map[string][]geometry.Neighbour // by grid definition
	masked []maskedPoint                   // nil until the mask was looked at
}

// A maskedPoint is a point near the place in the mask.
type maskedPoint struct {
	geometry.Neighbour
	value float64
}

// A near holds the points near a place in a field.
type near struct {
	points []geometry.Neighbour
	values []float64
	none   []bool // where the value is missing
	masked []maskedPoint
	chosen int // of the points
	units  string
}

// of finds the points in the grid of a field and reads their values.
func (p *Place) of(f fields.Field) (*near, error) {
	n := new(near)
	var err error
	if n.points, err = p.points(f.Field, f.Work); err != nil {
		return nil, err
	}
	missing := 9999.0
	if v, err := f.Float("missingValue"); err == nil {
		missing = v
	}
	if n.values, n.none, err = valuesAt(f.Field, f.Values, n.points, missing); err != nil {
		return nil, err
	}
	n.units, _ = f.String("units")
	n.choose(nil)
	if p.Mask == nil {
		return n, nil
	}
	land, _, err := valuesAt(p.Mask, p.maskValues, n.points, 9999)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.MaskName, err)
	}
	n.choose(land)
	n.masked, err = p.maskPoints(f.Work)
	return n, err
}

// maskPoints are the points near the place in the mask. See points for work.
func (p *Place) maskPoints(work func(int64) error) ([]maskedPoint, error) {
	p.mu.Lock()
	masked := p.masked
	p.mu.Unlock()
	if masked != nil {
		return masked, nil
	}
	points, err := p.points(p.Mask, work)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.MaskName, err)
	}
	values, _, err := valuesAt(p.Mask, p.maskValues, points, 9999)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.MaskName, err)
	}
	for i, at := range points {
		masked = append(masked, maskedPoint{at, values[i]})
	}
	p.mu.Lock()
	p.masked = masked
	p.mu.Unlock()
	return masked, nil
}

// choose takes the nearest point, among points with a mask of 0.5 or more if there are any.
func (n *near) choose(mask []float64) {
	best := -1
	for i, p := range n.points {
		if mask != nil && !(mask[i] >= 0.5) {
			continue
		}
		if best < 0 || p.Distance < n.points[best].Distance {
			best = i
		}
	}
	if best >= 0 {
		n.chosen = best
	}
}

// points are the neighbours of the place on the grid of a field. Where all points are computed, work is
// called before with as many bytes of values as are decoded in the time.
func (p *Place) points(f *grib.Field, work func(int64) error) ([]geometry.Neighbour, error) {
	section := 3
	if f.Edition == 1 {
		section = 2
	}
	key := fmt.Sprint(f.Edition, " ", string(f.Section(section)))
	p.mu.Lock()
	list, ok := p.found[key]
	p.mu.Unlock()
	if ok {
		return list, nil
	}
	g, err := f.Grid()
	if err != nil {
		return nil, err
	}
	if each := g.PointWork(); each > 1 {
		for range g.Nj { // no more than rows are held at once
			if err := work(2 * 8 * int64(g.Ni) * int64(each)); err != nil {
				return nil, err
			}
		}
	}
	if list, err = g.Nearest(p.Latitude, p.Longitude); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil || len(p.found) > 100 {
		p.found = make(map[string][]geometry.Neighbour)
	}
	p.found[key] = list
	return list, nil
}

// maskValues are the values of the mask.
func (p *Place) maskValues() ([]float64, error) {
	values, _, err := p.Mask.Decode(nil)
	return values, err
}

// valuesAt are the values of a field, which decode returns, at some points, and which of them are missing.
func valuesAt(f *grib.Field, decode func() ([]float64, error), points []geometry.Neighbour, missing float64) (values []float64, none []bool, err error) {
	g, err := f.Grid()
	if err != nil {
		return nil, nil, err
	}
	stored, err := decode()
	if err != nil {
		return nil, nil, err
	}
	all, err := geometry.Reorder(g, stored)
	if err != nil {
		return nil, nil, err
	}
	values, none = make([]float64, len(points)), make([]bool, len(points))
	for i, at := range points {
		if at.Index >= len(all) {
			return nil, nil, fmt.Errorf("the field has %d values, and the grid a point %d", len(all), at.Index)
		}
		if values[i] = all[at.Index]; math.IsNaN(values[i]) {
			values[i], none[i] = missing, true
		}
	}
	return values, none, nil
}

// valueAt is the value with an index as they are stored.
func valueAt(f fields.Field, index int) (float64, error) {
	values, err := f.Values()
	if err != nil {
		return 0, err
	}
	if index >= len(values) {
		return 0, fmt.Errorf("the index is %d, the field has %d values", index, len(values))
	}
	if v := values[index]; !math.IsNaN(v) {
		return v, nil
	}
	if v, err := f.Float("missingValue"); err == nil {
		return v, nil
	}
	return 9999, nil
}

func (p *Place) appendTitles(b []byte) []byte {
	if p.Four {
		return append(b, "       value1  value2  value3  value4 "...)
	}
	return append(b, " value "...)
}

// appendPoint appends a point as JSON.
func (p *Place) appendPoint(b []byte, n *near, i int) []byte {
	at := n.points[i]
	b = fmt.Appendf(b, `{"index" : %d, "latitude" : %.6g, "longitude" : %.6g, "distance" : %.6g, "distance_unit" : "km", `,
		at.Index, at.Latitude, at.Longitude, at.Distance)
	if n.none[i] {
		b = append(b, `"value" : null `...)
	} else {
		b = fmt.Appendf(b, `"value" : %s `, fields.FormatReal("%.6g", n.values[i]))
	}
	if n.units != "" {
		b = fmt.Appendf(b, `, "unit" : %s`, quote(n.units))
	}
	if i < len(n.masked) {
		b = fmt.Appendf(b, `, "mask_value" : %.2f`, n.masked[i].value)
	}
	return append(b, '}')
}

// summary says at the end of a list where the points are.
func (p *Place) summary(w io.Writer, n *near) {
	fmt.Fprintf(w, "Input Point: latitude=%.2f  longitude=%.2f\n", p.Latitude, p.Longitude)
	fmt.Fprintf(w, "Grid Point chosen #%d %s\n", n.chosen+1, pointText(n.points[n.chosen]))
	if p.Mask != nil {
		fmt.Fprintln(w, "Mask values:")
		for i, at := range n.masked {
			fmt.Fprintf(w, "- %d - %s value=%.2f\n", i+1, pointText(at.Neighbour), at.value)
		}
		return
	}
	fmt.Fprintln(w, "Other grid Points")
	for i, at := range n.points {
		fmt.Fprintf(w, "- %d - %s\n", i+1, pointText(at))
	}
}

func pointText(at geometry.Neighbour) string {
	return fmt.Sprintf("index=%d latitude=%.2f longitude=%.2f distance=%.2f (Km)", at.Index, at.Latitude, at.Longitude, at.Distance)
}
