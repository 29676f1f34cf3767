package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/tgmconv/tgmconv/tgm"
)

// valueStats describe the values of an object.
type valueStats struct {
	count, nan, posInf, negInf int
	// min and max are of the finite values, in the type of the values where that is an integer; nil
	// if there are none.
	min, max any
	// mean and deviation (of the whole population) are of the finite values.
	mean, deviation float64
}

// objectStats decodes an object and describes its values. Complex values are described by their
// magnitudes.
func objectStats(o *tgm.Object) (*valueStats, error) {
	array, err := o.Decode(tgm.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	s := statsOf(array)
	if s == nil {
		return nil, fmt.Errorf("statistics of dtype %s", array.DType)
	}
	return s, nil
}

// statsOf describes the values of a little-endian array; nil if its type is unknown.
func statsOf(array *tgm.Array) *valueStats {
	order := binary.LittleEndian
	float32At := func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	float64At := func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	data := array.Data
	switch array.DType {
	case tgm.Float16:
		return floatStats(data, 2, func(b []byte) float64 { return halfFloat(order.Uint16(b)) })
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

func floatStats(data []byte, size int, at func([]byte) float64) *valueStats {
	s := &valueStats{count: len(data) / size}
	var sum moments
	low, high := math.Inf(1), math.Inf(-1)
	for ; len(data) >= size; data = data[size:] {
		switch v := at(data); {
		case math.IsNaN(v):
			s.nan++
		case math.IsInf(v, 1):
			s.posInf++
		case math.IsInf(v, -1):
			s.negInf++
		default:
			low, high = min(low, v), max(high, v)
			sum.add(v)
		}
	}
	if sum.n > 0 {
		s.min, s.max = low, high
		s.mean, s.deviation = sum.result()
	}
	return s
}

func integerStats[T int64 | uint64](data []byte, size int, at func([]byte) T) *valueStats {
	s := &valueStats{count: len(data) / size}
	if s.count == 0 {
		return s
	}
	var sum moments
	low, high := at(data), at(data)
	for ; len(data) >= size; data = data[size:] {
		v := at(data)
		low, high = min(low, v), max(high, v)
		sum.add(float64(v))
	}
	s.min, s.max = low, high
	s.mean, s.deviation = sum.result()
	return s
}

// bitStats describes a bitmask: bits beyond its elements do not count.
func bitStats(data []byte, shape []uint64) *valueStats {
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
	s := &valueStats{count: n}
	if n > 0 {
		s.min, s.max = int64(ones/n), int64(min(ones, 1))
		s.mean = float64(ones) / float64(n)
		s.deviation = math.Sqrt(s.mean * (1 - s.mean))
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
	m.m += delta * (v - m.mean)
}

func (m *moments) result() (mean, deviation float64) {
	return m.mean, math.Sqrt(m.m / float64(m.n))
}

// halfFloat is the value of an IEEE 754 half-precision float.
func halfFloat(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch {
	case exponent == 31 && fraction != 0:
		return math.NaN()
	case exponent == 31:
		return math.Inf(int(sign))
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// String is one line: "1038240 values, 12 NaN, min 213.4, max 311.0, mean 278.9, deviation 21.2".
func (s *valueStats) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d values", s.count)
	for _, special := range []struct {
		name string
		n    int
	}{{"NaN", s.nan}, {"Infinity", s.posInf}, {"-Infinity", s.negInf}} {
		if special.n > 0 {
			fmt.Fprintf(&text, ", %d %s", special.n, special.name)
		}
	}
	if s.min != nil {
		fmt.Fprintf(&text, ", min %v, max %v, mean %.9g, deviation %.9g", s.min, s.max, s.mean, s.deviation)
	}
	return text.String()
}

func (s *valueStats) json() map[string]any {
	object := map[string]any{"count": s.count, "nan": s.nan, "inf+": s.posInf, "inf-": s.negInf}
	if s.min != nil {
		object["min"], object["max"], object["mean"], object["deviation"] = s.min, s.max, s.mean, s.deviation
	}
	return object
}
