package keys

import (
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// globalGaussianClass reports whether a Gaussian grid covers the globe.
// Arguments: N, Ni, Di, first latitude, first longitude, last latitude, last
// longitude, PLPresent, pl, basic angle, subdivisions.
type globalGaussianClass struct{ computedLong }

func (globalGaussianClass) long(h *Handle, a *accessor) (int64, error) {
	factor := 1000.0
	if a.argName(9) != defs.NoSym && a.argName(10) != defs.NoSym {
		factor = 1000000
		for i := 9; i <= 10; i++ {
			v, err := h.argKeyLong(a, i)
			if err != nil {
				return 0, err
			}
			if v != 0 && v != Missing {
				return 0, nil
			}
		}
	}
	var n, ni, di, lat1, lon1, lat2, lon2, present int64
	if err := h.argLongs(a, &n, &ni, &di, &lat1, &lon1, &lat2, &lon2, &present); err != nil {
		return 0, err
	}
	first, second, ok := gaussianLatitudes(n)
	if !ok {
		return 0, ErrDecoding
	}
	if ni == Missing {
		ni = 4 * n
		if present != 0 {
			pl, err := h.getLongs(a.argName(8))
			if err != nil || len(pl) == 0 {
				return 0, ErrDecoding
			}
			ni = pl[0]
			for _, v := range pl {
				ni = max(ni, v)
			}
		}
	}
	d := math.Abs(first - second)
	delta := 360 / float64(ni)
	off := math.Abs(float64(lon2)/factor-(360-delta)) - delta
	if math.Abs(float64(lat1)/factor-first) >= d || math.Abs(float64(lat2)/factor+first) >= d || lon1 != 0 || off > 1/factor {
		return 0, nil
	}
	return 1, nil
}

// maxGaussian bounds the number of parallels that latitudes are computed for.
const maxGaussian = 100000

// gaussianLatitudes returns the two northernmost latitudes of a Gaussian grid of
// n parallels between pole and equator. They are roots of the Legendre
// polynomial of degree 2n, by Newton's method.
func gaussianLatitudes(n int64) (first, second float64, ok bool) {
	if n < 1 || n > maxGaussian {
		return 0, 0, false
	}
	deg := int(2 * n)
	root := func(i int) float64 {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(deg) + 0.5))
		for range 20 {
			p0, p1 := 1.0, x
			for k := 2; k <= deg; k++ {
				p0, p1 = p1, (float64(float64(2*k-1)*x*p1)-float64(float64(k-1)*p0))/float64(k)
			}
			d := p1 * (1 - float64(x*x)) / (float64(deg) * (p0 - float64(x*p1)))
			x -= d
			if math.Abs(d) < 1e-15 {
				break
			}
		}
		return math.Asin(x) * 180 / math.Pi
	}
	return root(0), root(1), true
}

// octahedralClass reports whether the rows of a reduced grid grow by 4 towards the
// equator. Arguments: N, Ni, PLPresent, pl.
type octahedralClass struct{ computedLong }

func (octahedralClass) long(h *Handle, a *accessor) (int64, error) {
	ni, err := h.argKeyLong(a, 1)
	if err != nil || ni != Missing {
		return 0, err
	}
	present, err := h.argKeyLong(a, 2)
	if err != nil || present == 0 {
		return 0, err
	}
	pl, err := h.getLongs(a.argName(3))
	if err != nil {
		return 0, err
	}
	return b2i(isOctahedral(pl)), nil
}

func isOctahedral(pl []int64) bool {
	prev := int64(-1)
	for i := 1; i < len(pl); i++ {
		d := pl[i] - pl[i-1]
		switch d {
		case 0, 4:
			if prev != 4 && i != 1 {
				return false
			}
		case -4:
			if prev != -4 && prev != 0 && i != 1 {
				return false
			}
		default:
			return false
		}
		prev = d
	}
	return true
}

// gaussianNameClass is F640, N640 or O640. Arguments: N, Ni, isOctahedral.
type gaussianNameClass struct{ computedText }

func (gaussianNameClass) str(h *Handle, a *accessor) (string, error) {
	var n, ni int64
	if err := h.argLongs(a, &n, &ni); err != nil {
		return "", err
	}
	kind := "F"
	if ni == Missing {
		o, err := h.argKeyLong(a, 2)
		if err != nil {
			return "", err
		}
		kind = "N"
		if o == 1 {
			kind = "O"
		}
	}
	return kind + strconv.FormatInt(n, 10), nil
}
