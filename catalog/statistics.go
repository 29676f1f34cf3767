package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Statistics describe the values of an object.
type Statistics struct {
	Count, NaN, PosInf, NegInf int
	// Min and Max are of the finite values, in the type of the values where that is an integer; nil
	// if there are none.
	Min, Max any
	// Mean and Deviation (of the whole population) are of the finite values.
	Mean, Deviation float64
}

// DecodeStatistics decodes an object and describes its values. Complex values are described by
// their magnitudes, packed numbers of a netCDF variable by what they unpack to.
func DecodeStatistics(o *tgm.Object) (*Statistics, error) {
	var d describer
	for array, err := range o.Blocks(tgm.DecodeOptions{}) {
		if err != nil {
			return nil, err
		}
		if d == nil {
			d = describerOf(array)
			if scaling, ok := mapping.Read(o.Base()).Scaling(array.DType); ok {
				if at := unpacked(array.DType, &scaling); at != nil {
					d = newFloats(array.DType.Size(), at)
				}
			}
		}
		if d == nil {
			return nil, fmt.Errorf("statistics of dtype %s", array.DType)
		}
		d.add(array.Data)
	}
	return d.statistics(), nil
}

// StatisticsOf describes the values of a little-endian array. It returns nil if the type is
// unknown.
func StatisticsOf(array *tgm.Array) *Statistics {
	d := describerOf(array)
	if d == nil {
		return nil
	}
	d.add(array.Data)
	return d.statistics()
}

// A describer describes values that it is given in parts.
type describer interface {
	add(data []byte)
	statistics() *Statistics
}

// describerOf returns what describes values of the type of an array, nil if that is unknown. Bits
// are those of the array as a whole.
func describerOf(array *tgm.Array) describer {
	order := binary.LittleEndian
	switch array.DType {
	case tgm.Float16, tgm.BFloat16, tgm.Float32, tgm.Float64, tgm.Complex64, tgm.Complex128:
		return newFloats(array.DType.Size(), array.DType.Number())
	case tgm.Int8:
		return newIntegers(1, func(b []byte) int64 { return int64(int8(b[0])) })
	case tgm.Int16:
		return newIntegers(2, func(b []byte) int64 { return int64(int16(order.Uint16(b))) })
	case tgm.Int32:
		return newIntegers(4, func(b []byte) int64 { return int64(int32(order.Uint32(b))) })
	case tgm.Int64:
		return newIntegers(8, func(b []byte) int64 { return int64(order.Uint64(b)) })
	case tgm.Uint8:
		return newIntegers(1, func(b []byte) uint64 { return uint64(b[0]) })
	case tgm.Uint16:
		return newIntegers(2, func(b []byte) uint64 { return uint64(order.Uint16(b)) })
	case tgm.Uint32:
		return newIntegers(4, func(b []byte) uint64 { return uint64(order.Uint32(b)) })
	case tgm.Uint64:
		return newIntegers(8, order.Uint64)
	case tgm.Bitmask:
		return &bitDescriber{shape: array.Shape}
	}
	return nil
}

// unpacked reads what packed numbers of a type mean; missing points are NaN. It returns nil if the
// type is none of packed numbers.
func unpacked(t tgm.DType, s *mapping.Scaling) func([]byte) float64 {
	if t != tgm.Float32 && t != tgm.Float64 && !t.IsInteger() {
		return nil
	}
	at := t.Number()
	return func(b []byte) float64 {
		if v, ok := s.Value(at(b)); ok {
			return v
		}
		return math.NaN()
	}
}

// floatDescriber describes numbers of which some may not be finite.
type floatDescriber struct {
	s         Statistics
	size      int // bytes of a number
	at        func([]byte) float64
	sum       moments
	low, high float64
}

func newFloats(size int, at func([]byte) float64) *floatDescriber {
	return &floatDescriber{size: size, at: at, low: math.Inf(1), high: math.Inf(-1)}
}

