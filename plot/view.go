package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/plot/projection"
	"github.com/tgmconv/tgmconv/look"
)

// Projections returns the valid values of [Options.Projection].
func Projections() []string {
	return []string{"auto", "latlon", "mercator", "stereographic", "lambert", "orthographic"}
}

// A view is the part of a plane that a map shows.
type view struct {
	projection.Projection
	x1, y1, x2, y2 float64
}

// aspect is the width of the map relative to its height.
func (v *view) aspect() float64 { return (v.x2 - v.x1) / (v.y2 - v.y1) }

// around reports whether the right edge of the map continues at the left one.
func (v *view) around() bool {
	return v.Width() > 0 && math.Abs(v.x2-v.x1-v.Width()) < 1e-9*v.Width()
}

// newView chooses the projection that suits a grid, and the part of it that the grid covers.
func newView(g *look.Grid, name string, e extent) (*view, error) {
	if e.empty() {
		return nil, fmt.Errorf("the grid has no points")
	}
	v := &view{Projection: choose(g, name, e)}
	if v.Projection == nil {
		return nil, fmt.Errorf("projection %q is not known, expected one of %s", name, strings.Join(Projections(), ", "))
	}
	return v, v.fit(g, e)
}

// An extent is the area that a grid covers.
type extent struct {
	south, north float64
	west, east   float64 // in half degrees; east may be above 180
	first, last  float64 // longitudes of the points farthest west and east
	lon0         float64 // the middle
	global       bool    // all longitudes
}

func (e *extent) empty() bool { return e.south > e.north }

// extentOf finds the area: the longitudes that lie outside the widest gap.
func extentOf(g *look.Grid) (extent, error) {
	e := extent{south: 90, north: -90}
	var seen [720]bool
	var least, most [720]float64
	look := func(lat, lon float64) {
		if !onEarth(lat, lon) {
			return
		}
		e.south, e.north = min(e.south, lat), max(e.north, lat)
		lon = turned(lon)
		k := min(int(lon*2), len(seen)-1)
		if !seen[k] {
			least[k], most[k] = lon, lon
		}
		seen[k], least[k], most[k] = true, min(least[k], lon), max(most[k], lon)
	}
	if g.Separable {
		for _, lat := range g.Lat {
			look(lat, 0)
		}
		clear(seen[:])
		for _, lon := range g.Lon {
			look(e.south, lon)
		}
	} else {
		err := g.Blocks(func(_ int, lat, lon []float64) {
			for i, y := range lat {
				look(y, lon[i])
			}
		})
		if err != nil {
			return e, err
		}
	}
	if e.empty() {
		return e, nil
	}
	widest, after, gap, last := -1, 0, 0, -1
	for k := range 2 * len(seen) {
		if seen[k%len(seen)] {
			if gap = k - last; last >= 0 && gap > widest {
				widest, after = gap, k
			}
			last = k
		}
	}
	e.west = float64(float64(after%len(seen)) / 2)
	e.east = e.west + 360.5 - float64(float64(widest)/2)
	if widest < 0 {
		e.east = e.west + 0.5
	}
	e.first, e.last = least[after%len(seen)], most[(after+int(2*(e.east-e.west))-1)%len(seen)]
	if e.last < e.first {
		e.last += 360
	}
	e.global = e.east-e.west > 330
	if e.global {
		e.west, e.east, e.first, e.last = -180, 180, -180, 180
	}
	e.lon0 = math.Remainder((e.first+e.last)/2, 360)
	return e, nil
}

// turned brings a longitude into 0 to 360 degrees.
func turned(lon float64) float64 {
	if !(lon > -360 && lon < 360) {
		lon = math.Mod(lon, 360)
	}
	if lon += 360; lon >= 720 {
		return lon - 720
	}
	if lon >= 360 {
		return lon - 360
	}
	return lon
}

// onEarth reports whether there is a place with these degrees.
func onEarth(lat, lon float64) bool { return math.Abs(lat) <= 90.001 && math.Abs(lon) <= 1e4 }

// number is a parameter of the grid in degrees.
func number(g *look.Grid, keys ...string) (float64, bool) {
	for _, key := range keys {
		switch v := g.Params[key].(type) {
		case float64:
			return v, true
		case int64:
			return float64(v), true
		}
	}
	return 0, false
}

// choose returns the projection of a name, nil if there is none.
func choose(g *look.Grid, name string, e extent) projection.Projection {
	middle := (e.south + e.north) / 2
	if name == "" || name == "auto" {
		name = suitable(g, e)
	}
	lon0 := e.lon0
	switch name {
	case "latlon":
		p := projection.PlateCarree{Lon0: lon0, Scale: 1}
		if !e.global {
			p.Scale = 1 / max(math.Cos(middle*degree), 0.2)
		}
		return p
	case "mercator":
		return projection.Mercator{Lon0: lon0}
	case "stereographic":
		if v, ok := number(g, "orientationOfTheGridInDegrees", "LoVInDegrees"); ok {
			lon0 = v
		} else if e.global {
			lon0 = 0
		}
		return projection.Stereographic{Lon0: lon0, South: middle < 0}
	case "lambert":
		lat1, ok1 := number(g, "Latin1InDegrees")
		lat2, ok2 := number(g, "Latin2InDegrees")
		if v, ok := number(g, "LoVInDegrees"); ok {
			lon0 = v
		}
		if !ok1 || !ok2 || lat1*lat2 <= 0 || math.Abs(lat1) > 89 || math.Abs(lat2) > 89 {
			lat1 = math.Copysign(min(max(math.Abs(middle), 5), 85), middle)
			lat2 = lat1
		}
		return projection.NewLambert(lon0, lat1, lat2)
	case "orthographic":
		lat0 := middle
		if g.Type == "space_view" {
			lat0 = 0
			if v, ok := number(g, "longitudeOfSubSatellitePointInDegrees"); ok {
				lon0 = v
			}
		}
		return projection.Orthographic{Lat0: lat0, Lon0: lon0}
	}
	return nil
}

