package mapping

import "strconv"

// Scaling is how the integers of an object become values: value = integer·Scale + Offset, as CF has
// it.
type Scaling struct {
	Scale, Offset float64
	Single        bool      // in float32
	Missing       []float64 // integers that mean a missing point
}

// Scaling returns how the integers of an object with elements of size bytes become values, and
// whether it keeps packed integers: the attributes of a netCDF variable say it. Values are float32
// where both factors are and lose nothing by it.
func (e Entry) Scaling(size int) (Scaling, bool) {
	n, ok := e.NetCDF()
	if !ok || n.Packing != nil {
		return Scaling{}, false
	}
	s := Scaling{Scale: 1, Single: true}
	scale, hasScale := n.Attributes["scale_factor"]
	offset, hasOffset := n.Attributes["add_offset"]
	if !hasScale && !hasOffset {
		return Scaling{}, false
	}
	for _, f := range []struct {
		name  string
		value any
		has   bool
		to    *float64
	}{{"scale_factor", scale, hasScale, &s.Scale}, {"add_offset", offset, hasOffset, &s.Offset}} {
		if !f.has {
			continue
		}
		if *f.to, ok = Float(f.value); !ok {
			return Scaling{}, false
		}
		s.Single = s.Single && n.AttrTypes[f.name] == "float"
	}
	s.Single = s.Single && size <= 4 && (!hasOffset || hasScale && size < 4)
	for _, name := range []string{"_FillValue", "missing_value"} {
		s.Missing = append(s.Missing, numbersOf(n.Attributes[name])...)
	}
	return s, true
}

// numbersOf returns the numbers of a number or of a list of them. Integers above 2^63-1 are text.
func numbersOf(v any) []float64 {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	var numbers []float64
	for _, x := range list {
		if f, ok := Float(x); ok {
			numbers = append(numbers, f)
		} else if s, isText := x.(string); isText {
			if u, err := strconv.ParseUint(s, 10, 64); err == nil {
				numbers = append(numbers, float64(u))
			}
		}
	}
	return numbers
}

// Value returns the value of an integer; ok is false at a missing point.
func (s *Scaling) Value(x float64) (v float64, ok bool) {
	for _, m := range s.Missing {
		if x == m {
			return 0, false
		}
	}
	// The conversions keep the product from being fused with the sum.
	if s.Single {
		return float64(float32(float32(x)*float32(s.Scale)) + float32(s.Offset)), true
	}
	return float64(x*s.Scale) + s.Offset, true
}
