package aec

import "math/rand/v2"

// sampleKind makes n samples for a stream, each within its width; signed samples as their n low
// bits.
type sampleKind struct {
	name string
	make func(rng *rand.Rand, n int, p Params) []uint32
}

// fill makes a kind from a function that gives sample after sample, of any width.
func fill(start func(rng *rand.Rand, p Params) func(i int) uint32) func(*rand.Rand, int, Params) []uint32 {
	return func(rng *rand.Rand, n int, p Params) []uint32 {
		x := make([]uint32, n)
		next := start(rng, p)
		for i := range x {
			x[i] = next(i) & p.sampleMask()
		}
		return x
	}
}

func sampleKinds() []sampleKind {
	return []sampleKind{
		{"zeros", fill(func(*rand.Rand, Params) func(int) uint32 { return func(int) uint32 { return 0 } })},
		{"constant", fill(func(rng *rand.Rand, _ Params) func(int) uint32 {
			c := rng.Uint32()
			return func(int) uint32 { return c }
		})},
		{"ramp", fill(func(rng *rand.Rand, _ Params) func(int) uint32 {
			step, c := uint32(rng.IntN(9))-4, rng.Uint32()
			return func(i int) uint32 { return c + uint32(i)*step }
		})},
		{"noise", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			drop := rng.IntN(p.BitsPerSample)
			return func(int) uint32 { return rng.Uint32() & p.sampleMask() >> drop }
		})},
		{"walk", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			v, spread := rng.Uint32(), int64(1)<<rng.IntN(p.BitsPerSample)
			return func(int) uint32 { v += uint32(rng.Int64N(2*spread+1) - spread); return v }
		})},
		{"sparse", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			rare, drop := 1+rng.IntN(3*p.BlockSize), rng.IntN(p.BitsPerSample)
			return func(int) uint32 {
				if rng.IntN(rare) > 0 {
					return 0
				}
				return rng.Uint32() & p.sampleMask() >> drop
			}
		})},
		{"extremes", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			edge := [...]uint32{0, p.sampleMask(), p.sampleMask() / 2, p.sampleMask()/2 + 1, 1, p.sampleMask() - 1}
			return func(int) uint32 { return edge[rng.IntN(len(edge))] }
		})},
		{"steps", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			var v uint32
			left := 0
			return func(int) uint32 {
				if left == 0 {
					v, left = rng.Uint32(), 1+rng.IntN(p.BlockSize*(1+rng.IntN(70)))
				}
				left--
				return v
			}
		})},
		{"mixed", fill(func(rng *rand.Rand, p Params) func(int) uint32 {
			var v uint32
			spread := int64(1)
			return func(i int) uint32 {
				if i%(2*p.BlockSize) == 0 {
					spread = int64(1) << rng.IntN(p.BitsPerSample) >> 1
				}
				v += uint32(rng.Int64N(2*spread+1) - spread)
				return v
			}
		})},
	}
}