// suitable is the name of the projection that shows a grid best.
func suitable(g *look.Grid, e extent) string {
	kind := strings.TrimPrefix(g.Type, "rotated_")
	rows := !g.Separable && g.Rows > 0
	switch {
	case g.Type == "polar_stereographic":
		return "stereographic"
	case strings.HasPrefix(g.Type, "lambert") && kind == g.Type && !strings.Contains(g.Type, "azimuthal"), g.Type == "albers":
		return "lambert"
	case g.Type == "space_view":
		return "orthographic"
	case g.Type == "mercator":
		return "mercator"
	case rows && e.global && (e.south > 15 || e.north < -15):
		return "stereographic"
	case rows && !e.global && math.Abs(e.south+e.north)/2 > 25 && e.north-e.south < 70:
		return "lambert" // rows that run across meridians: a rotated grid, a limited area
	}
	return "latlon"
}

// hemisphere is half the width of a stereographic map that reaches from the pole to latitude 15 in the middle of its
// sides: a grid on both sides of the equator has more than it shows.
const hemisphere = 1.5345

// fit finds the part of the plane that shows the grid: the extent of its points, and a bit more.
func (v *view) fit(g *look.Grid, e extent) error {
	if p, ok := v.Projection.(projection.PlateCarree); ok {
		dlat, dlon := 0.5*(e.north-e.south)/math.Max(1, float64(rowsOf(g)-1)), 0.5*(e.last-e.first)/math.Max(1, float64(colsOf(g)-1))
		v.y1, v.y2 = max(e.south-dlat, -90)*p.Scale, min(e.north+dlat, 90)*p.Scale
		half := min(float64((e.last-e.first)/2)+dlon, 180)
		if e.global {
			half = 180
		}
		v.x1, v.x2 = -half, half
		v.widen(0.5)
		return nil
	}
	if _, ok := v.Projection.(projection.Orthographic); ok && (g.Type == "space_view" || e.north-e.south > 100) {
		v.x1, v.y1, v.x2, v.y2 = -1.01, -1.01, 1.01, 1.01
		return nil
	}
	if _, ok := v.Projection.(projection.Stereographic); ok && e.global && e.south < 0 && e.north > 0 {
		v.x1, v.y1, v.x2, v.y2 = -hemisphere, -hemisphere, hemisphere, hemisphere
		return nil
	}
	var xs, ys []float64
	stride := max(1, g.Len()/100000)
	err := g.Blocks(func(first int, lat, lon []float64) {
		for i := (stride - first%stride) % stride; i < len(lat); i += stride {
			if x, y, ok := v.Forward(lat[i], lon[i]); ok && !math.IsNaN(x+y) && !math.IsInf(x+y, 0) {
				xs, ys = append(xs, x), append(ys, y)
			}
		}
	})
	if err != nil {
		return err
	}
	if len(xs) == 0 {
		v.x1, v.y1, v.x2, v.y2 = -1, -1, 1, 1
		return nil
	}
	v.x1, v.x2, v.y1, v.y2 = slices.Min(xs), slices.Max(xs), slices.Min(ys), slices.Max(ys)
	margin := float64(0.005 * max(v.x2-v.x1, v.y2-v.y1))
	mx, my := margin, margin
	if g.Rows > 1 && g.Cols > 1 && v.hasRowsOf(g) { // half a cell
		mx, my = (v.x2-v.x1)/float64(2*g.Cols-2), (v.y2-v.y1)/float64(2*g.Rows-2)
	}
	v.x1, v.x2, v.y1, v.y2 = v.x1-mx, v.x2+mx, v.y1-my, v.y2+my
	if _, ok := v.Projection.(projection.Mercator); ok && e.global {
		v.x1, v.x2 = -v.Width()/2, v.Width()/2
	}
	v.widen(1e-3)
	return nil
}

// hasRowsOf reports whether the rows of a grid are straight lines across the map.
func (v *view) hasRowsOf(g *look.Grid) bool {
	switch v.Projection.(type) {
	case projection.Stereographic:
		return g.Type == "polar_stereographic"
	case *projection.Lambert:
		return g.Type == "lambert"
	case projection.Mercator:
		return g.Type == "mercator"
	}
	return false
}

func rowsOf(g *look.Grid) int {
	if g.Rows > 0 {
		return g.Rows
	}
	return int(math.Sqrt(float64(g.Len())))
}

func colsOf(g *look.Grid) int {
	if g.Cols > 0 {
		return g.Cols
	}
	return int(math.Sqrt(float64(g.Len())))
}

// widen makes a map that would be nothing but a line a bit larger, and keeps its sides within 5 to
// 1.
func (v *view) widen(least float64) {
	w, h := max(v.x2-v.x1, least), max(v.y2-v.y1, least)
	w, h = max(w, h/5), max(h, w/5)
	x, y := float64((v.x1+v.x2)/2), float64((v.y1+v.y2)/2)
	w, h = float64(w/2), float64(h/2)
	v.x1, v.x2, v.y1, v.y2 = x-w, x+w, y-h, y+h
}
