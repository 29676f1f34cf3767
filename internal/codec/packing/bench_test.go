package packing

import (
	"fmt"
	"math"
	"testing"
)

// field is a smooth field with noise. It has 721 x 1440 points like a global grid of a quarter of a degree.
func field(n int) []float64 {
	values := make([]float64, n)
	seed := uint64(42)
	for i := range values {
		seed = seed*6364136223846793005 + 1442695040888963407
		noise := float64(seed>>11) / (1 << 53)
		values[i] = 280 + 30*math.Sin(float64(i)/317)*math.Cos(float64(i)/7717) + 0.1*noise
	}
	return values
}

const gridPoints = 721 * 1440

func BenchmarkDecode(b *testing.B) {
	values := field(gridPoints)
	for _, bits := range []int{8, 10, 12, 16, 20, 24, 32} {
		p, err := Compute(values, bits, 0)
		if err != nil {
			b.Fatal(err)
		}
		packed, err := Encode(nil, values, p)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]float64, len(values))
		b.Run(fmt.Sprintf("%dbits", bits), func(b *testing.B) {
			b.SetBytes(int64(8 * len(values)))
			for b.Loop() {
				if err := Decode(dst, packed, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	values := field(gridPoints)
	for _, bits := range []int{8, 12, 16, 24, 32} {
		p, err := Compute(values, bits, 0)
		if err != nil {
			b.Fatal(err)
		}
		packed := make([]byte, 0, 4*len(values))
		b.Run(fmt.Sprintf("%dbits", bits), func(b *testing.B) {
			b.SetBytes(int64(8 * len(values)))
			for b.Loop() {
				if _, err := Encode(packed, values, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompute(b *testing.B) {
	values := field(gridPoints)
	b.SetBytes(int64(8 * len(values)))
	for b.Loop() {
		if _, err := Compute(values, 16, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnpackUint32(b *testing.B) {
	samples := make([]uint32, gridPoints)
	for i := range samples {
		samples[i] = uint32(i)
	}
	for _, bits := range []int{8, 12, 16, 20, 24, 32} {
		packed := PackUint32(nil, samples, bits)
		dst := make([]uint32, len(samples))
		b.Run(fmt.Sprintf("%dbits", bits), func(b *testing.B) {
			b.SetBytes(int64(4 * len(samples)))
			for b.Loop() {
				if err := UnpackUint32(dst, packed, bits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPackUint32(b *testing.B) {
	samples := make([]uint32, gridPoints)
	for i := range samples {
		samples[i] = uint32(i)
	}
	for _, bits := range []int{8, 12, 16, 20, 24, 32} {
		packed := make([]byte, 0, 4*len(samples))
		b.Run(fmt.Sprintf("%dbits", bits), func(b *testing.B) {
			b.SetBytes(int64(4 * len(samples)))
			for b.Loop() {
				PackUint32(packed, samples, bits)
			}
		})
	}
}
