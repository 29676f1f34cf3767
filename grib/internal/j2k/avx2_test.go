package j2k

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainSynthesize undoes one decomposition as equations F-5 and F-6 have it: of each row, then of
// each column.
func plainSynthesize(plane []int32, stride int, low, area rect) {
	w, h := area.width(), area.height()
	for y := range h {
		plainLift(plane[y*stride:], 1, w, low.width(), area.x0&1)
	}
	for x := range w {
		plainLift(plane[x:], stride, h, low.height(), area.y0&1)
	}
}

func plainLift(line []int32, step, n, low, odd int) {
	if n == 1 {
		if odd == 1 {
			line[0] /= 2
		}
		return
	}
	out := make([]int32, n)
	for i := range n {
		out[i] = line[i/2*step] // an even coordinate
		if i&1 != odd {
			out[i] = line[(low+i/2)*step]
		}
	}
	for i := odd; i < n; i += 2 {
		a, b := neighbours(i, n)
		out[i] -= (out[a] + out[b] + 2) >> 2
	}
	for i := 1 - odd; i < n; i += 2 {
		a, b := neighbours(i, n)
		out[i] += (out[a] + out[b]) >> 1
	}
	for i := range n {
		line[i*step] = out[i]
	}
}

// TestWaveletTwins compares the transform with its plain form, at all widths that the kernels tell
// apart.
func TestWaveletTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	var v wavelet
	for n := range 3000 {
		w, h := 1+rng.IntN(60), 1+rng.IntN(60)
		area := rect{n & 1, n >> 1 & 1, n&1 + w, n>>1&1 + h}
		stride := w + rng.IntN(3)
		got := make([]int32, stride*h)
		for i := range got {
			got[i] = int32(rng.Uint32()) >> (3 + rng.IntN(29)) // sums do not overflow
		}
		want := slices.Clone(got)
		low := area.reduce(1, 0, 0)
		v.synthesize(got, stride, low, area)
		plainSynthesize(want, stride, low, area)
		if !slices.Equal(got, want) {
			t.Fatalf("area %v: not as the plain transform has it", area)
		}
	}
}

func TestPutRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	for w := range 40 {
		values := make([]int32, 4*w)
		for i := range values {
			values[i] = int32(rng.Uint32()) >> rng.IntN(32)
		}
		for rows := 1; rows <= 4; rows++ {
			stride := w + 3
			plane := make([]int32, 4*stride)
			putRows(plane, values, stride, rows)
			for i, got := range plane {
				x, r := i%stride, i/stride
				want := int32(0)
				if x < w && r < rows {
					want = values[4*x+r] / 2
				}
				if got != want {
					t.Fatalf("%d columns, %d rows: element %d is %d, want %d", w, rows, i, got, want)
				}
			}
		}
	}
}

func TestClamp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 3000 {
		depth := 1 + n%31
		src := make([]int32, n%50)
		for i := range src {
			src[i] = int32(rng.Uint32()) >> rng.IntN(32)
		}
		dst := make([]uint32, len(src))
		clamp(dst, src, 1<<(depth-1), 1<<depth-1)
		for i, v := range src {
			want := min(max(int64(v)+1<<(depth-1), 0), 1<<depth-1)
			if int64(dst[i]) != want {
				t.Fatalf("%d bits: %d becomes %d, want %d", depth, v, dst[i], want)
			}
		}
	}
}
