package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/tgmconv/tgmconv/internal/half"
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

// DecodeStatistics decodes an object and describes its values. Complex values are described by their
// magnitudes, packed integers of a netCDF variable by what they unpack to.
func DecodeStatistics(o *tgm.Object) (*Statistics, error) {
	array, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	s := StatisticsOf(array)
	if scaling, ok := mapping.Read(o.Base()).Scaling(array.DType.Size()); ok {
		s = unpackedStatistics(array, &scaling)
	}
	if s == nil {
		return nil, fmt.Errorf("statistics of dtype %s", array.DType)
	}
	return s, nil
}

// StatisticsOf describes the values of a little-endian array. It returns nil if the type is unknown.
func StatisticsOf(array *tgm.Array) *Statistics {
	order := binary.LittleEndian
	float32At := func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	float64At := func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	data := array.Data
	switch array.DType {
	case tgm.Float16:
		return floatStats(data, 2, func(b []byte) float64 { return half.Float64(order.Uint16(b)) })
	case tgm.BFloat16:
		return floatStats(data, 2, func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(order.Uint16(b)) << 16))
		})
	case tgm.Float32:
		return floatStats(data, 4, float32At)
	case tgm.Float64:
		return floatStats(data, 8, float64At)
	case tgm.Complex64:
		return floatStats(data, 8, func(b []byte) float64 { return math.Hypot(float32At(b), float32At(b[4:])) })
	case tgm.Complex128:
		return floatStats(data, 16, func(b []byte) float64 { return math.Hypot(float64At(b), float64At(b[8:])) })
	case tgm.Int8:
		return integerStats(data, 1, func(b []byte) int64 { return int64(int8(b[0])) })
	case tgm.Int16:
		return integerStats(data, 2, func(b []byte) int64 { return int64(int16(order.Uint16(b))) })
	case tgm.Int32:
		return integerStats(data, 4, func(b []byte) int64 { return int64(int32(order.Uint32(b))) })
	case tgm.Int64:
		return integerStats(data, 8, func(b []byte) int64 { return int64(order.Uint64(b)) })
	case tgm.Uint8:
		return integerStats(data, 1, func(b []byte) uint64 { return uint64(b[0]) })
	case tgm.Uint16:
		return integerStats(data, 2, func(b []byte) uint64 { return uint64(order.Uint16(b)) })
	case tgm.Uint32:
		return integerStats(data, 4, func(b []byte) uint64 { return uint64(order.Uint32(b)) })
	case tgm.Uint64:
		return integerStats(data, 8, order.Uint64)
	case tgm.Bitmask:
		return bitStats(data, array.Shape)
	}
	return nil
}

// unpackedStatistics describes what packed integers mean; missing points count as NaN.
func unpackedStatistics(array *tgm.Array, s *mapping.Scaling) *Statistics {
	at := integerAt(array.DType)
	if at == nil {
		return StatisticsOf(array)
	}
	return floatStats(array.Data, array.DType.Size(), func(b []byte) float64 {
		if v, ok := s.Value(at(b)); ok {
			return v
		}
		return math.NaN()
	})
}

// integerAt returns what reads a little-endian integer; nil for other types.
func integerAt(t tgm.DType) func([]byte) float64 {
	order := binary.LittleEndian
	switch t {
	case tgm.Int8:
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case tgm.Int16:
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }
	case tgm.Int32:
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }
	case tgm.Int64:
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }
	case tgm.Uint8:
		return func(b []byte) float64 { return float64(b[0]) }
	case tgm.Uint16:
		return func(b []byte) float64 { return float64(order.Uint16(b)) }
	case tgm.Uint32:
		return func(b []byte) float64 { return float64(order.Uint32(b)) }
	case tgm.Uint64:
		return func(b []byte) float64 { return float64(order.Uint64(b)) }
	}
	return nil
}

func floatStats(data []byte, size int, at func([]byte) float64) *Statistics {
	s := &Statistics{Count: len(data) / size}
	var sum moments
	low, high := math.Inf(1), math.Inf(-1)
	for ; len(data) >= size; data = data[size:] {
		switch v := at(data); {
		case math.IsNaN(v):
			s.NaN++
		case math.IsInf(v, 1):
			s.PosInf++
		case math.IsInf(v, -1):
			s.NegInf++
		default:
			low, high = min(low, v), max(high, v)
			sum.add(v)
		}
	}
	if sum.n > 0 {
		s.Min, s.Max = low, high
		s.Mean, s.Deviation = sum.result()
	}
	return s
}

func integerStats[T int64 | uint64](data []byte, size int, at func([]byte) T) *Statistics {
	s := &Statistics{Count: len(data) / size}
	if s.Count == 0 {
		return s
	}
	var sum moments
	low, high := at(data), at(data)
	for ; len(data) >= size; data = data[size:] {
		v := at(data)
		low, high = min(low, v), max(high, v)
		sum.add(float64(v))
	}
	s.Min, s.Max = low, high
	s.Mean, s.Deviation = sum.result()
	return s
}

// bitStats describes a bitmask: bits beyond its elements do not count.
func bitStats(data []byte, shape []uint64) *Statistics {
	n := 1
	for _, d := range shape {
		n *= int(d) // cannot overflow: the decoded array holds a bit for each
	}
	ones := 0
	for i, b := range data {
		if rest := n - 8*i; rest < 8 {
			b &= byte(0xff << (8 - max(rest, 0)))
		}
		ones += bits.OnesCount8(b)
	}
	s := &Statistics{Count: n}
	if n > 0 {
		s.Min, s.Max = int64(ones/n), int64(min(ones, 1))
		s.Mean = float64(ones) / float64(n)
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

// String is one line: "1038240 values, 12 NaN, min 213.4, max 311.0, mean 278.9, deviation 21.2".
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
