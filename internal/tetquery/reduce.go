package tetquery

import (
	"context"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tgmconv/tgmconv/tet"
)

// A cell is the state of one value of the result. Its fields have the meaning that the reducer gives them.
type cell struct{ n, a, b float64 }

// A reducer computes a value from parts.
type reducer struct {
	zero   cell
	run    func(*cell, []float64) // takes in values, at least one
	one    func(*cell, float64)   // takes in one value
	merge  func(*cell, cell)
	result func(cell) float64
}

func reducers() map[string]reducer {
	return map[string]reducer{
		"count":      counter(func(float64) bool { return true }),
		"nan_count":  counter(math.IsNaN),
		"inf_count":  counter(isInf),
		"any_nan":    counter(math.IsNaN).map1(isPositive),
		"any_inf":    counter(isInf).map1(isPositive),
		"all_finite": counter(func(v float64) bool { return !isFinite(v) }).map1(func(n float64) float64 { return 1 - isPositive(n) }),
		"sum":        adder(floats.Sum, func(v float64) float64 { return v }, func(c cell) float64 { return c.a }),
		"mean":       adder(floats.Sum, func(v float64) float64 { return v }, func(c cell) float64 { return c.a / c.n }),
		"norm_l1":    adder(func(v []float64) float64 { return floats.Norm(v, 1) }, math.Abs, func(c cell) float64 { return c.a }),
		"norm_l2":    adder(func(v []float64) float64 { return floats.Dot(v, v) }, func(v float64) float64 { return v * v }, func(c cell) float64 { return math.Sqrt(c.a) }),
		"product": {
			zero:   cell{a: 1},
			run:    func(c *cell, v []float64) { c.a *= floats.Prod(v) },
			one:    func(c *cell, v float64) { c.a *= v },
			merge:  func(c *cell, d cell) { c.a *= d.a },
			result: func(c cell) float64 { return c.a },
		},
		"min":      extreme(floats.Min, func(a, b float64) bool { return a < b }),
		"max":      extreme(floats.Max, func(a, b float64) bool { return a > b }),
		"var":      spread(func(c cell) float64 { return c.b / c.n }),
		"std":      spread(func(c cell) float64 { return math.Sqrt(c.b / c.n) }),
		"nan_mean": finite(adder(floats.Sum, func(v float64) float64 { return v }, func(c cell) float64 { return c.a / c.n })),
		"nan_std":  finite(spread(func(c cell) float64 { return math.Sqrt(c.b / c.n) })),
	}
}

func isInf(v float64) bool    { return math.IsInf(v, 0) }
func isFinite(v float64) bool { return v-v == 0 }

func isPositive(n float64) float64 {
	if n > 0 {
		return 1
	}
	return 0
}

// map1 changes the result.
func (r reducer) map1(f func(float64) float64) reducer {
	before := r.result
	r.result = func(c cell) float64 { return f(before(c)) }
	return r
}

// counter counts values: n.
func counter(counts func(float64) bool) reducer {
	one := func(c *cell, v float64) {
		if counts(v) {
			c.n++
		}
	}
	return reducer{
		run: func(c *cell, values []float64) {
			for _, v := range values {
				one(c, v)
			}
		},
		one:    one,
		merge:  func(c *cell, d cell) { c.n += d.n },
		result: func(c cell) float64 { return c.n },
	}
}

// adder adds up n values: a.
func adder(sum func([]float64) float64, term func(float64) float64, result func(cell) float64) reducer {
	return reducer{
		run:    func(c *cell, v []float64) { c.n, c.a = c.n+float64(len(v)), c.a+sum(v) },
		one:    func(c *cell, v float64) { c.n, c.a = c.n+1, c.a+term(v) },
		merge:  func(c *cell, d cell) { c.n, c.a = c.n+d.n, c.a+d.a },
		result: result,
	}
}

// extreme finds the least or largest value, a, passing over NaN as the reference does.
func extreme(of func([]float64) float64, before func(a, b float64) bool) reducer {
	one := func(c *cell, v float64) {
		if math.IsNaN(c.a) || before(v, c.a) {
			c.a = v
		}
	}
	return reducer{
		zero:   cell{a: math.NaN()},
		run:    func(c *cell, v []float64) { one(c, of(v)) },
		one:    one,
		merge:  func(c *cell, d cell) { one(c, d.a) },
		result: func(c cell) float64 { return c.a },
	}
}

