package geometry

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// FromGeometry makes a Grid of a geometry map. Numbers may be of any integer or float type, and
// lists may have numbers of one type or of mixed types, as CBOR and JSON decoders give them.
// Unknown entries are ignored. Errors are *GeometryError or *LimitError.
func FromGeometry(m map[string]any, opts ...Option) (*Grid, error) {
	o := options{centre: -1, maxPoints: DefaultMaxPoints}
	for _, opt := range opts {
		opt(&o)
	}
	r := &mapReader{m: m, seen: map[string]bool{}, maxPoints: o.maxPoints}
	g := &Grid{GridType: r.text(keyGridType)}
	edition, points, template := int64(0), int64(0), int64(0)
	r.integer(keyEdition, &edition)
	r.integer(keyPoints, &points)
	switch edition {
	case 1:
		r.integer(keyType, &template)
	case 2:
		r.integer(keyTemplate, &template)
	default:
		r.fail(keyEdition, fmt.Sprintf("%d, expected 1 or 2", edition))
	}
	if r.err != nil {
		return nil, r.err
	}
	if points < 0 || points > o.maxPoints {
		return nil, &LimitError{"points", points, o.maxPoints}
	}
	g.Edition, g.Template, g.NumberOfDataPoints = int(edition), int(template), int(points)
	g.family = familyOf(g.Edition, g.Template, r.has(keyPL) || r.has(keyName))
	if _, ncep := g.family.(*rotatedNCEP); ncep && !r.has(keyCentreLat) {
		g.family = &listed{} // the local template of another centre
	}
	g.visitCommon(r)
	g.family.visit(r)
	switch f := g.family.(type) {
	case *reducedGaussian:
		g.PL = r.list(f.n, points)
	case *reducedLatLon:
		g.PL = r.list(0, points)
	}
	if r.err != nil {
		return nil, r.err
	}
	return g, nil
}

// asTemplate gives the template of edition 2 with the same parameters as a data representation
// type of edition 1.
var asTemplate = map[int]int{
	0: 0, 10: 1, 20: 2, 30: 3, 1: 10, 3: 30, 8: 31, 13: 30, 5: 20, 4: 40, 14: 41, 24: 42, 34: 43, 50: 50, 60: 51, 70: 52, 80: 53, 90: 90,
}

// familyOf returns an empty family for a type of grid. With list, each parallel has its own
// number of points.
func familyOf(edition, template int, list bool) family {
	if edition == 1 {
		var ok bool
		if template, ok = asTemplate[template]; !ok {
			return &listed{}
		}
	}
	switch template {
	case 0, 1, 2, 3:
		if list {
			return &reducedLatLon{}
		}
		if template == 1 || template == 3 {
			return &rotatedLatLon{}
		}
		return &latLon{}
	case 4, 5:
		return &variableLatLon{}
	case 10, 13:
		return &mercator{}
	case 20, 23:
		return &polarStereographic{}
	case 30, 33:
		return &lambert{}
	case 31:
		return &albers{}
	case 40, 41, 42, 43:
		if list {
			return &reducedGaussian{}
		}
		return &gaussian{}
	case 50, 51, 52, 53:
		return &spectral{}
	case 61:
		return &spectral{bi: &biFourier{projection: &mercator{}}}
	case 62:
		return &spectral{bi: &biFourier{projection: &polarStereographic{}}}
	case 63:
		return &spectral{bi: &biFourier{projection: &lambert{}}}
	case 90:
		return &spaceView{}
	case 101:
		return &unstructured{}
	case 140:
		return &azimuthal{}
	case 150:
		return &healpix{}
	case 32769:
		return &rotatedNCEP{}
	}
	return &listed{}
}

// A mapReader takes parameters out of a geometry map. It keeps the first error.
type mapReader struct {
	m         map[string]any
	seen      map[string]bool
	maxPoints int64
	err       error
}

func (r *mapReader) fail(key, msg string) {
	if r.err == nil {
		r.err = &GeometryError{key, msg}
	}
}

func (r *mapReader) has(key string) bool {
	_, ok := r.m[key]
	return ok
}

func (r *mapReader) text(key string) string {
	r.seen[key] = true
	s, ok := r.m[key].(string)
	if !ok {
		r.fail(key, "is missing or not a string")
	}
	return s
}

// number returns an entry of any numeric type.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case int:
		return float64(v), true
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int32:
		return float64(v), true
	case uint32:
		return float64(v), true
	}
	return 0, false
}

// integer leaves *p alone when the map does not have key: parameters with a default may be left
// out.
func (r *mapReader) integer(key string, p *int64) {
	r.seen[key] = true
	v, ok := r.m[key]
	if !ok {
		return
	}
	f, ok := number(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		r.fail(key, fmt.Sprintf("%v is not an integer of at most 53 bits", v))
		return
	}
	*p = int64(f)
}

// wide is integer for parameters that are only carried and may have all of 64 bits.
func (r *mapReader) wide(key string, p *int64) {
	if v, ok := r.m[key].(int64); ok {
		r.seen[key] = true
		*p = v
		return
	}
	r.integer(key, p)
}

func (r *mapReader) float(key string, p *float64) {
	r.seen[key] = true
	v, ok := r.m[key]
	if !ok {
		*p = missing
		return
	}
	if *p, ok = number(v); !ok {
		r.fail(key, fmt.Sprintf("%v is not a number", v))
	}
}

func (r *mapReader) floats(key string, p *[]float64) {
	r.seen[key] = true
	switch v := r.m[key].(type) {
	case []float64:
		*p = slices.Clone(v)
	case []int64:
		for _, n := range v {
			*p = append(*p, float64(n))
		}
	case []any:
		for _, x := range v {
			f, ok := number(x)
			if !ok {
				r.fail(key, fmt.Sprintf("%v is not a number", x))
				return
			}
			*p = append(*p, f)
		}
	default:
		r.fail(key, "is missing or not a list of numbers")
	}
}

func (r *mapReader) bytes(key string, p []byte) {
	r.seen[key] = true
	b, err := hex.DecodeString(r.text(key))
	if err != nil || len(b) != len(p) {
		r.fail(key, fmt.Sprintf("is not %d bytes in hexadecimal", len(p)))
		return
	}
	copy(p, b)
}

// maxRow is how many points a parallel may have: three octets.
const maxRow = 1<<24 - 1

// list returns the points along each parallel: an entry pl, or gridName O<n> of an octahedral grid.
func (r *mapReader) list(n, points int64) []int {
	if name, ok := r.m[keyName].(string); ok && !r.has(keyPL) {
		of, err := strconv.ParseInt(strings.TrimPrefix(name, "O"), 10, 64)
		if err != nil || name[0] != 'O' || of != n || n < 1 || 2*n > points {
			r.fail(keyName, fmt.Sprintf("%q is not the octahedral grid O%d", name, n))
			return nil
		}
		pl := make([]int, 2*n)
		for j := range pl {
			pl[j] = octahedralRow(j, len(pl))
		}
		return pl
	}
	var f []float64
	r.floats(keyPL, &f)
	pl := make([]int, len(f))
	for j, v := range f {
		if v != math.Trunc(v) || v < 0 || v > maxRow {
			r.fail(keyPL, fmt.Sprintf("%v is not a number of points", v))
			return nil
		}
		pl[j] = int(v)
	}
	return pl
}

// rest returns the numeric entries not asked for so far, sorted by name.
func (r *mapReader) rest() (names []string, values []float64) {
	for name, v := range r.m {
		if _, ok := number(v); ok && !r.seen[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		v, _ := number(r.m[name])
		values = append(values, v)
	}
	return names, values
}
