package sz3

import (
	"math"
	"slices"
)

// A Lorenzo predictor takes a value for the value before it (order 1). With order 2 it takes the
// line through the two before it. Values before the first are 0. When a stream uses both orders
// the content begins with the choice for each block: number of blocks 8, a Huffman tree and
// symbols 0 or 1.

// before returns the values at i-1 and i-2.
func before(x []float64, i int) (one, two float64) {
	if i > 0 {
		one = x[i-1]
	}
	if i > 1 {
		two = x[i-2]
	}
	return one, two
}

// lorenzoPredict returns the prediction of the value at i.
func lorenzoPredict(x []float64, i int, second bool) float64 {
	one, two := before(x, i)
	if second {
		return float64(2*one) - two
	}
	return one
}

// decodeLorenzo fills x. choices has the order less 1 of each block; without it the flags say.
func decodeLorenzo(x []float64, d *dequantizer, choices []int32, c config) {
	q := d.symbols
	if choices == nil {
		decodeOrder(x, 0, len(x), q, d, c.flags&flagLorenzo2 != 0)
		return
	}
	for k, choice := range choices {
		end := len(x)
		if c.blockSize < end-k*c.blockSize {
			end = (k + 1) * c.blockSize
		}
		decodeOrder(x, k*c.blockSize, end, q, d, choice != 0)
	}
}

func decodeOrder(x []float64, from, to int, q []int32, d *dequantizer, second bool) {
	one, two := before(x, from)
	for i := from; i < to; i++ {
		p := one
		if second {
			p = float64(2*one) - two
		}
		v := d.value(q[i], p, d.bound)
		x[i] = v
		one, two = v, one
	}
}

// encodeLorenzo codes x, and replaces it by the decoded values, with the better order for each block.
// It returns the choices.
func encodeLorenzo(x []float64, z *quantizer, block int, choices []int32) []int32 {
	inverse := 1 / z.bound
	for from := 0; from < len(x); from += block {
		to := min(from+block, len(x))
		second := secondIsBetter(x, from, to-1, z.bound)
		choice := int32(0)
		if second {
			choice = 1
		}
		choices = append(choices, choice)
		z.order(x, from, to, second, inverse)
	}
	return choices
}

// order codes the values of a block.
func (z *quantizer) order(x []float64, from, to int, second bool, inverse float64) {
	n := len(z.symbols)
	z.symbols = slices.Grow(z.symbols, to-from)[:n+to-from]
	symbols := z.symbols[n:]
	bound, limit := z.bound, z.limit()
	one, two := before(x, from)
	for i, v := range x[from:to] {
		p := one
		if second {
			p = float64(2*one) - two
		}
		n := float64((v - p) * inverse)
		even := toEven(n)
		y := p + float64(even*bound)
		if math.Abs(n) < limit && math.Abs(y-v) <= bound {
			symbols[i] = z.symbol(even)
		} else {
			y, symbols[i] = v, 0
			z.stored = append(z.stored, v)
		}
		x[from+i] = y
		one, two = y, one
	}
}

// secondIsBetter estimates the errors of both orders at the first and the last value of a block.
// The constants are the noise that coded neighbours add.
func secondIsBetter(x []float64, first, last int, bound float64) bool {
	estimate := func(second bool, noise float64) float64 {
		a := math.Abs(x[first]-lorenzoPredict(x, first, second)) + float64(noise*bound)
		return a + (math.Abs(x[last]-lorenzoPredict(x, last, second)) + float64(noise*bound))
	}
	return estimate(true, 1.08) < estimate(false, 0.5)
}
