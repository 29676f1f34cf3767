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
// whether it keeps packed integers: as the attributes of a netCDF variable say. Single is set if
// both factors are float32 and this is exact for the integers.
func (e Entry) Scaling(size int) (Scaling, bool) {
	n, ok := e.NetCDF()
	if !ok || n.Packing != nil {
		return Scaling{}, false
	}
	return n.scaling(n.Attributes, size)
}

// scaling is what attributes say of packed numbers of size bytes.
func (n *NetCDF) scaling(attributes map[string]any, size int) (s Scaling, ok bool) {
	s = Scaling{Scale: 1, Single: true}
	scale, hasScale := attributes["scale_factor"]
	offset, hasOffset := attributes["add_offset"]
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
		s.Missing = append(s.Missing, numbersOf(attributes[name])...)
	}
	return s, true
}

// ValidRange returns the attributes valid_min, valid_max and valid_range of a packed variable whose
// elements take size bytes, in the units of its values. Those of a floating-point type are in these
// units in the file already, unless the packed numbers are of that type (NetCDF Users Guide,
// appendix A).
func (n *NetCDF) ValidRange(size int) map[string]any {
	from, packedType := n.Attributes, ""
	if n.Packing != nil {
		from = n.Packing
		packedType, _ = from[PackingDType].(string)
	}
	s, ok := n.scaling(from, size)
	if !ok {
		return nil
	}
	if n.Packing != nil {
		s.Single = size == 4 // the elements are the values
	}
	valid := make(map[string]any)
	for _, name := range []string{"valid_min", "valid_max", "valid_range"} {
		numbers := numbersOf(from[name])
		if len(numbers) == 0 {
			continue
		}
		if t := n.AttrTypes[name]; t != "float" && t != "double" || t == packedType {
			for i, x := range numbers {
				numbers[i] = s.at(x)
			}
		}
		if valid[name] = numbers; len(numbers) == 1 {
			valid[name] = numbers[0]
		}
	}
	return valid
}

// numbersOf returns the numbers of a number or of a list of them. Integers above 2^63-1 are text.
func numbersOf(v any) []float64 {
	var list []any
	switch v := v.(type) {
	case []any:
		list = v
	case []int64:
		list = anyOf(v)
	case []float64:
		list = anyOf(v)
	case []string:
		list = anyOf(v)
	default:
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
	return s.at(x), true
}

// at unpacks a number.
func (s *Scaling) at(x float64) float64 {
	// The conversions keep the product from being fused with the sum.
	if s.Single {
		return float64(float32(float32(x)*float32(s.Scale)) + float32(s.Offset))
	}
	return float64(x*s.Scale) + s.Offset
}

// anyOf is a list as decoded metadata have it.
func anyOf[T any](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}
