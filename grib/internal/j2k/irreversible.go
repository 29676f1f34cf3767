package j2k

import "math"

// reals decodes a tile of the irreversible wavelet into out. The arithmetic is float32, in the
// same order as in OpenJPEG, so that the integers made of the result are the same.
func (t *tile) reals(out []int32) {
	w := t.area.width()
	plane := make([]float32, len(out))
	t.blocks(func(d *blockDecoder, b *band, c *block) {
		delta := float32((1 + float64(float64(b.step.mantissa)/2048)) * math.Ldexp(1, t.depth-b.step.exponent)) // equation E-3
		d.putScaled(c, plane[b.origin:], w, 0.5*delta)
	})
	var v wavelet97
	for r := 1; r < len(t.resolutions); r++ {
		v.synthesize(plane, w, t.resolutions[r-1].area, t.resolutions[r].area)
	}
	for i, v := range plane { // to the nearest integer, the even one of two
		out[i] = int32(min(max(math.RoundToEven(float64(v)), math.MinInt32), math.MaxInt32))
	}
}

// Lifting and scaling parameters (table F.4). The gain of high frequencies is in the scaling, not
// in the step of their subbands; it is not quite twice the inverse of the gain of low frequencies,
// because it is not in OpenJPEG.
const (
	lift1, lift2, lift3, lift4 float32 = -1.586134342, -0.052980118, 0.882911075, 0.443506852

	scaleLow, scaleHigh float32 = 1.230174105, 1.625732422
)

// wavelet97 undoes the irreversible 9/7 transform (annex F.3).
type wavelet97 struct {
	line []float32
}

// synthesize makes a resolution, in place, of the next lower resolution and its three subbands.
// They lie in the four quarters of the area.
func (v *wavelet97) synthesize(plane []float32, stride int, low, area rect) {
	w, h := area.width(), area.height()
	if w <= 0 || h <= 0 {
		return
	}
	if n := max(w, h*columns); len(v.line) < n {
		v.line = make([]float32, n)
	}
	if w > 1 {
		for y := range h {
			v.lines(plane[y*stride:], 1, 1, w, low.width(), area.x0&1)
		}
	}
	if h > 1 {
		for x := 0; x < w; x += columns {
			v.lines(plane[x:], stride, min(columns, w-x), h, low.height(), area.y0&1)
		}
	}
}

// lines transforms w lines at once, side by side, of n samples that are stride apart: low
// coefficients, then high. If odd is 1, the first sample has an odd coordinate, and so is high.
func (v *wavelet97) lines(plane []float32, stride, w, n, low, odd int) {
	line := func(i int) []float32 { return v.line[i*w:][:w:w] }
	for i := range n {
		at, scale := 2*i+odd, scaleLow
		if i >= low {
			at, scale = 2*(i-low)+1-odd, scaleHigh
		}
		to := line(at)
		for k, x := range plane[i*stride:][:w] {
			to[k] = x * scale
		}
	}
	for _, step := range [4]struct {
		first  int
		factor float32
	}{{odd, -lift4}, {1 - odd, -lift3}, {odd, -lift2}, {1 - odd, -lift1}} {
		for i := step.first; i < n; i += 2 {
			before, after := neighbours(i, n)
			a, b, x := line(before), line(after), line(i)
			for k := range x {
				x[k] += float32((a[k] + b[k]) * step.factor) // rounded, never fused
			}
		}
	}
	for i := range n {
		copy(plane[i*stride:][:w], line(i))
	}
}
