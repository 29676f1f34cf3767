package tonetcdf

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// A converter makes elements of a netCDF variable from elements of an object.
type converter struct {
	class   netcdf.Class // of the elements in the file
	size    int
	fill    []byte   // the element at missing points
	packing *packing // nil where the elements are the values
	holes   *holes   // nil where fill stands at all missing points
	written bool     // the source has the elements of the file: none is marked as missing
}

// asWritten is the converter for elements that the source has as its file had them.
func (c *converter) asWritten() *converter {
	return &converter{class: c.class, size: c.size, fill: c.fill, written: true}
}

// packing is CF's: value = packed·scale + offset.
type packing struct{ scale, offset float64 }

// packed is the number that unpacks to v, or the nearest such number.
func (p *packing) packed(v float64) float64 { return (v - p.offset) / p.scale }

// holes are the elements at missing points where these differ.
type holes struct {
	values []byte
	runs   []int64 // pairs: a number of missing points, and the position of their element
}

// newHoles reads the missing points in the metadata, nil if there are none.
func newHoles(m map[string]any, size int) (*holes, error) {
	if m == nil {
		return nil, nil
	}
	if m[mapping.MissingRuns] == nil {
		return nil, nil // there were too many
	}
	h := new(holes)
	h.values, _ = m[mapping.MissingValues].([]byte)
	for _, v := range items(m[mapping.MissingRuns]) {
		n, ok := mapping.Int(v)
		if !ok || n < 0 {
			return nil, fmt.Errorf("runs of missing points %v", v)
		}
		h.runs = append(h.runs, n)
	}
	for i := 1; i < len(h.runs); i += 2 {
		if h.runs[i] >= int64(len(h.values)/size) {
			return nil, fmt.Errorf("fill value %d of %d", h.runs[i], len(h.values)/size)
		}
	}
	return h, nil
}

// put writes the elements of the missing points, which are in order.
func (h *holes) put(out []byte, missing *tgm.Mask, size int) error {
	run, left, element := 0, int64(0), []byte(nil)
	for i := range missing.Indices() {
		for left == 0 {
			if run+1 >= len(h.runs) {
				return fmt.Errorf("there are more missing points than the metadata say")
			}
			left = h.runs[run]
			element = h.values[h.runs[run+1]*int64(size):][:size]
			run += 2
		}
		copy(out[i*size:], element)
		left--
	}
	return nil
}

// fillOf is the element at missing points: the first number of _FillValue, else of missing_value,
// that an element can be, else NaN or the value that the netCDF library has for it.
func fillOf(class netcdf.Class, attrs []netcdf.Attr) []byte {
	for _, name := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
		i := slices.IndexFunc(attrs, func(a netcdf.Attr) bool { return a.Name == name })
		if i < 0 {
			continue
		}
		if fill := firstElement(class, attrs[i].Value); fill != nil {
			return fill
		}
	}
	switch v, _ := netcdf.DefaultFill(class); v := v.(type) {
	case int64:
		return element(class, 0, uint64(v))
	case uint64:
		return element(class, 0, v)
	}
	return element(class, math.NaN(), 0)
}

// firstElement is the first of the numbers of an attribute that can be an element, nil if none can.
func firstElement(class netcdf.Class, value any) []byte {
	switch list := value.(type) {
	case []int64:
		for _, v := range list {
			if v >= 0 || !class.Unsigned() {
				return element(class, float64(v), uint64(v))
			}
		}
	case []uint64:
		for _, v := range list {
			if v <= math.MaxInt64 || !class.Signed() {
				return element(class, float64(v), v)
			}
		}
	case []float64:
		for _, v := range list {
			integer := v == math.Trunc(v) && math.Abs(v) < 1<<53 && (v >= 0 || !class.Unsigned())
			if integer || class.IsFloat() {
				return element(class, v, uint64(int64(v)))
			}
		}
	}
	return nil
}

// element is f for a floating-point class, and the low bits of n for another class.
func element(class netcdf.Class, f float64, n uint64) []byte {
	size := ncwrite.Atomic(class).Size
	switch {
	case f != f && class == netcdf.Float:
		n = 0x7fc00000 // as C has it; Go's NaN has another bit
	case f != f && class == netcdf.Double:
		n = 0x7ff8 << 48
	case class == netcdf.Float:
		n = uint64(math.Float32bits(float32(f)))
	case class == netcdf.Double:
		n = math.Float64bits(f)
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	return b[:size]
}

// convert makes elements of the file from elements of an object. The result may lie in the memory of a.
func (c *converter) convert(a *tgm.Array) ([]byte, error) {
	if c.written {
		return c.numbers(a)
	}
	if a.Missing == nil && a.DType.IsFloat() {
		a.Missing = missing(a)
	}
	out, err := c.numbers(a)
	if err != nil || a.Missing == nil || !a.DType.IsFloat() {
		return out, err
	}
	if c.holes != nil {
		return out, c.holes.put(out, a.Missing, c.size)
	}
	for i := range a.Missing.Indices() {
		copy(out[i*c.size:], c.fill)
	}
	return out, nil
}

// missing marks the elements that are NaN; nil if none is.
func missing(a *tgm.Array) (mask *tgm.Mask) {
	number, size := a.DType.Number(), a.DType.Size()
	set := func(i int) {
		if mask == nil {
			mask = bitmask.New(len(a.Data) / size)
		}
		mask.Set(i)
	}
	i := 0
	switch b := a.Data; a.DType {
	case tgm.Float32:
		for ; len(b) >= 4; b, i = b[4:], i+1 {
			if binary.LittleEndian.Uint32(b)<<1 > 0xff<<24 {
				set(i)
			}
		}
	case tgm.Float64:
		for ; len(b) >= 8; b, i = b[8:], i+1 {
			if binary.LittleEndian.Uint64(b)<<1 > 0x7ff<<53 {
				set(i)
			}
		}
	default:
		for ; len(b) >= size; b, i = b[size:], i+1 {
			if v := number(b); v != v {
				set(i)
			}
		}
	}
	return mask
}

func (c *converter) numbers(a *tgm.Array) ([]byte, error) {
	float := c.class.IsFloat()
	if get := integersOf[a.DType]; get != nil && c.packing == nil && (float || a.DType.Size() != c.size) {
		return convertIntegers(c, a, get)
	}
	switch {
	case a.DType.Size() == c.size && !a.DType.IsFloat() && (!float || c.packing == nil):
		return a.Data, nil // integers, characters, complex numbers
	case a.DType.Size() == c.size && float && c.packing == nil:
		return a.Data, nil
	case a.DType == tgm.Float64:
		return convertFloats(c, a.Data, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
	case a.DType == tgm.Float32:
		return convertFloats(c, a.Data, 4, func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) })
	case c.class == netcdf.Float && c.packing == nil && (a.DType == tgm.Float16 || a.DType == tgm.BFloat16):
		return singles(a), nil
	}
	return nil, fmt.Errorf("elements of type %s cannot become elements of type %s", a.DType, c.class)
}