// spread keeps the number of values, n, their mean, a, and the sum of squares of their deviations, b. Parts
// are merged as Chan, Golub and LeVeque do (Updating formulae and a pairwise algorithm for computing sample
// variances, 1979).
func spread(result func(cell) float64) reducer {
	merge := func(c *cell, d cell) {
		n := c.n + d.n
		if d.n == 0 {
			return
		}
		distance := d.a - c.a
		c.b += d.b + distance*distance*(c.n*d.n/n)
		c.a += distance * (d.n / n)
		c.n = n
	}
	return reducer{
		run: func(c *cell, v []float64) {
			mean, squares := meanAndSquares(v)
			merge(c, cell{float64(len(v)), mean, squares})
		},
		one:    func(c *cell, v float64) { merge(c, cell{1, v, 0}) },
		merge:  merge,
		result: result,
	}
}

// meanAndSquares returns the mean of values and the sum of squares of their deviations from it. It corrects
// the sum for the rounding of the mean (Chan, Golub and LeVeque).
func meanAndSquares(values []float64) (mean, squares float64) {
	n := float64(len(values))
	mean = floats.Sum(values) / n
	rest := 0.0
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
		rest += d
	}
	return mean, squares - float64(rest*rest)/n
}

// finite skips NaN and infinities.
func finite(r reducer) reducer {
	run, one := r.run, r.one
	r.run = func(c *cell, values []float64) {
		if values = slices.DeleteFunc(values, func(v float64) bool { return !isFinite(v) }); len(values) > 0 {
			run(c, values)
		}
	}
	r.one = func(c *cell, v float64) {
		if isFinite(v) {
			one(c, v)
		}
	}
	return r
}

// arg finds the position of an extreme among the values of each cell, the first of several. It is
// NaN if all values are NaN. A cell keeps the value, a, and its position, b.
func (r *Result) arg(ctx context.Context, p *tet.Plan, o tet.ReadOptions, before func(a, b float64) bool) error {
	if err := r.admit(p, &o, r.cells()*cellBytes); err != nil {
		return err
	}
	none := cell{a: math.NaN(), b: math.NaN()}
	take := func(c *cell, d cell) {
		if math.IsNaN(d.a) {
			return
		}
		if math.IsNaN(c.a) || before(d.a, c.a) || d.a == c.a && d.b < c.b {
			*c = d
		}
	}
	strides, n := r.positions(p)
	dtype := p.Dataset().DType
	total := newPartial(none)
	total.cover(0, r.cells()-1)
	err := tet.Fold(ctx, p, o, strides, func(blocks iter.Seq2[tet.Block, error]) (*partial, error) {
		part := newPartial(none)
		for b, err := range blocks {
			if err != nil {
				return nil, err
			}
			first, last := b.Cells()
			part.cover(first/n, last/n)
			b.EachRun(dtype, func(values []float64, at, stride int64) {
				for _, v := range values {
					take(&part.cells[at/n-part.first], cell{0, v, float64(at % n)})
					at += stride
				}
			})
		}
		return part, nil
	}, func(part *partial) error {
		for i, c := range part.cells {
			take(&total.cells[part.first+int64(i)], c)
		}
		return nil
	})
	for _, c := range total.cells {
		r.Values = append(r.Values, c.b)
	}
	return err
}

// median needs all values in memory.
func (r *Result) median(ctx context.Context, p *tet.Plan, o tet.ReadOptions) error {
	budget := p.Dataset().Budget(o.Budget)
	if need := 8 * r.Elements; need > budget {
		return &tet.BudgetError{Dataset: r.Dataset, Need: need, Budget: budget}
	}
	strides, n := r.positions(p)
	dtype := p.Dataset().DType
	all := make([]float64, r.Elements)
	err := tet.Fold(ctx, p, o, strides, func(blocks iter.Seq2[tet.Block, error]) (int, error) {
		for b, err := range blocks {
			if err != nil {
				return 0, err
			}
			b.EachRun(dtype, func(values []float64, at, stride int64) {
				for _, v := range values {
					all[at] = v
					at += stride
				}
			})
		}
		return 0, nil
	}, func(int) error { return nil })
	if err != nil {
		return err
	}
	for values := range slices.Chunk(all, int(n)) {
		r.Values = append(r.Values, medianOf(values))
	}
	return nil
}

// medianOf is the middle value, the mean of two where there are two, NaN if one is NaN.
func medianOf(values []float64) float64 {
	if floats.HasNaN(values) {
		return math.NaN()
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
