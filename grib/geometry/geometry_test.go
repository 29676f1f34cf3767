package geometry

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

func parsed(t testing.TB, w *frozen, b []byte) *Grid {
	t.Helper()
	g, err := Parse(w.Edition, b, Centre(w.Centre), DataValues(w.Values))
	if err != nil {
		t.Fatalf("%s: %v", w.Name, err)
	}
	return g
}

// TestGeometryMap sends every grid's map through CBOR and JSON, and expects the same grid.
// They change the types of its values.
func TestGeometryMap(t *testing.T) {
	ways := map[string]func(map[string]any) (map[string]any, error){
		"as it is": func(m map[string]any) (map[string]any, error) { return m, nil },
		"CBOR": func(m map[string]any) (out map[string]any, err error) {
			b, err := cbor.Marshal(m)
			if err == nil {
				err = cbor.Unmarshal(b, &out)
			}
			return out, err
		},
		"JSON": func(m map[string]any) (out map[string]any, err error) {
			b, err := json.Marshal(m)
			if err == nil {
				err = json.Unmarshal(b, &out)
			}
			return out, err
		},
	}
	eachFrozen(t, func(w *frozen, b []byte) {
		g := parsed(t, w, b)
		for way, through := range ways {
			m, err := through(g.Geometry())
			if err != nil {
				t.Fatalf("%s, %s: %v", w.Name, way, err)
			}
			h, err := FromGeometry(m)
			if err != nil {
				t.Errorf("%s, %s: %v", w.Name, way, err)
				continue
			}
			if h.Key() != g.Key() || !slices.Equal(h.Shape(), g.Shape()) || !slices.Equal(h.Dims(), g.Dims()) || h.GridType != g.GridType {
				t.Errorf("%s, %s: %s %v %v became %s %v %v", w.Name, way, g.GridType, g.Dims(), g.Shape(), h.GridType, h.Dims(), h.Shape())
			}
			if g.NumberOfDataPoints < 1e5 {
				sameCoordinates(t, w.Name, g, h)
			}
		}
	})
}

func sameCoordinates(t *testing.T, name string, g, h *Grid) {
	t.Helper()
	lat1, lon1, err1 := g.Coordinates()
	lat2, lon2, err2 := h.Coordinates()
	if fmt.Sprint(err1) != fmt.Sprint(err2) || checksum(lat1) != checksum(lat2) || checksum(lon1) != checksum(lon2) {
		t.Errorf("%s: the coordinates change on the way through the geometry map (%v, %v)", name, err1, err2)
	}
}

func TestFromGeometryRefuses(t *testing.T) {
	good := func() map[string]any {
		return map[string]any{
			"gridType": "reduced_gg", "edition": 2, "gridDefinitionTemplateNumber": 40, "numberOfDataPoints": 88, "Nj": 4, "N": 2,
			"pl": []int64{20, 24, 24, 20}, "latitudeOfFirstGridPointInDegrees": 59.44, "longitudeOfFirstGridPointInDegrees": 0,
			"latitudeOfLastGridPointInDegrees": -59.44, "longitudeOfLastGridPointInDegrees": 345,
		}
	}
	g, err := FromGeometry(good())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Coordinates(); err != nil {
		t.Fatal(err)
	}
	if m := g.Geometry(); m["gridName"] != "O2" || m["pl"] != nil {
		t.Errorf("the octahedral list is written as %v %v", m["gridName"], m["pl"])
	}
	for key, value := range map[string]any{
		"edition": 3, "numberOfDataPoints": -1, "pl": []any{"x"}, "N": 0.5, "gridType": 7, "latitudeOfFirstGridPointInDegrees": "north",
		"gridDefinitionTemplateNumber": []byte{1},
	} {
		m := good()
		m[key] = value
		var g *GeometryError
		var l *LimitError
		if _, err := FromGeometry(m); !errors.As(err, &g) && !errors.As(err, &l) {
			t.Errorf("%s = %v: error %v", key, value, err)
		}
	}
	for _, name := range []string{"O3", "N2", "O2000000000", "", "O"} {
		m := good()
		delete(m, "pl")
		m["gridName"] = name
		var g *GeometryError
		if _, err := FromGeometry(m); !errors.As(err, &g) {
			t.Errorf("gridName %q: error %v", name, err)
		}
	}
	m := map[string]any{"gridType": "regular_ll", "edition": 2, "gridDefinitionTemplateNumber": 0, "numberOfDataPoints": 0, "Ni": int64(1) << 40, "Nj": int64(1) << 40}
	if g, err := FromGeometry(m); err != nil || g.Separable() {
		t.Errorf("rows and columns whose product overflows: %v, %v", g, err)
	}
	if _, err := FromGeometry(good(), MaxPoints(80)); !errors.As(err, new(*LimitError)) {
		t.Errorf("88 points where 80 are allowed: %v", err)
	}
}

