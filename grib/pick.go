package grib

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
	"sync"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// picked is a coded that decodes single numbers without the others.
type picked interface {
	coded
	// pick sets dst to the numbers at, which ascend and are below count.
	pick(dst []float64, at []uint64) error
}

// dense is the ratio of a field's numbers to picked numbers up to which decoding all takes less
// work.
const dense = 4

// Pick sets dst to the values that [Field.Decode] gives for single points, NaN where a point is
// missing. The points are given by their numbers in storage order, which ascend and may repeat. In
// simple, CCSDS and IEEE packing it decodes no more than it has to. It reports false, and has decoded
// nothing, where Decode takes less work.
func (f *Field) Pick(dst []float64, at []uint64) (bool, error) {
	c, p, err := f.layout()
	if err != nil {
		return false, err
	}
	for i, n := range at {
		if n >= uint64(p.points) || i > 0 && n < at[i-1] {
			return false, f.dataError(fmt.Errorf("point %d, expected ascending numbers below %d", n, p.points))
		}
	}
	if c.count() == 0 {
		fill(dst, math.NaN())
		return true, nil
	}
	in, ok := c.(picked)
	if _, stream := c.(ccsds); !ok || !stream && len(at) > p.points/dense {
		return false, nil
	}
	if p.bits == nil {
		err = in.pick(dst, at)
	} else {
		err = p.pick(in.pick, dst, at)
	}
	if err != nil {
		return false, f.dataError(err)
	}
	return true, nil
}

// pick sets dst to the numbers of points; points without a value are missing. The function of
// picks numbers in their order.
func (p presence) pick(of func(dst []float64, at []uint64) error, dst []float64, at []uint64) error {
	ranks := make([]uint64, 0, len(at))
	rank, next := 0, 0 // ones before bit next, a multiple of 64
	for _, n := range at {
		for ; next+64 <= int(n); next += 64 {
			rank += mathbits.OnesCount64(binary.BigEndian.Uint64(p.bits[next/8:]))
		}
		if p.bits[n/8]>>(7-n%8)&1 != 0 {
			ranks = append(ranks, uint64(rank+countOnes(p.bits[next/8:], int(n)-next)))
		}
	}
	values := dst[len(dst)-len(ranks):]
	if err := of(values, ranks); err != nil {
		return err
	}
	for i, n := range at { // no value is overwritten before it is moved, as in spread
		if p.bits[n/8]>>(7-n%8)&1 != 0 {
			dst[i], values = values[0], values[1:]
		} else {
			dst[i] = math.NaN()
		}
	}
	return nil
}

func (s simple) pick(dst []float64, at []uint64) error {
	if v, ok := s.constant(); ok {
		fill(dst, v)
		return nil
	}
	scale := s.scale()
	for i, n := range at {
		dst[i] = scale.Value(float64(bits.Uint(s.data, int(n)*s.bits, s.bits)))
	}
	return nil
}

func (c ccsds) pick(dst []float64, at []uint64) error {
	if v, ok := c.constant(); ok {
		fill(dst, v)
		return nil
	}
	samples := pickedSamples.Get().(*[]uint32)
	defer pickedSamples.Put(samples)
	*samples = resize(*samples, len(at))
	if err := aec.Pick(*samples, c.data, c.params, nil, c.n, at, 0); err != nil {
		return err
	}
	c.scale().Uint32s(dst, *samples)
	return nil
}

// pickedSamples is memory of integers that are picked.
var pickedSamples = sync.Pool{New: func() any { return new([]uint32) }}

func (c ieee) pick(dst []float64, at []uint64) error {
	for i, n := range at {
		if c.width == 4 {
			dst[i] = float64(math.Float32frombits(binary.BigEndian.Uint32(c.data[4*n:])))
		} else {
			dst[i] = scale.IEEE64(c.data[8*n:])
		}
	}
	return nil
}

func (n noValues) pick(dst []float64, _ []uint64) error {
	fill(dst, math.NaN())
	return nil
}
