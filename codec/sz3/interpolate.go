package sz3

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// kind is the formula of an interpolation.
type kind uint32

const (
	linear kind = 0
	cubic  kind = 1
)

// interpolator predicts values level by level. On level l values at odd multiples of s = 2^(l-1)
// are predicted from values at even multiples, which are known from the levels above. The values
// are worked on in blocks of block·s. In each block the odd points depend on even points of the
// same block only.
//
// On the wire it is: values 8, block 4, kind 4, direction 4, stride 8, alpha 8, beta 8.
type interpolator struct {
	values int
	block  int
	kind   kind
	// stride is the distance of the values that are stored as they are, a power of two. When it is
	// 0, or not less than the number of values, the first value alone has no neighbours.
	stride      int
	alpha, beta float64 // of the bounds of the levels
	pred        []float64
}

const (
	defaultBlock  = 32
	defaultStride = 4096
)

func parseInterpolator(in *cursor, n int) (*interpolator, error) {
	const part = "interpolation"
	values, block, formula, direction := in.u64(), in.u32(), kind(in.u32()), in.u32()
	stride := in.u64()
	p := &interpolator{values: n, kind: formula, alpha: in.f64(), beta: in.f64()}
	switch {
	case in.short:
		return nil, &FormatError{part, ErrTruncated}
	case values != uint64(n):
		return nil, formatError(part, "%d values, expected %d", values, n)
	case block < 2 || block%2 != 0 || block > math.MaxInt32:
		return nil, formatError(part, "blocks of %d", block)
	case formula > cubic:
		return nil, unsupported("interpolation %d", formula)
	case direction != 0:
		return nil, unsupported("direction %d", direction)
	case stride&(stride-1) != 0 || stride > 1<<62:
		return nil, formatError(part, "stride %d", stride)
	}
	p.block, p.stride = int(block), int(stride)
	return p, nil
}

func (p *interpolator) append(b []byte) []byte {
	stride := p.stride
	if !p.anchored() {
		stride = 0
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(p.values))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.block))
	b = binary.LittleEndian.AppendUint32(b, uint32(p.kind))
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(stride))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.alpha))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(p.beta))
}

// anchored reports whether values at multiples of the stride are stored as they are.
func (p *interpolator) anchored() bool { return p.stride > 0 && p.values > p.stride }

// firstLevel returns the highest level.
func (p *interpolator) firstLevel() int {
	levels := bits.Len(uint(p.values - 1)) // the logarithm, rounded up
	if p.anchored() {
		levels = min(levels, bits.Len(uint(p.stride))) - 1
	}
	return levels
}

// span returns the values of a block with s between points, or all when there is a single block.
func (p *interpolator) span(s int) int {
	if p.block > p.values/s {
		return p.values
	}
	return p.block * s
}

// bound returns the bound of a level. Upper levels have tighter bounds, as more depends on them.
func (p *interpolator) bound(level int, bound float64) float64 {
	switch {
	case p.alpha >= 1:
		return bound / min(power(p.alpha, level-1), p.beta)
	case p.alpha < 0 && level >= 3:
		return bound / 2
	}
	return bound
}

// power returns x^n, correctly rounded. The result of math.Pow may be off by a unit in the last
// place, and then other values would be decoded.
func power(x float64, n int) float64 {
	if n == 0 || x == 1 || math.IsInf(x, 0) {
		return math.Pow(x, float64(n))
	}
	const precision = 64 * 53 // all digits, as there are less than 64 levels
	result, factor := big.NewFloat(1).SetPrec(precision), big.NewFloat(x)
	for range n {
		result.Mul(result, factor)
	}
	v, _ := result.Float64()
	return v
}

// row is the points of a block that are predicted together, in the order in which they are coded.
// They are the points first, first+step and so on, then some at the edges.
type row struct {
	pred        []float64 // of all points
	first, step int
	inner       int // number of points before the points at the edges
	edges       [3]int
	edge        int // number of points at the edges
}

// add appends a point at an edge.
func (r *row) add(at int, pred float64) {
	r.edges[r.edge] = at
	r.edge++
	r.pred = append(r.pred, pred)
}

// row predicts the odd points of the block of x from c on, with s between points. It returns false
// when there are none.
func (p *interpolator) row(r *row, x []float64, c, s int) bool {
	end := min(p.values-1, c+p.span(s))
	m := (end-c)/s + 1 // points
	if m <= 1 {
		return false
	}
	r.step, r.edge = 2*s, 0
	x = x[c : end+1]
	if p.kind == linear || m < 5 {
		p.linear(r, x, c, s, m)
	} else {
		p.cubic(r, x, c, s, m)
	}
	return true
}

