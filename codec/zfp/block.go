package zfp

import "math"

// block decodes blocks of 4 values on each axis.
type block[I int32 | int64, U uint32 | uint64] struct {
	bits           int // of an integer
	exponent, bias int // of floating-point values; 0 for integers
	store          func(b []byte, v I, scale float64)
	reinterpret    func(b []byte, v I)

	grid   *Grid
	rank   int
	order  []uint8
	planes []U // coefficients in the order of the stream
	values []I
}

func (b *block[I, U]) init(g *Grid) {
	b.grid, b.rank = g, len(g.Dims)
	b.order = orders[b.rank-1]
	b.planes, b.values = make([]U, len(b.order)), make([]I, len(b.order))
}

// decode reads a block. raw says that the integers are the values' own bits.
func (b *block[I, U]) decode(r *bitReader) (scale float64, raw bool) {
	g := b.grid
	begin := r.at
	planes := min(g.planes, b.bits)
	clear(b.planes)
	empty := false
	if b.exponent > 0 {
		if empty = r.bit() == 0; !empty {
			if g.reversible {
				raw = r.bit() == 1
			}
			if !raw {
				e := int(r.take(b.exponent)) - b.bias
				scale = math.Ldexp(1, e-(b.bits-2))
				if !g.reversible {
					planes = min(planes, max(0, e-g.minExp+2*(b.rank+1)))
				}
			}
		}
	}
	if empty {
		clear(b.values)
	} else {
		b.integers(r, planes, g.maxBits-int(r.at-begin))
	}
	r.at = max(r.at, begin+uint64(g.minBits))
	return scale, raw
}

// integers reads the integers of a block in at most budget bits.
func (b *block[I, U]) integers(r *bitReader, planes, budget int) {
	if b.grid.reversible {
		width := 5
		if b.bits == 64 {
			width = 6
		}
		planes = int(r.take(width)) + 1
		budget = math.MaxInt
	}
	b.readPlanes(r, planes, budget)
	mask := ^U(0) / 3 * 2 // every second bit
	for i, u := range b.planes {
		b.values[b.order[i]] = I((u ^ mask) - mask)
	}
	for axis := b.rank - 1; axis >= 0; axis-- {
		step := 1 << (2 * axis)
		for i := range b.values {
			if i&(3*step) != 0 {
				continue
			}
			x, y, z, w := &b.values[i], &b.values[i+step], &b.values[i+2*step], &b.values[i+3*step]
			if b.grid.reversible {
				lorenzo(x, y, z, w)
			} else {
				*x, *y, *z, *w = lift(*x, *y, *z, *w)
			}
		}
	}
}

// lift undoes the transform of four values.
func lift[I int32 | int64](x, y, z, w I) (_, _, _, _ I) {
	y += w >> 1
	w -= y >> 1
	y += w
	w = w<<1 - y
	z += x
	x = x<<1 - z
	y += z
	z = z<<1 - y
	w += x
	x = x<<1 - w
	return x, y, z, w
}

// lorenzo undoes the differences of four values of a stream that loses nothing.
func lorenzo[I int32 | int64](x, y, z, w *I) {
	*w += *z
	*z += *y
	*w += *z
	*y += *x
	*z += *y
	*w += *z
}

// readPlanes reads the highest planes of the coefficients, see planes.go.
func (b *block[I, U]) readPlanes(r *bitReader, planes, budget int) {
	size := len(b.planes)
	n := 0
	for k := b.bits - 1; k >= b.bits-planes && budget > 0; k-- {
		m := min(n, budget)
		budget -= m
		for i := range m {
			b.planes[i] |= U(r.bit()) << k
		}
		for budget > 0 && n < size {
			budget--
			if r.bit() == 0 {
				break
			}
			for budget > 0 && n < size-1 {
				budget--
				if r.bit() == 1 {
					break
				}
				n++
			}
			b.planes[n] |= 1 << k
			n++
		}
	}
}

// put stores the values of a block that lie within the grid.
func (b *block[I, U]) put(dst []byte, g *Grid, at []int, scale float64, raw bool) {
	size := g.Type.Size()
	for i, v := range b.values {
		index, stride := 0, 1
		for axis, d := range g.Dims {
			p := at[axis] + i>>(2*axis)&3
			if p >= d {
				index = -1
				break
			}
			index += p * stride
			stride *= d
		}
		switch {
		case index < 0:
		case raw:
			b.reinterpret(dst[index*size:], v)
		default:
			b.store(dst[index*size:], v, scale)
		}
	}
}

// bitReader reads bits, lowest first. Bits after the end are 0.
type bitReader struct {
	src []byte
	at  uint64
}

func (r *bitReader) bit() uint64 {
	i := r.at >> 3
	bit := uint64(0)
	if i < uint64(len(r.src)) {
		bit = uint64(r.src[i]>>(r.at&7)) & 1
	}
	r.at++
	return bit
}

// take reads n bits, at most 57.
func (r *bitReader) take(n int) uint64 {
	v := window(r.src, r.at) & (1<<n - 1)
	r.at += uint64(n)
	return v
}
