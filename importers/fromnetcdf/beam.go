package fromnetcdf

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// A sweep is one turn of a radar's antenna at an elevation.
type sweep struct {
	lat, lon, height float64 // of the antenna: degrees, and metres above the sea
	first, step      float64 // the middle of the first bin, and the length of a bin, in metres
	rays, bins       int

	elevation float64 // above the horizon, in degrees
	// azimuths and elevations hold a value for each ray. They are nil if rays follow one another evenly from north to
	// east, and have the elevation of the sweep.
	azimuths, elevations []float64
}

// azimuth is the direction of the middle of a ray, in degrees from north to east.
func (s *sweep) azimuth(ray int) float64 {
	if s.azimuths != nil {
		return s.azimuths[ray]
	}
	return (float64(ray) + 0.5) * 360 / float64(s.rays)
}

// beamRadius is the factor of the Earth's radius by which the beam bends (Doviak and Zrnić, section 2.2.3). The
// radius is the spheroid's at the latitude of the antenna.
const beamRadius = 4.0 / 3

// Of WGS 84.
const (
	majorAxis  = 6378137.0
	flattening = 1 / 298.257223563
	degrees    = math.Pi / 180
)

// place returns the latitude and longitude, in degrees, of the middle of a bin.
func (s *sweep) place(ray, bin int) (lat, lon float64) {
	along := s.first + float64(float64(bin)*s.step)
	elevation := s.elevation
	if s.elevations != nil {
		elevation = s.elevations[ray]
	}
	sin, cos := math.Sincos(elevation * degrees)
	radius := float64(earthRadius(s.lat)*beamRadius) + s.height
	above := math.Sqrt(float64(along*along)+float64(radius*radius)+float64(2*along*radius*sin)) - radius
	ground := (radius - s.height) * math.Asin(along*cos/(radius+above))
	return destination(s.lat, s.lon, s.azimuth(ray), ground)
}

// earthRadius is the distance of a latitude on the spheroid from the middle of the Earth.
func earthRadius(lat float64) float64 {
	sin, cos := math.Sincos(lat * degrees)
	b := majorAxis * (1 - flattening)
	p, q := float64(majorAxis*cos), float64(b*sin)
	p2, q2 := float64(majorAxis*p), float64(b*q)
	return math.Sqrt((float64(p2*p2) + float64(q2*q2)) / (float64(p*p) + float64(q*q)))
}

// destination is the end of a geodesic of the spheroid with a start, a direction and a length in metres. It
// is the direct solution of Vincenty (Survey Review 176, 1975).
func destination(lat, lon, azimuth, length float64) (float64, float64) {
	const b = majorAxis * (1 - flattening)
	sin1, cos1 := math.Sincos(azimuth * degrees)
	tanU := (1 - flattening) * math.Tan(lat*degrees)
	cosU := 1 / math.Sqrt(1+float64(tanU*tanU))
	sinU := float64(tanU * cosU)
	sigma1 := math.Atan2(tanU, cos1)
	sinAlpha := float64(cosU * sin1)
	cos2Alpha := 1 - float64(sinAlpha*sinAlpha)
	u2 := cos2Alpha * (float64(majorAxis*majorAxis) - float64(b*b)) / (b * b)
	root := math.Sqrt(1 + u2)
	k := (root - 1) / (root + 1)
	a := (1 + float64(k*k/4)) / (1 - k)
	bb := k * (1 - float64(3*k*k/8))
	sigma := length / (b * a)
	var cosM, sinS, cosS float64
	for range 20 {
		cosM = math.Cos(float64(2*sigma1) + sigma)
		sinS, cosS = math.Sincos(sigma)
		m2 := float64(2*cosM*cosM) - 1
		delta := float64(bb * sinS * (cosM + float64(bb/4*(float64(cosS*m2)-float64(bb/6*cosM*(float64(4*sinS*sinS)-3)*(float64(4*cosM*cosM)-3))))))
		next := float64(length/(b*a)) + delta
		done := math.Abs(next-sigma) < 1e-14
		if sigma = next; done {
			break
		}
	}
	cosM = math.Cos(float64(2*sigma1) + sigma)
	sinS, cosS = math.Sincos(sigma)
	across := float64(sinU*sinS) - float64(cosU*cosS*cos1)
	phi := math.Atan2(float64(sinU*cosS)+float64(cosU*sinS*cos1), (1-flattening)*math.Hypot(sinAlpha, across))
	lambda := math.Atan2(float64(sinS*sin1), float64(cosU*cosS)-float64(sinU*sinS*cos1))
	c := float64(flattening / 16 * cos2Alpha * (4 + float64(flattening*(4-float64(3*cos2Alpha)))))
	m2 := float64(2*cosM*cosM) - 1
	l := lambda - float64((1-c)*flattening*sinAlpha*(sigma+float64(c*sinS*(cosM+float64(c*cosS*m2)))))
	return phi / degrees, math.Remainder(lon+float64(l/degrees), 360)
}

// computed are elements that no file has.
type computed func(index []uint64) float64

// Read implements netcdf.Elements, of doubles.
func (c computed) Read(ctx context.Context, dst []byte, start, count []uint64) error {
	k := 0
	for index := range nd.Within(start, count) {
		if k%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		binary.NativeEndian.PutUint64(dst[k:], math.Float64bits(c(index)))
		k += 8
	}
	return nil
}

// errComputed is the error of asking for the bytes of such elements.
var errComputed = errors.New("the elements are computed from attributes")

// ReadSequences implements netcdf.Elements.
func (computed) ReadSequences(context.Context, []uint64, []uint64) ([][]byte, error) {
	return nil, errComputed
}

// Stored implements netcdf.Elements.
func (computed) Stored() (netcdf.StoredChunks, error) { return netcdf.StoredChunks{}, errComputed }

// Place implements netcdf.Elements.
func (computed) Place(context.Context, []uint64) (netcdf.Place, error) {
	return netcdf.Place{}, errComputed
}