func (p *interpolator) linear(r *row, x []float64, c, s, m int) {
	r.first, r.inner = c+s, (m-1)/2
	pred := r.room(p, r.inner)
	at := 0
	for i := range pred {
		pred[i] = (x[at] + x[at+2*s]) / 2
		at += 2 * s
	}
	r.pred = pred
	switch {
	case m == 2:
		r.add(c+s, x[0])
	case m%2 == 0:
		r.add(c+(m-1)*s, float64(-0.5*x[(m-4)*s])+float64(1.5*x[(m-2)*s]))
	}
}

func (p *interpolator) cubic(r *row, x []float64, c, s, m int) {
	r.first, r.inner = c+3*s, max(0, (m-5)/2)
	pred := r.room(p, r.inner)
	a, b, d := x[0], x[2*s], x[4*s]
	at := 6 * s
	for i := range pred {
		e := x[at]
		pred[i] = (((-a + float64(9*b)) + float64(9*d)) - e) / 16
		a, b, d = b, d, e
		at += 2 * s
	}
	r.pred = pred
	r.add(c+s, ((float64(3*x[0])+float64(6*x[2*s]))-x[4*s])/8)
	last := 3 + 2*r.inner
	r.add(c+last*s, ((-a+float64(6*b))+float64(3*d))/8)
	if m%2 == 0 {
		r.add(c+(m-1)*s, ((float64(3*x[(m-6)*s])-float64(10*x[(m-4)*s]))+float64(15*x[(m-2)*s]))/8)
	}
}

// room returns memory for n predictions, with room for the points at the edges.
func (r *row) room(p *interpolator, n int) []float64 {
	if cap(p.pred) < n+len(r.edges) {
		p.pred = make([]float64, n+len(r.edges))
	}
	return p.pred[:n]
}

// decode fills x.
func (p *interpolator) decode(x []float64, d *dequantizer) error {
	q := d.symbols
	if p.anchored() {
		for i := 0; i < p.values; i += p.stride {
			if q[0] != 0 {
				return formatError("symbols", "value %d has symbol %d, expected a stored value", i, q[0])
			}
			x[i] = d.store()
			q = q[1:]
		}
	} else {
		x[0] = d.value(q[0], 0, d.bound)
		q = q[1:]
	}
	var r row
	for level := p.firstLevel(); level >= 1; level-- {
		bound, s := p.bound(level, d.bound), 1<<(level-1)
		for c := 0; c < p.values; c += p.span(s) {
			if p.row(&r, x, c, s) {
				q = d.row(x, &r, q, bound)
			}
		}
	}
	if len(q) > 0 {
		return formatError("symbols", "%d of %d are left", len(q), len(d.symbols))
	}
	return nil
}

// row decodes the points of a row from the first of the symbols q and returns the rest.
func (d *dequantizer) row(x []float64, r *row, q []int32, bound float64) []int32 {
	radius := d.radius
	at := r.first
	n := r.inner
	for i, p := range r.pred[:n] {
		if s := q[i]; s != 0 {
			x[at] = p + float64(float64(2*(int64(s)-int64(radius)))*bound)
		} else {
			x[at] = d.store()
		}
		at += r.step
	}
	for i := range r.edge {
		x[r.edges[i]] = d.value(q[n+i], r.pred[n+i], bound)
	}
	return q[n+r.edge:]
}

// encode codes x, and replaces it by the decoded values.
func (p *interpolator) encode(x []float64, z *quantizer) {
	if p.anchored() {
		for i := 0; i < p.values; i += p.stride {
			z.keep(x[i])
		}
	} else {
		x[0] = z.quantize(x[0], 0, z.bound, 1/z.bound)
	}
	var r row
	for level := p.firstLevel(); level >= 1; level-- {
		bound, s := p.bound(level, z.bound), 1<<(level-1)
		inverse := 1 / bound
		for c := 0; c < p.values; c += p.span(s) {
			if p.row(&r, x, c, s) {
				z.row(x, &r, bound, inverse)
			}
		}
	}
}

// row codes the points of a row. Its loop is quantize, with constant parts kept outside.
func (z *quantizer) row(x []float64, r *row, bound, inverse float64) {
	n := len(z.symbols)
	z.symbols = slices.Grow(z.symbols, r.inner)[:n+r.inner]
	symbols, pred := z.symbols[n:], r.pred[:r.inner]
	limit := z.limit()
	at, step := r.first, r.step
	for i := range symbols {
		v, p := x[at], pred[i]
		n := float64((v - p) * inverse)
		even := toEven(n)
		if y := p + float64(even*bound); math.Abs(n) < limit && math.Abs(y-v) <= bound {
			symbols[i] = z.symbol(even)
			x[at] = y
		} else {
			symbols[i] = 0
			z.stored = append(z.stored, v)
		}
		at += step
	}
	for i := range r.edge {
		at := r.edges[i]
		x[at] = z.quantize(x[at], r.pred[r.inner+i], bound, inverse)
	}
}