// TestShapes holds dims and shapes of each family.
func TestShapes(t *testing.T) {
	want := map[string][]string{
		"regular_ll": {"latitude", "longitude"}, "regular_gg": {"latitude", "longitude"}, "mercator": {"latitude", "longitude"},
		"rotated_ll": {"y", "x"}, "lambert": {"y", "x"}, "polar_stereographic": {"y", "x"}, "space_view": {"y", "x"}, "rotated_gg": {"y", "x"},
		"lambert_azimuthal_equal_area": {"y", "x"}, "albers": {"y", "x"}, "stretched_ll": {"y", "x"}, "stretched_gg": {"y", "x"},
		"equatorial_azimuthal_equidistant": {"y", "x"},
		"reduced_gg":                       {"values"}, "reduced_rotated_gg": {"values"}, "reduced_ll": {"values"}, "healpix": {"values"}, "unknown_PLPresent": {"values"},
		"cross_section": {"values"}, "triangular_grid": {"values"}, "polar_stereographic_bf": {"values"},
		"sh": {"coefficient", "part"}, "rotated_sh": {"coefficient", "part"},
	}
	eachFrozen(t, func(w *frozen, b []byte) {
		g := parsed(t, w, b)
		if d := g.Dims(); !slices.Equal(d, want[g.GridType]) && (g.rectangular() || g.Ni == 0) {
			t.Errorf("%s (%s) has dims %v, want %v", w.Name, g.GridType, d, want[g.GridType])
		}
		n := 1
		for _, s := range g.Shape() {
			n *= s
		}
		if n != g.NumberOfDataPoints || len(g.Shape()) != len(g.Dims()) {
			t.Errorf("%s (%s): shape %v of %d points", w.Name, g.GridType, g.Shape(), g.NumberOfDataPoints)
		}
		lat, lon, err := g.Coordinates()
		if err == nil && g.Separable() && (len(lat) != g.Nj || len(lon) != g.Ni) {
			t.Errorf("%s: axes of %d and %d", w.Name, len(lat), len(lon))
		}
		if err != nil && !errors.As(err, new(*CoordinateError)) {
			t.Errorf("%s: %v", w.Name, err)
		}
		if check := g.CheckCoordinates(); !reflect.DeepEqual(check, err) {
			t.Errorf("%s: CheckCoordinates gives %v, Coordinates %v", w.Name, check, err)
		}
	})
}

func TestTruncatedSections(t *testing.T) {
	eachFrozen(t, func(w *frozen, b []byte) {
		for n := range min(len(b), 130) {
			if _, err := Parse(w.Edition, b[:n]); !errors.As(err, new(*FormatError)) {
				t.Fatalf("%s cut to %d octets: %v", w.Name, n, err)
			}
		}
	})
}

