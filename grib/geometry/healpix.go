package geometry

import (
	"math/bits"

	"github.com/tgmconv/tgmconv/grib/internal/libm"
)

// healpix is the hierarchical equal area isolatitude pixelisation (Górski et al. 2005), template
// 3.150: 12 Nside² pixels of equal area on 4 Nside-1 rings.
type healpix struct {
	nside    int64
	ordering int64 // 0 ring, 1 nested (code table 3.12)
	lon      float64
	position int64
}

func (f *healpix) visit(v visitor) {
	v.integer("Nside", &f.nside)
	v.integer("ordering", &f.ordering)
	v.float("longitudeOfFirstGridPointInDegrees", &f.lon)
	v.integer("gridPointPosition", &f.position)
}

// maxNside keeps the number of pixels within 31 bits, as in ecCodes.
const maxNside = 13377

func (f *healpix) points(g *Grid, lat, lon []float64) error {
	switch n := f.nside; {
	case n < 1 || n > maxNside:
		return g.none("Nside is out of range")
	case f.ordering != 0 && f.ordering != 1:
		return g.none("the ordering is neither ring nor nested")
	case f.lon != 45:
		return g.none("the first longitude is not 45 degrees, the only one that ecCodes knows")
	case g.Earth.Oblate:
		return g.none("the Earth is oblate")
	case 12*n*n != int64(g.NumberOfDataPoints):
		return g.none("the number of points is not 12 times the square of Nside")
	case f.ordering == 1 && n&(n-1) != 0:
		return g.none("nested ordering needs an Nside that is a power of two")
	}
	n := int(f.nside)
	start := 0
	starts := make([]int, 4*n)
	for ring := range 4*n - 1 {
		starts[ring] = start
		start += ringLength(n, ring)
	}
	starts[4*n-1] = start
	parallelRows(4*n-1, 3*n, func(ring int) {
		y := ringLatitude(n, ring)
		length := starts[ring+1] - starts[ring]
		step := 360 / float64(length)
		x := 0.0
		if ring < n || 3*n-1 < ring || (ring+n)%2 != 0 {
			x = step / 2
		}
		for p := range length {
			k := starts[ring] + p
			if f.ordering == 1 {
				k = nestedIndex(n, ring, p)
			}
			lat[k], lon[k] = y, x+float64(float64(p)*step)
		}
	})
	return nil
}

// ringLength returns the pixels on a ring, counted from 0 at the north.
func ringLength(n, ring int) int {
	return 4 * min(n, ring+1, 4*n-1-ring)
}

func ringLatitude(n, ring int) float64 {
	r := float64(ring + 1)
	f := float64(n)
	switch {
	case ring == 2*n-1:
		return 0
	case ring > 2*n-1:
		return -ringLatitude(n, 4*n-2-ring)
	case ring+1 < n:
		return 90 - float64(radian*libm.Acos(1-float64(r*r)/float64(float64(3*f)*f)))
	}
	return 90 - float64(radian*libm.Acos((float64(4*f)-float64(2*r))/float64(3*f)))
}

// facePhase is the longitude of the centre of each base pixel in eighths of a turn.
var facePhase = [12]int{1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7}

// nestedIndex returns the nested number of pixel p of a ring, n a power of two.
func nestedIndex(n, ring, p int) int {
	k := bits.TrailingZeros(uint(n))
	ring++ // from 1, as in the paper
	var face, length, shift int
	switch {
	case ring < n:
		length = ring
		face = p / length
	case ring > 3*n:
		length = 4*n - ring
		face = p/length + 8
	default:
		length = n
		shift = ring & 1
		// Each base pixel lies between two rising and two falling diagonals; which ones is in the
		// face.
		r := ring - n
		falling := 1 + (p-(1+r)>>1)>>k
		rising := 1 + (p-(1-r+2*n)>>1)>>k
		switch {
		case rising == falling:
			face = rising | 4
		case rising < falling:
			face = rising
		default:
			face = falling + 8
		}
	}
	row := (2+face>>2)<<k - ring - 1
	column := 2*(p+1) - facePhase[face]*length - shift - 1
	if column >= 2*n {
		column -= 8 * n
	}
	i, j := max(0, row+column)>>1, max(0, row-column)>>1
	return face<<(2*k) + spread(i) + spread(j)<<1
}

// spread moves the bits of v to the even places.
func spread(v int) int {
	b := uint64(uint32(v))
	b = (b ^ b<<16) & 0x0000ffff0000ffff
	b = (b ^ b<<8) & 0x00ff00ff00ff00ff
	b = (b ^ b<<4) & 0x0f0f0f0f0f0f0f0f
	b = (b ^ b<<2) & 0x3333333333333333
	b = (b ^ b<<1) & 0x5555555555555555
	return int(b)
}
