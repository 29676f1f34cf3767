package mapping

import (
	"encoding/binary"
	"math"
)

// Scaling is how the packed numbers of an object become values: value = number·Scale + Offset, as
// CF has it.
type Scaling struct {
	Scale, Offset float64
	Single        bool      // in float32
	Missing       []float64 // numbers that mean a missing point
}

// An ElementType is the type of the elements of an object, such as a tgm.DType.
type ElementType interface {
	Size() int     // bytes
	IsFloat() bool // whether the elements are floating-point numbers
}

// Scaling returns how the elements of an object, which are of type t, become values, and whether
// they are packed. The attributes of a netCDF variable say it. Single is set if both factors are
// float32 and this is exact for integers of that size, or the elements are float32 as well.
func (e Entry) Scaling(t ElementType) (Scaling, bool) {
	n, ok := e.NetCDF()
	if !ok || n.Packing != nil {
		return Scaling{}, false
	}
	return n.scaling(n.Attributes, t)
}

// scaling returns the scaling that attributes give for packed numbers of a type.
func (n *NetCDF) scaling(attributes map[string]any, t ElementType) (s Scaling, ok bool) {
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
	s.Single = s.Single && t.Size() <= 4 && (!hasOffset || hasScale && (t.Size() < 4 || t.IsFloat()))
	for _, name := range []string{"_FillValue", "missing_value"} {
		s.Missing = append(s.Missing, numbersOf(attributes[name])...)
	}
	return s, true
}

// ValidRange returns the attributes valid_min, valid_max and valid_range of a packed variable in
// the units of its values. Its elements are of type t. Attributes of a floating-point type are in
// these units in the file already, unless the packed numbers are of that type (NetCDF Users Guide,
// appendix A).
func (n *NetCDF) ValidRange(t ElementType) map[string]any {
	from, packedType := n.Attributes, ""
	switch {
	case n.Packing != nil:
		from = n.Packing
		packedType, _ = from[PackingDType].(string)
	case t.IsFloat() && t.Size() == 4:
		packedType = "float"
	case t.IsFloat():
		packedType = "double"
	}
	s, ok := n.scaling(from, t)
	if !ok {
		return nil
	}
	if n.Packing != nil {
		s.Single = t.Size() == 4 // the elements are the values
	}
	valid := make(map[string]any)
	for _, name := range []string{"valid_min", "valid_max", "valid_range"} {
		numbers := numbersOf(from[name])
		if len(numbers) == 0 {
			continue
		}
		if of := n.AttrTypes[name]; of != "float" && of != "double" || of == packedType {
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

// numbersOf returns the numbers of a number or of a list of numbers. Integers above 2^63-1 are
// text where their type is not known.
func numbersOf(v any) []float64 {
	var list []any
	switch v := v.(type) {
	case []any:
		list = v
	case []int64:
		list = anyOf(v)
	case []uint64:
		list = anyOf(v)
	case []string:
		list = anyOf(v)
	case []float64:
		list = anyOf(v)
	default:
		list = []any{v}
	}
	var numbers []float64
	for _, x := range list {
		if f, ok := Float(x); ok {
			numbers = append(numbers, f)
		} else if u, ok := unsignedOf(x).(uint64); ok {
			numbers = append(numbers, float64(u))
		}
	}
	return numbers
}

// Value returns the value of a number; ok is false at a missing point.
func (s *Scaling) Value(x float64) (v float64, ok bool) {
	for _, m := range s.Missing {
		if x == m {
			return 0, false
		}
	}
	return s.at(x), true
}

// Float reports whether the packed numbers are floating-point numbers of type t, and the values are
// as well.
func (s *Scaling) Float(t ElementType) bool {
	return t.IsFloat() && (s.Single && t.Size() == 4 || !s.Single && t.Size() == 8)
}

// UnpackFloats makes values of little-endian packed numbers, for which [Scaling.Float] is true, in
// their memory. Missing points become NaN; NaN stays as it is.
func (s *Scaling) UnpackFloats(data []byte) {
	if s.Single {
		for ; len(data) >= 4; data = data[4:] {
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
			if v, ok := s.Value(x); ok && x == x {
				binary.LittleEndian.PutUint32(data, math.Float32bits(float32(v)))
			} else if !ok {
				binary.LittleEndian.PutUint32(data, math.Float32bits(float32(math.NaN())))
			}
		}
		return
	}
	for ; len(data) >= 8; data = data[8:] {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data))
		if v, ok := s.Value(x); ok && x == x {
			binary.LittleEndian.PutUint64(data, math.Float64bits(v))
		} else if !ok {
			binary.LittleEndian.PutUint64(data, math.Float64bits(math.NaN()))
		}
	}
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