func TestParseRefuses(t *testing.T) {
	ll := latLonSection(3, 2)
	change := func(octet int, v ...byte) []byte {
		b := slices.Clone(ll)
		copy(b[octet-1:], v)
		return b
	}
	for name, b := range map[string][]byte{
		"no octets": nil, "section 4": change(5, 4), "length 10": change(1, 0, 0, 0, 10), "length 73": change(1, 0, 0, 0, 73), "length 71": change(1, 0, 0, 0, 71),
	} {
		if _, err := Parse(2, b); !errors.As(err, new(*FormatError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse(3, ll); !errors.As(err, new(*FormatError)) {
		t.Errorf("edition 3: %v", err)
	}
	if _, err := Parse(2, ll, MaxPoints(5)); !errors.As(err, new(*LimitError)) {
		t.Errorf("6 points where 5 are allowed: %v", err)
	}
	g, err := Parse(2, change(13, 0x7f, 0x01))
	if err != nil || g.GridType != "unknown" || g.HasCoordinates() || !slices.Equal(g.Shape(), []int{6}) {
		t.Errorf("an unknown template: %+v, %v", g, err)
	}
	if g, err = Parse(2, change(7, 0, 0, 0, 7)); err != nil || len(g.Shape()) != 1 {
		t.Fatalf("7 points in 2 rows of 3: %v, %v", g, err)
	}
	if _, _, err := g.Coordinates(); !errors.As(err, new(*CoordinateError)) {
		t.Errorf("coordinates of 7 points in 2 rows of 3: %v", err)
	}
}

// latLonSection is a section 3 with template 3.0: whole degrees from 10 N 350 E on, southwards.
func latLonSection(ni, nj int) []byte {
	b := make([]byte, 72)
	put := func(octet, v int) {
		b[octet-1], b[octet], b[octet+1], b[octet+2] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	put(1, 72)
	b[4] = 3
	put(7, ni*nj)
	b[14] = 6
	put(31, ni)
	put(35, nj)
	put(47, 10e6)
	put(51, 350e6)
	b[54] = 0x30
	put(56, (10-nj+1)*1e6)
	put(60, (350+ni-1)%360*1e6)
	put(64, 1e6)
	put(68, 1e6)
	return b
}

func TestAcrossGreenwich(t *testing.T) {
	g, err := Parse(2, latLonSection(20, 3))
	if err != nil {
		t.Fatal(err)
	}
	lat, lon, err := g.Coordinates()
	if err != nil || !slices.Equal(lat, []float64{10, 9, 8}) || lon[0] != -10 || lon[10] != 0 || lon[19] != 9 {
		t.Errorf("%v %v %v", lat, lon, err)
	}
	e, ok := g.Extent()
	if want := (Extent{10, 350, 8, 9, 1, 1, 0}); !ok || e != want {
		t.Errorf("extent %+v, want %+v", e, want)
	}
}

func TestKey(t *testing.T) {
	a, _ := Parse(2, latLonSection(20, 3))
	b, _ := Parse(2, append(latLonSection(20, 3), 1, 2, 3))
	c, _ := Parse(2, latLonSection(21, 3))
	if a.Key() != b.Key() || a.Key() == c.Key() {
		t.Errorf("keys %x %x %x", a.Key(), b.Key(), c.Key())
	}
	keys := map[Key]string{}
	eachFrozen(t, func(w *frozen, s []byte) {
		g := parsed(t, w, s)
		if other, ok := keys[g.Key()]; ok && !reflect.DeepEqual(g.Geometry(), parsedGeometry(t, other)) {
			t.Errorf("%s and %s have the same key", w.Name, other)
		}
		keys[g.Key()] = w.Section + fmt.Sprint(" ", w.Edition, " ", w.Centre, " ", w.Values)
	})
}

func parsedGeometry(t *testing.T, s string) map[string]any {
	var section string
	var w frozen
	if _, err := fmt.Sscan(s, &section, &w.Edition, &w.Centre, &w.Values); err != nil {
		t.Fatal(err)
	}
	var b []byte
	if _, err := fmt.Sscanf(section, "%x", &b); err != nil {
		t.Fatal(err)
	}
	return parsed(t, &w, b).Geometry()
}

func TestPredefined(t *testing.T) {
	g, coded, err := Predefined(26)
	if err != nil || coded != 1297 || !slices.Equal(g.Shape(), []int{19, 72}) {
		t.Fatalf("%v %d %v", g, coded, err)
	}
	lat, lon, err := g.Coordinates()
	if err != nil || lat[0] != -90 || lat[18] != 0 || lon[1] != 5 || lon[71] != 355 {
		t.Errorf("%v %v %v", lat, lon, err)
	}
	if _, _, err := Predefined(2); !errors.As(err, new(*FormatError)) {
		t.Errorf("grid 2: %v", err)
	}
}

// TestNCEP places NCEP's grid by its centre. The middle of the grid is there, and the first point
// where the section says.
func TestNCEP(t *testing.T) {
	f := &rotatedNCEP{lat1: -10.590603, lon1: 220.914439, lat0: 54, lon0: 254, di: 0.121813, dj: 0.121813}
	g := &Grid{GridType: "ncep_32769", Edition: 2, Template: 32769, Ni: 953, Nj: 834, NumberOfDataPoints: 953 * 834, Scan: 0x40, family: f}
	lat, lon, err := g.Coordinates()
	if err != nil || math.Abs(lat[0]-f.lat1) > 1e-9 || math.Abs(lon[0]-f.lon1) > 1e-9 {
		t.Fatalf("%v %v %v", lat[0], lon[0], err)
	}
	// The grid is symmetric about the meridian of the centre. It lies between its middle
	// columns or on the middle column.
	if mid := 417*953 + 476; math.Abs(lat[mid]-f.lat0) > 0.13 || math.Abs(lon[mid]-f.lon0) > 0.13 {
		t.Errorf("the middle is at %v %v", lat[mid], lon[mid])
	}
	if west, east := lon[0]-f.lon0, lon[952]-f.lon0; math.Abs(west+east) > 0.02 {
		t.Errorf("the first row reaches from %v to %v degrees", west, east)
	}
}

// TestMissingIncrements: increments not given follow from the corner points.
func TestMissingIncrements(t *testing.T) {
	b := latLonSection(5, 5)
	b[54] = 0
	g, err := Parse(2, b)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := g.Extent()
	lat, _, err := g.Coordinates()
	if err != nil || !math.IsNaN(e.IncrementI) || !math.IsNaN(e.IncrementJ) || !slices.Equal(lat, []float64{10, 9, 8, 7, 6}) {
		t.Errorf("%v %+v %v", lat, e, err)
	}
}

// TestReducedWithoutList reads a reduced Gaussian grid of edition 1 whose section ends before the
// list of points along each parallel.
func TestReducedWithoutList(t *testing.T) {
	b := []byte{0, 0, 32, 0, 255, 4, 0xff, 0xff, 0, 64, 0x01, 0x57, 0x38, 0, 0, 0, 0, 0x81, 0x57, 0x38, 0x05, 0x73, 0x44, 0xff, 0xff, 0, 32, 0, 0, 0, 0, 0}
	g, err := Parse(1, b)
	if err != nil || g.NumberOfDataPoints != 0 {
		t.Errorf("%+v, %v, expected a grid of an unknown number of points", g, err)
	}
}
