package extract_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
)

// fieldsOf lists the fields of a fixture.
func fieldsOf(ctx context.Context, file string) ([]*look.Field, func() error, error) {
	l := look.NewLister(look.Options{Slices: true})
	a, err := archive.List(ctx, []string{"../fixtures/" + file}, archive.Options{Select: l.Add})
	if err != nil {
		return nil, nil, err
	}
	fields, err := l.Fields(ctx, a)
	return fields, a.Close, err
}

func list(t testing.TB, file string) []*look.Field {
	t.Helper()
	fields, closing, err := fieldsOf(t.Context(), file)
	if err != nil || len(fields) == 0 {
		t.Fatalf("%d fields: %v", len(fields), err)
	}
	t.Cleanup(func() { closing() })
	return fields
}

// TestPoints compares records with the values of whole fields.
func TestPoints(t *testing.T) {
	box := func(n, w, s, e float64) extract.Area {
		a, err := extract.Box(n, w, s, e)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for _, test := range []struct {
		file      string
		selection extract.Selection
		count     int // of each field, -1 for any
	}{
		{"grib/2t.grib2", extract.Selection{Places: []extract.Place{{Lat: 50, Lon: 8}, {Lat: -90, Lon: 0}, {Lat: 0, Lon: 359.99}, {Lat: 0, Lon: -180}}}, 4},
		{"grib/2t.grib2", extract.Selection{Positions: [][]uint64{{5}, {720, 1439}}}, 2},
		{"grib/2t.grib2", extract.Selection{Areas: []extract.Area{box(1, 179, 0, -179)}}, 5 * 9},
		{"grib/2t.grib2", extract.Selection{Areas: []extract.Area{box(90, -180, 90, 180), box(-90, 0, -90, 360)}}, 2 * 1440},
		{"grib/cfgrib/reduced_gg.grib", extract.Selection{Areas: []extract.Area{box(50, -10, 40, 10)}}, -1},
		{"grib/cfgrib/fields_with_missing_values.grib", extract.Selection{Places: []extract.Place{{Lat: 0, Lon: 0}, {Lat: 45, Lon: -40}}}, 2},
		{"netcdf/cf_temperature_deflate.nc", extract.Selection{}, -1},
		{"netcdf/wild/roms.nc", extract.Selection{Places: []extract.Place{{Lat: 47, Lon: 9}}}, 1},
	} {
		fields := slices.DeleteFunc(list(t, test.file), func(f *look.Field) bool { return !f.HasGrid() })
		counts := make(map[*look.Field]int)
		whole := make(map[*look.Field]*look.Elements)
		for r, err := range extract.Points(t.Context(), fields, test.selection) {
			if err != nil {
				t.Fatalf("%s: %v", test.file, err)
			}
			counts[r.Field]++
			if whole[r.Field] == nil {
				if whole[r.Field], err = r.Field.Elements(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if r.Index < 0 && r.Reason != "" {
				continue
			}
			e := whole[r.Field]
			if e.Missing(r.Index) != r.Missing() || !r.Missing() && (math.Float64bits(e.Float(r.Index)) != math.Float64bits(r.Value) || string(e.AppendText(nil, r.Index)) != string(r.AppendValue(nil))) {
				t.Errorf("%s: %s at %d is %v, expected %v", test.file, r.Name, r.Index, r.Value, e.Float(r.Index))
			}
		}
		for _, f := range fields {
			if n := counts[f]; n == 0 || test.count >= 0 && n != test.count {
				t.Errorf("%s: %d records of %s, expected %d", test.file, n, f.Where, test.count)
			}
		}
	}
}

// TestBilinear interpolates a field that is linear in the longitude within cells.
func TestBilinear(t *testing.T) {
	fields := list(t, "grib/2t.grib2")
	places := []extract.Place{{Lat: 50, Lon: 8.5}, {Lat: 50, Lon: 8.75}, {Lat: 50, Lon: 8.625}, {Lat: 49.75, Lon: 8.5}, {Lat: 49.9, Lon: 8.5}, {Lat: 90, Lon: 7}, {Lat: 3, Lon: -0.05}, {Lat: 3, Lon: -0.25}, {Lat: 3, Lon: 0}}
	var v []float64
	for r, err := range extract.Points(t.Context(), fields, extract.Selection{Places: places, Bilinear: true}) {
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, r.Value)
	}
	for name, pair := range map[string][2]float64{
		"between columns":         {v[2], (v[0] + v[1]) / 2},
		"between rows":            {v[4], 0.6*v[0] + 0.4*v[3]},
		"over the first meridian": {v[6], 0.2*v[7] + 0.8*v[8]},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s: %v, expected %v", name, pair[0], pair[1])
		}
	}
}

// TestOutside finds no value for places far from the points of a grid.
func TestOutside(t *testing.T) {
	places := []extract.Place{{Lat: 50, Lon: 10}, {Lat: -50, Lon: 10}, {Name: "far", Lat: 50, Lon: 170}}
	for r, err := range extract.Points(t.Context(), list(t, "grib/earthkit/t_75_-60_10_40_5x5.grib1"), extract.Selection{Places: places}) {
		if err != nil {
			t.Fatal(err)
		}
		if is := r.Point != "1"; is != (r.Missing() && strings.Contains(r.Reason, "outside the grid")) {
			t.Errorf("point %s: %v, %q", r.Point, r.Value, r.Reason)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, text := range []string{
		"lat,lon,name\n50.5,8,a\n-90,360,b\n", "Station;Longitude;Latitude\na;8;50.5\nb;360;-90\n", "\xef\xbb\xbfname\ty\tx\na\t50.5\t8\nb\t-90\t360", "50.5,8,a\r\n-90,360,b",
	} {
		places, err := extract.ReadCSV(strings.NewReader(text))
		if want := []extract.Place{{"a", 50.5, 8}, {"b", -90, 360}}; err != nil || len(places) != 2 || places[0] != want[0] || places[1] != want[1] {
			t.Errorf("%q: %v, %v", text, places, err)
		}
	}
	for _, text := range []string{"", "a,b\n1,2", "lat,lon\n", "lat,lon\n1", "91,0", "NaN,0", "1,361", "lat,lon\n\"1,2", "1,Inf"} {
		var bad *extract.PlaceError
		if places, err := extract.ReadCSV(strings.NewReader(text)); !errors.As(err, &bad) {
			t.Errorf("%q: %v, %v", text, places, err)
		}
		if places, err := extract.ParsePlaces(text); !errors.As(err, &bad) {
			t.Errorf("%q: %v, %v", text, places, err)
		}
	}
	deep := strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 20) + strings.Repeat(`]}`, 20)
	for _, text := range []string{
		"", "[]", "{}", `{"type":"Point"}`, `{"type":"Point","coordinates":[1]}`, `{"type":"Point","coordinates":[0,91]}`, `{"type":"Point","coordinates":{}}`,
		`{"type":"Feature","geometry":null}`, `{"type":"FeatureCollection","features":[]}`, `{"type":"LineString","coordinates":[[0,0],[1,1]]}`, deep, strings.Repeat("[", 1e5),
		`{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}`, `{"type":"Polygon","coordinates":[]}`, `{"type":"Polygon","coordinates":[[[0,0],[1,91],[1,0],[0,0]]]}`,
	} {
		var bad *extract.PlaceError
		if places, err := extract.ReadGeoJSON(strings.NewReader(text)); !errors.As(err, &bad) {
			t.Errorf("%.60q: %v, %v", text, places, err)
		}
		if areas, err := extract.ReadPolygons(strings.NewReader(text)); !errors.As(err, &bad) {
			t.Errorf("%.60q: %v, %v", text, areas, err)
		}
	}
}

func FuzzPlaces(f *testing.F) {
	for _, text := range []string{"lat,lon\n1,2", `{"type":"Point","coordinates":[1,2]}`, `{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,0]]]}`, "1,2;3,4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, read := range map[string]func() ([]extract.Place, error){
			"csv": func() ([]extract.Place, error) { return extract.ReadCSV(strings.NewReader(text)) },
			"geo": func() ([]extract.Place, error) { return extract.ReadGeoJSON(strings.NewReader(text)) },
			"at":  func() ([]extract.Place, error) { return extract.ParsePlaces(text) },
		} {
			places, err := read()
			if err == nil && len(places) == 0 {
				t.Errorf("%s: neither a place nor an error", name)
			}
			for _, p := range places {
				if err == nil && !(p.Lat >= -90 && p.Lat <= 90 && p.Lon >= -360 && p.Lon <= 360) {
					t.Errorf("%s: %v", name, p)
				}
			}
		}
		_, _ = extract.ReadPolygons(strings.NewReader(text))
	})
}