func (d *floatDescriber) add(data []byte) {
	d.s.Count += len(data) / d.size
	sum, low, high := d.sum, d.low, d.high
	for size, at := d.size, d.at; len(data) >= size; data = data[size:] {
		switch v := at(data); {
		case math.IsNaN(v):
			d.s.NaN++
		case math.IsInf(v, 1):
			d.s.PosInf++
		case math.IsInf(v, -1):
			d.s.NegInf++
		default:
			low, high = min(low, v), max(high, v)
			sum.add(v)
		}
	}
	d.sum, d.low, d.high = sum, low, high
}

func (d *floatDescriber) statistics() *Statistics {
	if d.sum.n > 0 {
		d.s.Min, d.s.Max = d.low, d.high
		d.s.Mean, d.s.Deviation = d.sum.result()
	}
	return &d.s
}

// integerDescriber describes integers.
type integerDescriber[T int64 | uint64] struct {
	size      int // bytes of an integer
	at        func([]byte) T
	sum       moments
	low, high T
}

func newIntegers[T int64 | uint64](size int, at func([]byte) T) *integerDescriber[T] {
	return &integerDescriber[T]{size: size, at: at}
}

func (d *integerDescriber[T]) add(data []byte) {
	if d.sum.n == 0 && len(data) >= d.size {
		d.low, d.high = d.at(data), d.at(data)
	}
	sum, low, high := d.sum, d.low, d.high
	for size, at := d.size, d.at; len(data) >= size; data = data[size:] {
		v := at(data)
		low, high = min(low, v), max(high, v)
		sum.add(float64(v))
	}
	d.sum, d.low, d.high = sum, low, high
}

func (d *integerDescriber[T]) statistics() *Statistics {
	s := &Statistics{Count: d.sum.n}
	if s.Count > 0 {
		s.Min, s.Max = d.low, d.high
		s.Mean, s.Deviation = d.sum.result()
	}
	return s
}

// bitDescriber describes a bitmask, which it is given as a whole: bits beyond its elements do not
// count.
type bitDescriber struct {
	shape []uint64
	ones  int
}

func (d *bitDescriber) elements() int {
	n := 1
	for _, length := range d.shape {
		n *= int(length) // cannot overflow: the decoded array holds a bit for each
	}
	return n
}

func (d *bitDescriber) add(data []byte) {
	n := d.elements()
	for i, b := range data {
		if rest := n - 8*i; rest < 8 {
			b &= byte(0xff << (8 - max(rest, 0)))
		}
		d.ones += bits.OnesCount8(b)
	}
}

func (d *bitDescriber) statistics() *Statistics {
	n := d.elements()
	s := &Statistics{Count: n}
	if n > 0 {
		s.Min, s.Max = int64(d.ones/n), int64(min(d.ones, 1))
		s.Mean = float64(d.ones) / float64(n)
		s.Deviation = math.Sqrt(s.Mean * (1 - s.Mean))
	}
	return s
}

// moments sum up values so that large means do not spoil small deviations (Welford 1962).
type moments struct {
	n       int
	mean, m float64
}

func (m *moments) add(v float64) {
	m.n++
	delta := v - m.mean
	m.mean += delta / float64(m.n)
	m.m += float64(delta * (v - m.mean))
}

func (m *moments) result() (mean, deviation float64) {
	return m.mean, math.Sqrt(m.m / float64(m.n))
}

// String returns one line, such as "1038240 values, 12 NaN, min 213.4, max 311.0, mean 278.9,
// deviation 21.2".
func (s *Statistics) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d values", s.Count)
	for _, special := range []struct {
		name string
		n    int
	}{{"NaN", s.NaN}, {"Infinity", s.PosInf}, {"-Infinity", s.NegInf}} {
		if special.n > 0 {
			fmt.Fprintf(&text, ", %d %s", special.n, special.name)
		}
	}
	if s.Min != nil {
		fmt.Fprintf(&text, ", min %v, max %v, mean %.9g, deviation %.9g", s.Min, s.Max, s.Mean, s.Deviation)
	}
	return text.String()
}

// JSON returns the statistics under the names that listings give them.
func (s *Statistics) JSON() map[string]any {
	object := map[string]any{"count": s.Count, "nan": s.NaN, "inf+": s.PosInf, "inf-": s.NegInf}
	if s.Min != nil {
		object["min"], object["max"], object["mean"], object["deviation"] = s.Min, s.Max, s.Mean, s.Deviation
	}
	return object
}
