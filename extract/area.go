package extract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// An Area is a part of the globe: a box between latitudes and longitudes, or a polygon.
type Area struct {
	north, west, south, east float64
	rings                    [][][2]float64 // of a polygon: longitudes and latitudes, the outer ring first
}

// Box returns the area between two parallels and two meridians, in degrees, which belong to it. It
// extends from west to the east, over the date line if east is less than west.
func Box(north, west, south, east float64) (Area, error) {
	if !(isPlace(north, west) && isPlace(south, east) && north >= south) {
		found := fmt.Sprintf("%v/%v/%v/%v", north, west, south, east)
		return Area{}, &PlaceError{"the box", found, "NORTH/WEST/SOUTH/EAST in degrees, north not below south, latitudes from -90 to 90, longitudes from -360 to 360"}
	}
	return Area{north: north, west: west, south: south, east: east}, nil
}

// ParseBox reads a box from a text: NORTH/WEST/SOUTH/EAST in degrees, as MARS has it.
func ParseBox(text string) (Area, error) {
	var v [4]float64
	parts := strings.Split(text, "/")
	err := error(nil)
	for i := range v {
		if len(parts) != len(v) {
			err = strconv.ErrSyntax
		} else if err == nil {
			v[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		}
	}
	if err != nil {
		return Area{}, &PlaceError{"the box", quoted(text), "NORTH/WEST/SOUTH/EAST in degrees, such as 60/-10/35/30"}
	}
	return Box(v[0], v[1], v[2], v[3])
}

// has reports whether a point lies within the area.
func (a *Area) has(lat, lon float64) bool {
	if !(lat <= a.north && lat >= a.south) {
		return false
	}
	width := a.east - a.west
	if width < 0 {
		width = degrees360(width)
	}
	if past := degrees360(lon - a.west); !(past <= width || width >= 360) {
		return false
	}
	if a.rings == nil {
		return true
	}
	inside := false
	x := a.west + degrees360(lon-a.west)
	for _, ring := range a.rings {
		for i := range ring {
			p, q := ring[i], ring[(i+1)%len(ring)]
			if (p[1] > lat) != (q[1] > lat) && x < p[0]+float64((lat-p[1])/(q[1]-p[1])*(q[0]-p[0])) {
				inside = !inside
			}
		}
	}
	return inside
}

// degrees360 is an angle from 0 up to 360 degrees.
func degrees360(x float64) float64 {
	if x = math.Mod(x, 360); x < 0 {
		x += 360
	}
	if x >= 360 { // of a negative angle next to nothing
		x = 0
	}
	return x
}

func compare(a, b float64) int { return cmp.Compare(a, b) }

// maxCorners bounds the corners of all polygons of a document.
const maxCorners = 1 << 20

// ReadPolygons reads the polygons of a document of GeoJSON (RFC 7946): Polygon and MultiPolygon, alone
// or in features. Their sides are straight on a map of longitudes and latitudes.
func ReadPolygons(r io.Reader) ([]Area, error) {
	o, err := readGeo(r)
	if err != nil {
		return nil, err
	}
	var areas []Area
	corners := 0
	err = o.each("", 0, func(g *geoObject, _ string) error {
		where := fmt.Sprintf("polygon %d", len(areas)+1)
		var polygons [][][][]float64
		var err error
		switch g.Type {
		case "Polygon":
			polygons = make([][][][]float64, 1)
			err = json.Unmarshal(g.Coordinates, &polygons[0])
		case "MultiPolygon":
			err = json.Unmarshal(g.Coordinates, &polygons)
		default:
			return &PlaceError{where, "the type " + quoted(g.Type), "Polygon or MultiPolygon"}
		}
		if err != nil {
			return &PlaceError{where, "coordinates " + quoted(string(g.Coordinates)), "rings of [LON, LAT]"}
		}
		for _, rings := range polygons {
			a, n, err := polygon(where, rings)
			if err != nil {
				return err
			}
			if corners += n; corners > maxCorners {
				return &PlaceError{where, fmt.Sprintf("%d corners", corners), fmt.Sprintf("at most %d", maxCorners)}
			}
			areas = append(areas, a)
		}
		return nil
	})
	if err == nil && len(areas) == 0 {
		err = &PlaceError{"the document", "no polygon", "a Polygon or MultiPolygon"}
	}
	return areas, err
}

// polygon makes an area of rings.
func polygon(where string, rings [][][]float64) (a Area, corners int, err error) {
	a = Area{north: math.Inf(-1), south: math.Inf(1), west: math.Inf(1), east: math.Inf(-1)}
	for _, ring := range rings {
		if len(ring) < 4 {
			return a, 0, &PlaceError{where, fmt.Sprintf("a ring of %d corners", len(ring)), "at least 4, the last of which is the first"}
		}
		var points [][2]float64
		for _, p := range ring {
			if len(p) < 2 || !isPlace(p[1], p[0]) {
				return a, 0, &PlaceError{where, fmt.Sprint("coordinates ", p), "[LON, LAT]: " + expectedPlace}
			}
			points = append(points, [2]float64{p[0], p[1]})
			a.north, a.south = max(a.north, p[1]), min(a.south, p[1])
			a.west, a.east = min(a.west, p[0]), max(a.east, p[0])
		}
		a.rings = append(a.rings, points)
		corners += len(points)
	}
	if len(rings) == 0 {
		return a, 0, &PlaceError{where, "no ring", "at least one"}
	}
	return a, corners, nil
}
