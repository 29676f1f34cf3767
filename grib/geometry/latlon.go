package geometry

import "math"

// missing stands for an angle that a section does not give.
var missing = math.NaN()

// A region is the corner points and increments of a latitude-longitude or Gaussian grid, in
// degrees.
type region struct {
	lat1, lon1, lat2, lon2 float64
	di, dj                 float64 // NaN when not given
}

func (r *region) visit(v visitor) {
	v.float("latitudeOfFirstGridPointInDegrees", &r.lat1)
	v.float("longitudeOfFirstGridPointInDegrees", &r.lon1)
	v.float("latitudeOfLastGridPointInDegrees", &r.lat2)
	v.float("longitudeOfLastGridPointInDegrees", &r.lon2)
	v.float("iDirectionIncrementInDegrees", &r.di)
	v.float("jDirectionIncrementInDegrees", &r.dj)
}

// maxDegrees bounds the longitudes that are brought into one turn step by step: hostile basic
// angles give 1e19.
const maxDegrees = 1e6

// plausible returns an error when a corner is so far out that no computation makes sense.
func (r *region) plausible(g *Grid) error {
	for _, a := range []float64{r.lat1, r.lon1, r.lat2, r.lon2} {
		if !(math.Abs(a) <= maxDegrees) {
			return g.none("the first or last grid point is not on Earth")
		}
	}
	return nil
}

// latLon is a regular grid in latitude and longitude (3.0 to 3.3; edition 1 types 0, 10, 20, 30).
type latLon struct {
	region
	rot     *rotation
	stretch *stretching
}

func (f *latLon) visit(v visitor) {
	f.region.visit(v)
	visitRotation(v, &f.rot)
	visitStretching(v, &f.stretch)
}

func (f *latLon) whole() bool { return f.rot == nil && f.stretch == nil }

func (f *latLon) axes(g *Grid) (lat, lon []float64, err error) {
	if err := f.plausible(g); err != nil {
		return nil, nil, err
	}
	if lat, err = f.latitudes(g); err != nil {
		return nil, nil, err
	}
	return lat, f.longitudes(g), nil
}

// longitudes steps from the first to the last longitude. The increment follows from the corner
// points, whatever the section gives; equal corners mean once round the globe. The sums
// accumulate as in ecCodes.
func (r *region) longitudes(g *Grid) []float64 {
	lon := make([]float64, g.Ni)
	x, last := r.lon1, r.lon2
	step := 0.0
	if n := float64(g.Ni - 1); n > 0 {
		switch {
		case g.Scan.NegativeI() && x > last:
			step = -((x - last) / n)
		case g.Scan.NegativeI():
			step = -((x + 360 - last) / n)
		case last > x:
			step = (last - x) / n
		default:
			step = (last + 360 - x) / n
		}
		if !g.Scan.NegativeI() && x+float64(float64(g.Ni-2)*step) > 360 {
			x -= 360
		}
	}
	for i := range lon {
		lon[i] = x
		x += step
	}
	if last > 0 {
		last = normaliseLongitude(last)
	}
	lon[len(lon)-1] = last
	return lon
}

// latitudes steps from the first latitude by the increment given, and ends on the last.
func (f *latLon) latitudes(g *Grid) ([]float64, error) {
	y, step := f.lat1, f.dj
	if math.IsNaN(step) && g.Nj > 1 {
		step = math.Abs(f.lat1-f.lat2) / float64(g.Nj-1)
	}
	north, south := f.lat1, f.lat2
	if g.Scan.PositiveJ() {
		north, south, step = f.lat2, f.lat1, -step
	}
	if south > north {
		return nil, g.none("the first and last latitude contradict the scanning mode")
	}
	lat := make([]float64, g.Nj)
	for j := range lat {
		lat[j] = y
		y -= step
	}
	lat[len(lat)-1] = f.lat2
	return lat, nil
}

// normaliseLongitude brings x into 0 to 360 degrees; 360 itself stays.
func normaliseLongitude(x float64) float64 {
	x = fewTurns(x)
	for x < 0 {
		x += 360
	}
	for x > 360 {
		x -= 360
	}
	return x
}

// fewTurns takes whole turns off angles, in degrees, that no sound grid has. Loops that turn by
// 360 degrees then come to their end. Infinite angles become NaN.
func fewTurns(x float64) float64 {
	if math.Abs(x) <= 360*360 {
		return x
	}
	return math.Mod(x, 360)
}

// rotatedLatLon is a latLon whose points are turned to where they are on the Earth.
type rotatedLatLon struct{ latLon }

func (f *rotatedLatLon) points(g *Grid) (pointRange, error) {
	if err := g.needRectangle(); err != nil {
		return nil, err
	}
	y, x, err := f.axes(g)
	if err != nil {
		return nil, err
	}
	return f.rot.turnGrid(g, y, x), nil
}

// variableLatLon lists the latitude of every row and the longitude of every column (3.4, 3.5).
// The lists are read by ecCodes, which computes no coordinates.
type variableLatLon struct {
	lat, lon []float64
	rot      *rotation
}

func (f *variableLatLon) visit(v visitor) {
	v.floats("latitudes", &f.lat)
	v.floats("longitudes", &f.lon)
	visitRotation(v, &f.rot)
}

func (f *variableLatLon) whole() bool { return f.rot == nil }

func (f *variableLatLon) axes(g *Grid) (lat, lon []float64, err error) {
	if f.rot != nil {
		return nil, nil, g.none("ecCodes computes none of rotated rows and columns at given places")
	}
	if len(f.lat) != g.Nj || len(f.lon) != g.Ni {
		return nil, nil, g.mismatch()
	}
	return append([]float64(nil), f.lat...), append([]float64(nil), f.lon...), nil
}

// reducedLatLon has its own number of points on each parallel, evenly spaced in latitude. It is
// 3.0 with a list; edition 1 type 0 with a list.
type reducedLatLon struct{ region }

func (f *reducedLatLon) points(g *Grid) (pointRange, error) {
	if err := f.plausible(g); err != nil {
		return nil, err
	}
	total, most := 0, 0
	for _, n := range g.PL {
		total += n
		most = max(most, n)
	}
	if total != g.NumberOfDataPoints {
		return nil, g.none("the number of points is not the sum of the points on each parallel")
	}
	width, local := f.lon2-f.lon1, 1
	switch {
	case 360-math.Abs(width) < 2*(360/float64(most)):
		width, local = 360, 0
	case f.lon2 < f.lon1:
		width = f.lon2 + 360 - f.lon1
	}
	y, step := f.lat1, f.dj
	if math.IsNaN(step) {
		step = math.Abs(f.lat1-f.lat2) / float64(max(len(g.PL)-1, 1))
	}
	if f.lat1 > f.lat2 {
		step = -step
	}
	var rows parallels
	for _, n := range g.PL {
		rows.add(n, y)
		y += step
	}
	return rows.read(func(j, from int, lon []float64) {
		x, dx := f.lon1, width/float64(max(g.PL[j]-local, 1))
		for range from {
			x += dx
		}
		for k := range lon {
			lon[k] = x
			x += dx
		}
	}), nil
}