// singles are numbers of 16 bits as float32, which has all of their values.
func singles(a *tgm.Array) []byte {
	number := a.DType.Number()
	out := make([]byte, 0, 2*len(a.Data))
	for i := 0; i < len(a.Data); i += 2 {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(number(a.Data[i:]))))
	}
	return out
}

// integersOf read an element of the integer types as an int64, and report whether it fits.
var integersOf = map[tgm.DType]func([]byte) (int64, bool){
	tgm.Int8:   func(b []byte) (int64, bool) { return int64(int8(b[0])), true },
	tgm.Uint8:  func(b []byte) (int64, bool) { return int64(b[0]), true },
	tgm.Int16:  func(b []byte) (int64, bool) { return int64(int16(binary.LittleEndian.Uint16(b))), true },
	tgm.Uint16: func(b []byte) (int64, bool) { return int64(binary.LittleEndian.Uint16(b)), true },
	tgm.Int32:  func(b []byte) (int64, bool) { return int64(int32(binary.LittleEndian.Uint32(b))), true },
	tgm.Uint32: func(b []byte) (int64, bool) { return int64(binary.LittleEndian.Uint32(b)), true },
	tgm.Int64:  func(b []byte) (int64, bool) { return int64(binary.LittleEndian.Uint64(b)), true },
	tgm.Uint64: func(b []byte) (int64, bool) { n := binary.LittleEndian.Uint64(b); return int64(n), n <= math.MaxInt64 },
}

// convertIntegers makes elements of integers of another type. Each must be an element of the class.
func convertIntegers(c *converter, a *tgm.Array, get func([]byte) (int64, bool)) ([]byte, error) {
	size := a.DType.Size()
	out := make([]byte, len(a.Data)/size*c.size)
	low, high := limits(c.class)
	for i := range len(a.Data) / size {
		n, ok := get(a.Data[i*size:])
		v := float64(n)
		switch {
		case !ok || !c.class.IsFloat() && (v < low || v > high):
			return nil, fmt.Errorf("value %v of type %s is none of type %s", a.Data[i*size:][:size], a.DType, c.class)
		case c.class == netcdf.Double:
			put(out[i*8:], 8, math.Float64bits(v))
		case c.class == netcdf.Float:
			put(out[i*4:], 4, uint64(math.Float32bits(float32(n))))
		default:
			put(out[i*c.size:], c.size, uint64(n))
		}
	}
	return out, nil
}

// convertFloats makes elements of floating-point numbers of size bytes.
func convertFloats(c *converter, data []byte, size int, get func([]byte) float64) ([]byte, error) {
	n := len(data) / size
	out := data
	if c.size > size {
		out = make([]byte, n*c.size)
	}
	out = out[:n*c.size]
	low, high := limits(c.class)
	for i := range n {
		v := get(data[i*size:])
		if v != v { // missing, unless the elements are floats
			copy(out[i*c.size:], c.fill)
			continue
		}
		if c.packing != nil {
			v = c.packing.packed(v)
		}
		switch c.class {
		case netcdf.Double:
			binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(v))
			continue
		case netcdf.Float:
			binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(float32(v)))
			continue
		}
		v = math.RoundToEven(v)
		if v < low || v > high {
			return nil, fmt.Errorf("value %v is none of type %s", v, c.class)
		}
		put(out[i*c.size:], c.size, integer(v))
	}
	return out, nil
}

// integer is the bits of a whole number.
func integer(v float64) uint64 {
	if v < 0 {
		return uint64(int64(v))
	}
	return uint64(v)
}

// put writes the low bits of n in size bytes.
func put(b []byte, size int, n uint64) {
	switch size {
	case 1:
		b[0] = byte(n)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(n))
	default:
		binary.LittleEndian.PutUint64(b, n)
	}
}

// limits are the least and the largest number of an integer class. Attributes may say that signed
// ones are read as unsigned, so both are allowed for.
func limits(c netcdf.Class) (low, high float64) {
	bits := 8 * ncwrite.Atomic(c).Size
	return -math.Ldexp(1, bits-1), math.Ldexp(1, bits) - 1
}
