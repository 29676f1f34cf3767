package spectral

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/libm"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
)

// A Truncation is a set of wavenumber pairs (i, j): code tables 3.25 and 5.25.
type Truncation struct {
	Shape int
	N, M  int // largest i and j
}

// The shapes of a truncation.
const (
	Rectangle = 77
	Ellipse   = 88
	Diamond   = 99
)

// BiFourier are coefficients of a bi-Fourier series.
type BiFourier struct {
	Field, Subset Truncation
	KeepAxes      bool // coefficients with i or j = 0 are in the unpacked subset
	Float         Float
	Bits          int
	Scale         scale.Scale
	Laplacian     float64 // the power of i²+j²
}

// maxWavenumber keeps the squares below well inside an int.
const maxWavenumber = 1 << 20

// limits returns the largest i for each j (byJ) and the largest j for each i (byI).
func (t Truncation) limits() (byJ, byI []int, err error) {
	if t.N < 0 || t.M < 0 || t.N > maxWavenumber || t.M > maxWavenumber {
		return nil, nil, fmt.Errorf("truncation at wavenumbers %d, %d", t.N, t.M)
	}
	switch t.Shape {
	case Rectangle, Ellipse, Diamond:
		return t.along(t.N, t.M), t.along(t.M, t.N), nil
	}
	return nil, nil, fmt.Errorf("truncation type %d, expected 77, 88 or 99", t.Shape)
}

// along returns the largest wavenumber of one axis, at most n, for each wavenumber of the other, at
// most m.
func (t Truncation) along(n, m int) []int {
	out := make([]int, m+1)
	for k := range out {
		switch {
		case t.Shape == Rectangle:
			out[k] = n
		case t.Shape == Diamond && m == 0:
			out[k] = -1
		case t.Shape == Diamond:
			out[k] = n - k*n/m
		case k == 0:
			out[k] = n
		case k == m:
			out[k] = 0
		default:
			const rounding = 1e-10
			out[k] = int(float64(float64(n)/float64(m)*math.Sqrt(float64(m*m-k*k))) + rounding)
		}
	}
	return out
}

// layout says which coefficients exist and which of them are packed.
type layout struct {
	field       []int
	byJ, byI    []int // limits of the subset
	keepAxes    bool
	n, unpacked int // values in all, and in the subset
}

func (b *BiFourier) layout() (l layout, err error) {
	if l.field, _, err = b.Field.limits(); err != nil {
		return l, err
	}
	if l.byJ, l.byI, err = b.Subset.limits(); err != nil {
		return l, err
	}
	l.keepAxes = b.KeepAxes
	for _, largest := range l.field {
		l.n += 4 * (largest + 1)
	}
	return l, nil
}

// inSubset reports whether the coefficients of wavenumbers i, j are floats.
func (l *layout) inSubset(i, j int) bool {
	if l.keepAxes && (i == 0 || j == 0) {
		return true
	}
	return i < len(l.byI) && j < len(l.byJ) && i <= l.byJ[j] && j <= l.byI[i]
}

// Check returns an error unless the field has n values and data hold them.
func (b *BiFourier) Check(n int, data []byte) error {
	l, err := b.layout()
	if err != nil {
		return err
	}
	if l.n != n {
		return fmt.Errorf("truncation with %d values, expected %d", l.n, n)
	}
	for j, largest := range l.field {
		for i := range largest + 1 {
			if l.inSubset(i, j) {
				l.unpacked += 4
			}
		}
	}
	if b.Bits > bits.MaxWidth || l.unpacked > len(data)/b.Float.Size ||
		!bits.Fits(data[l.unpacked*b.Float.Size:], 0, l.n-l.unpacked, b.Bits) {
		return fmt.Errorf("%d floats of %d bytes and %d values of %d bits do not fit %d bytes of data",
			l.unpacked, b.Float.Size, l.n-l.unpacked, b.Bits, len(data))
	}
	return nil
}

// Decode fills dst with four coefficients for each pair of wavenumbers, i running fastest. Check
// must have found no error.
func (b *BiFourier) Decode(dst []float64, data []byte) error {
	l, err := b.layout()
	if err != nil {
		return err
	}
	packed := 0
	for j, largest := range l.field {
		for i := range largest + 1 {
			if l.inSubset(i, j) {
				packed += 4 * b.Float.Size
			}
		}
	}
	floats, pos := data, 8*packed
	for j, largest := range l.field {
		for i := range largest + 1 {
			if l.inSubset(i, j) {
				for k := range 4 {
					dst[k] = b.Float.Read(floats)
					floats = floats[b.Float.Size:]
				}
			} else {
				eigenvalue := libm.Pow(float64(i*i+j*j), b.Laplacian)
				for k := range 4 {
					dst[k] = b.Scale.Value(float64(bits.Uint(data, pos, b.Bits))) / eigenvalue
					pos += b.Bits
				}
			}
			dst = dst[4:]
		}
	}
	return nil
}
