package grib_test

import (
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/grib"
)

// dequantise computes values from integers, one by one, without any of the reader's own arithmetic.
func dequantise(t *testing.T, q *grib.Quantised) []float64 {
	t.Helper()
	samples := q.Samples
	switch {
	case q.Packed != nil:
		samples = make([]uint32, q.N)
		size := q.Bits / 8
		for i := range samples {
			for _, b := range q.Packed[i*size : (i+1)*size] {
				samples[i] = samples[i]<<8 | uint32(b)
			}
		}
	case q.AEC != nil:
		samples = make([]uint32, q.N)
		p := aec.Params{BitsPerSample: q.Bits, BlockSize: q.AEC.BlockSize, RSI: q.AEC.RSI, Flags: aec.Flags(q.AEC.Flags)}
		if err := aec.DecodeUint32(samples, q.AEC.Data, p); err != nil {
			t.Fatal(err)
		}
	case samples == nil:
		if q.Bits != 0 {
			t.Errorf("no samples, but %d bits", q.Bits)
		}
		samples = make([]uint32, q.N)
	}
	decimal := 1.0
	for range max(q.DecimalScale, -q.DecimalScale) {
		if q.DecimalScale > 0 {
			decimal /= 10
		} else {
			decimal *= 10
		}
	}
	out := make([]float64, q.N)
	for i, s := range samples {
		if q.Bits < 32 && s>>q.Bits != 0 {
			t.Fatalf("sample %d is %d, which has more than %d bits", i, s, q.Bits)
		}
		out[i] = (float64(math.Ldexp(float64(s), q.BinaryScale)) + q.Reference) * decimal
	}
	return out
}
