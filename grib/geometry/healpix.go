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

func (f *healpix) points(g *Grid) (pointRange, error) {
	switch n := f.nside; {
	case n < 1 || n > maxNside:
		return nil, g.none("Nside is out of range")
	case f.ordering != 0 && f.ordering != 1:
		return nil, g.none("the ordering is neither ring nor nested")
	case f.lon != 45:
		return nil, g.none("the first longitude is not 45 degrees, the only one that ecCodes knows")
	case g.Earth.Oblate:
		return nil, g.none("the Earth is oblate")
	case 12*n*n != int64(g.NumberOfDataPoints):
		return nil, g.none("the number of points is not 12 times the square of Nside")
	case f.ordering == 1 && n&(n-1) != 0:
		return nil, g.none("nested ordering needs an Nside that is a power of two")
	}
	n := int(f.nside)
	var rings parallels
	for ring := range 4*n - 1 {
		rings.add(ringLength(n, ring), ringLatitude(n, ring))
	}
	longitude := func(ring, p int) float64 {
		step := 360 / float64(rings.ends[ring]-rings.starts[ring])
		x := 0.0
		if ring < n || 3*n-1 < ring || (ring+n)%2 != 0 {
			x = step / 2
		}
		return x + float64(float64(p)*step)
	}
	if f.ordering == 0 {
		return rings.read(func(ring, from int, lon []float64) {
			for i := range lon {
				lon[i] = longitude(ring, from+i)
			}
		}), nil
	}
	return func(first int, lat, lon []float64) error {
		const run = 1 << 12
		total := max(len(lat), len(lon))
		parallelRows((total+run-1)/run, run, func(k int) {
			for i := k * run; i < min(total, (k+1)*run); i++ {
				ring, p := nestedPixel(n, first+i)
				put(lat, i, rings.lat[ring])
				if lon != nil {
					lon[i] = longitude(ring, p)
				}
			}
		})
		return nil
	}, nil
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

// nestedPixel returns the ring, from 0, and the pixel on it of a nested number, n a power of two.
func nestedPixel(n, number int) (ring, p int) {
	k := bits.TrailingZeros(uint(n))
	face := number >> (2 * k)
	i, j := gather(number&(n*n-1)), gather(number&(n*n-1)>>1)
	ring = (2+face>>2)<<k - i - j - 1 // from 1, as in the paper
	length, shift := n, (ring-n)&1
	switch {
	case ring < n:
		length, shift = ring, 0
	case ring > 3*n:
		length, shift = 4*n-ring, 0
	}
	p = (i-j+facePhase[face]*length+shift+1)>>1 - 1
	if p < 0 {
		p += 4 * n // the face at longitude 0
	}
	return ring - 1, p
}

// gather moves the bits at the even places of v together.
func gather(v int) int {
	b := uint64(v) & 0x5555555555555555
	b = (b ^ b>>1) & 0x3333333333333333
	b = (b ^ b>>2) & 0x0f0f0f0f0f0f0f0f
	b = (b ^ b>>4) & 0x00ff00ff00ff00ff
	b = (b ^ b>>8) & 0x0000ffff0000ffff
	b = (b ^ b>>16) & 0x00000000ffffffff
	return int(b)
}
