package pyramid_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/pyramid"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

const fixtures = "../../../../../fixtures/"

// open returns the store of the maps of a file, and its fields.
func open(t testing.TB, name string, opts pyramid.Options) (zarr.Store, *pyramid.View, []*look.Field) {
	t.Helper()
	a, err := archive.Open(t.Context(), []string{name}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	v := pyramid.New(a.Set, a, serve.NewDatasetView(a.Set, a, serve.DatasetOptions{}), opts)
	fields, err := look.DatasetFields(t.Context(), a.Set, a, look.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return serve.NewStore(v, serve.StoreOptions{}), v, fields
}

// level reads one map of a level.
func level(t testing.TB, s zarr.Store, path string, lead ...uint64) (values []float64, rows, cols int) {
	t.Helper()
	a, err := zarr.OpenArray(t.Context(), s, path)
	if err != nil {
		t.Fatal(err)
	}
	shape := a.Metadata().Shape
	n := len(lead)
	rows, cols = int(shape[n]), int(shape[n+1])
	start, count := append(append([]uint64{}, lead...), 0, 0), make([]uint64, n+2)
	for i := range lead {
		count[i] = 1
	}
	count[n], count[n+1] = shape[n], shape[n+1]
	data := make([]byte, 4*rows*cols)
	if err := a.ReadRegion(t.Context(), data, start, count); err != nil {
		t.Fatal(err)
	}
	for ; len(data) > 0; data = data[4:] {
		values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
	}
	return values, rows, cols
}

// coordinate reads the latitudes or longitudes of a level.
func coordinate(t testing.TB, s zarr.Store, path string) (values []float64) {
	t.Helper()
	a, err := zarr.OpenArray(t.Context(), s, path)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 8*a.Metadata().Shape[0])
	if err := a.Read(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	for ; len(data) > 0; data = data[8:] {
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return values
}

// TestFinestLevel compares the finest level with the values of the field that are nearest to its cells, whatever
// the grid and the order of its points.
func TestFinestLevel(t *testing.T) {
	for _, c := range []struct {
		file, path string
		exact      bool
		lead       []uint64
		field      int // of the positions along the other dimensions
	}{
		{"grib/gfs_2p50_f000.grib2", "VRATE/0/VRATE", true, nil, 0},
		{"grib/2t.grib2", "t2m/0/t2m", true, nil, 0},
		{"grib/cfgrib/era5-levels-members.grib", "t/0/t", true, []uint64{3, 1, 1}, (3*4+1)*2 + 1},
		{"grib/cfgrib/reduced_gg.grib", "u10/0/u10", false, nil, 0},
		{"grib/cfgrib/lambert_grid.grib", "", false, nil, 0},
		{"grib/cfgrib/regular_gg_sfc.grib", "", false, nil, 0},
		{"grib/earthkit/O32_global.grib2", "", false, nil, 0},
		{"grib/earthkit/rotated_wind_20x20.grib", "", false, nil, 0},
		{"grib/earthkit/ll_sn_scanning_mode.grib", "", true, nil, 0},
		{"grib/cfgrib/scanning_mode_64.grib", "", true, nil, 0},
		{"grib/cfgrib/fields_with_missing_values.grib", "", true, nil, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			s, v, fields := open(t, fixtures+c.file, pyramid.Options{})
			d, err := v.Document(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			path, f := c.path, fields[0]
			if path == "" {
				path = d.Fields[0].Path + "/0/" + d.Fields[0].Name
				c.lead = make([]uint64, len(d.Fields[0].Lead))
			} else {
				for i, g := range fields {
					if g.Name == d.Fields[index(t, d, path)].Path {
						f = fields[i+c.field]
						break
					}
				}
			}
			got, rows, cols := level(t, s, path, c.lead...)
			dir := path[:len(path)-len(path[lastSlash(path):])]
			lats, lons := coordinate(t, s, dir+"/latitude"), coordinate(t, s, dir+"/longitude")
			want, err := f.Values(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			g, err := f.Grid(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var cells []int
			var atLat, atLon []float64
			for j := 0; j < rows; j += max(1, rows/23) {
				for i := 0; i < cols; i += max(1, cols/29) {
					// On a coarse grid near a pole, the search for pictures may find a point that
					// is not the nearest.
					if c.exact || math.Abs(lats[j]) < 75 {
						cells, atLat, atLon = append(cells, j*cols+i), append(atLat, max(-90, min(90, lats[j]))), append(atLon, lons[i])
					}
				}
			}
			nearest, err := g.NearestOf(atLat, atLon, nil)
			if err != nil {
				t.Fatal(err)
			}
			there := 0
			for n, k := range nearest {
				value := got[cells[n]]
				if value != value {
					if want[k] == want[k] && c.exact {
						t.Fatalf("nothing at %v, %v", atLat[n], atLon[n])
					}
					continue
				}
				there++
				if float32(value) != float32(want[k]) && !equallyNear(t, g, k, want, value, atLat[n], atLon[n]) {
					t.Fatalf("at %v, %v: %v, want %v", atLat[n], atLon[n], value, want[k])
				}
			}
			if there < 60 {
				t.Errorf("%d of the cells that were looked at have values", there)
			}
		})
	}
}

func lastSlash(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return i
		}
	}
	return 0
}

func index(t *testing.T, d *pyramid.Document, path string) int {
	for i, f := range d.Fields {
		if len(path) > len(f.Path) && path[:len(f.Path)+1] == f.Path+"/" {
			return i
		}
	}
	t.Fatalf("no field of %s", path)
	return 0
}

// equallyNear reports whether a value belongs to a point that is as near to a place as point k, or
// nearly.
func equallyNear(t *testing.T, g *look.Grid, k int, values []float64, value, lat, lon float64) bool {
	places := g.Places()
	la, lo, err := places.At(k)
	if err != nil {
		t.Fatal(err)
	}
	least := look.Distance(lat, lon, la, lo)
	for i, v := range values {
		if float32(v) != float32(value) {
			continue
		}
		if la, lo, err = places.At(i); err != nil {
			t.Fatal(err)
		}
		if g.Separable && math.Abs(la-lat) < 2 { // rows first, then columns
			return true
		}
		if look.Distance(lat, lon, la, lo) <= least*(1+1e-4)+1e-3 {
			return true
		}
	}
	return false
}

// TestLevelsAreMeans compares each level with the means of the level before, of values that are there.
func TestLevelsAreMeans(t *testing.T) {
	for file, name := range map[string]string{"grib/2t.grib2": "t2m", "grib/lsm.grib2": "lsm", "grib/q_150.grib2": "q"} {
		s, _, _ := open(t, fixtures+file, pyramid.Options{Gzip: true})
		fine, rows, cols := level(t, s, name+"/0/"+name)
		for l := 1; ; l++ {
			path := name + "/" + string(rune('0'+l)) + "/" + name
			got, high, wide := level(t, s, path)
			if high != (rows+1)/2 || wide != (cols+1)/2 {
				t.Fatalf("%s: %d, %d", path, high, wide)
			}
			for j := range high {
				for i := range wide {
					sum, n := 0.0, 0
					for _, k := range [][2]int{{2 * j, 2 * i}, {2 * j, 2*i + 1}, {2*j + 1, 2 * i}, {2*j + 1, 2*i + 1}} {
						if k[0] < rows && k[1] < cols {
							if v := fine[k[0]*cols+k[1]]; v == v {
								sum += v
								n++
							}
						}
					}
					want := sum / float64(n)
					if g := got[j*wide+i]; float32(g) != float32(want) && (g == g || n > 0) {
						t.Fatalf("%s at %d, %d: %v, want %v", path, j, i, g, want)
					}
				}
			}
			fine, rows, cols = got, high, wide
			if max(rows, cols) <= pyramid.TileSize {
				break
			}
		}
		if rows < 64 {
			t.Errorf("%s: the coarsest level has %d rows", file, rows)
		}
	}
}

// TestAlong compares the values at a place with the values of the maps.
func TestAlong(t *testing.T) {
	s, v, _ := open(t, fixtures+"grib/cfgrib/era5-levels-members.grib", pyramid.Options{})
	series, err := v.Along(t.Context(), "t", 48, 9, []uint64{4, 2, 0}, "number", "")
	if err != nil {
		t.Fatal(err)
	}
	got := series.Values
	lats, lons := coordinate(t, s, "t/0/latitude"), coordinate(t, s, "t/0/longitude")
	row, col := near(lats, 48), near(lons, 9)
	for i, value := range got {
		values, _, cols := level(t, s, "t/0/t", uint64(i), 2, 0)
		if float32(value) != float32(values[row*cols+col]) {
			t.Errorf("member %d: %v, the map has %v", i, value, values[row*cols+col])
		}
	}
	if len(got) != 10 {
		t.Errorf("%d members", len(got))
	}
	for _, bad := range []struct {
		path      string
		lat       float64
		at        []uint64
		dim, over string
	}{
		{"x", 0, nil, "number", ""},
		{"t", 0, []uint64{0}, "number", ""},
		{"t", 0, []uint64{0, 99, 0}, "number", ""},
		{"t", 0, []uint64{0, 0, 0}, "latitude", ""},
		{"t", 0, []uint64{0, 0, 0}, "number", "latitude"},
		{"t", math.NaN(), []uint64{0, 0, 0}, "number", ""},
	} {
		values, err := v.Along(t.Context(), bad.path, bad.lat, 0, bad.at, bad.dim, bad.over)
		if !errors.As(err, new(*pyramid.PlaceError)) {
			t.Errorf("%v: %v, %v, expected a PlaceError", bad, values, err)
		}
	}
}

// TestBands compares the bands of an ensemble with the members.
func TestBands(t *testing.T) {
	_, v, _ := open(t, fixtures+"grib/cfgrib/era5-levels-members.grib", pyramid.Options{})
	got, err := v.Along(t.Context(), "t", 48, 9, []uint64{4, 2, 1}, "time", "number")
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Values {
		members, err := v.Along(t.Context(), "t", 48, 9, []uint64{4, uint64(i), 1}, "number", "")
		if err != nil {
			t.Fatal(err)
		}
		if got.Values[i] != members.Values[4] {
			t.Errorf("time %d: member 4 is %v, expected %v", i, got.Values[i], members.Values[4])
		}
		sorted := slices.Sorted(slices.Values(members.Values))
		n := len(sorted)
		for k, want := range map[int]float64{0: sorted[0], 3: (sorted[(n-1)/2] + sorted[n/2]) / 2, 6: sorted[n-1]} {
			if math.Abs(got.Bands[k][i]-want) > 1e-9 {
				t.Errorf("time %d: band %d is %v, expected %v", i, k, got.Bands[k][i], want)
			}
		}
		if !slices.IsSortedFunc(got.Bands, func(a, b pyramid.Numbers) int { return cmp.Compare(a[i], b[i]) }) {
			t.Errorf("time %d: the bands are not in order", i)
		}
	}
	if len(got.Bands) != 7 || len(got.Values) != 4 {
		t.Errorf("%d bands of %d values", len(got.Bands), len(got.Values))
	}
}

// TestBox compares statistics of areas with statistics of the points in them.
func TestBox(t *testing.T) {
	for _, c := range []struct {
		file                     string
		north, west, south, east float64
		byArea                   bool
	}{
		{"grib/2t.grib2", 60, -10, 30, 20, true},
		{"grib/2t.grib2", 90, 170, 80, 190, true},
		{"grib/lsm.grib2", 10, -180, -90, 180, true},
		{"grib/cfgrib/reduced_gg.grib", 60, 350, 30, 370, false},
		{"grib/cfgrib/lambert_grid.grib", 58, 8, 50, 20, false},
	} {
		_, v, fields := open(t, fixtures+c.file, pyramid.Options{})
		d, err := v.Document(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Box(t.Context(), d.Fields[0].Path, c.north, c.west, c.south, c.east, make([]uint64, len(d.Fields[0].Lead)))
		if err != nil {
			t.Fatal(err)
		}
		values, err := fields[0].Values(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		g, err := fields[0].Grid(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		points, missing, sum, byArea, weights := 0, 0, 0.0, 0.0, 0.0
		for i, value := range values {
			lat, lon, err := g.Places().At(i)
			if err != nil {
				t.Fatal(err)
			}
			if lat > c.north || lat < c.south || math.Mod(lon-c.west+720, 360) > c.east-c.west {
				continue
			}
			points++
			if value != value {
				missing++
				continue
			}
			w := math.Cos(lat * math.Pi / 180)
			sum, byArea, weights = sum+value, byArea+w*value, weights+w
		}
		near := func(a pyramid.Number, b float64) bool { return math.Abs(float64(a)-b) <= 1e-9*math.Abs(b) }
		if got.Points != points || got.Missing != missing || points == 0 || !near(got.Mean, sum/float64(points-missing)) {
			t.Errorf("%s: %+v, expected %d points, %d missing, mean %v", c.file, got, points, missing, sum/float64(points-missing))
		}
		if isNaN := got.AreaMean != got.AreaMean; isNaN == c.byArea || c.byArea && !near(got.AreaMean, byArea/weights) {
			t.Errorf("%s: mean by area %v, expected %v", c.file, got.AreaMean, byArea/weights)
		}
		for _, bad := range [][4]float64{{0, 0, 10, 10}, {91, 0, 0, 10}, {10, 10, 0, 0}, {10, 0, 0, math.NaN()}} {
			if _, err := v.Box(t.Context(), d.Fields[0].Path, bad[0], bad[1], bad[2], bad[3], make([]uint64, len(d.Fields[0].Lead))); !errors.As(err, new(*pyramid.PlaceError)) {
				t.Errorf("%v: %v, expected a PlaceError", bad, err)
			}
		}
	}
}

// TestWind: the component to the east names that to the north, on the same grid.
func TestWind(t *testing.T) {
	_, v, _ := open(t, fixtures+"grib/gfs_2p50_f000.grib2", pyramid.Options{})
	d, err := v.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, f := range d.Fields {
		if f.North == "" {
			continue
		}
		pairs++
		if !strings.Contains(f.Name, "u") || strings.Replace(f.Path, f.Name, strings.Replace(f.Name, "u", "v", 1), 1) != f.North {
			t.Errorf("%s goes with %s", f.Path, f.North)
		}
	}
	if pairs < 3 {
		t.Errorf("%d pairs", pairs)
	}
}

// TestTurnedWind: components along the rows and columns of a rotated grid are turned to the east and north.
func TestTurnedWind(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{fixtures + "grib/earthkit/rotated_wind_20x20.grib"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	v := pyramid.New(a.Set, a, serve.NewDatasetView(a.Set, a, serve.DatasetOptions{}), pyramid.Options{})
	s := serve.NewStore(v, serve.StoreOptions{})
	d, err := v.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f := d.Fields[0]; f.East != "@wind/u10/east" || f.North != "@wind/u10/north" {
		t.Fatalf("the wind is %q and %q", f.East, f.North)
	}
	east, _, cols := level(t, s, "@wind/u10/east/0/east")
	north, _, _ := level(t, s, "@wind/u10/north/0/north")
	lats, lons := coordinate(t, s, "@wind/u10/east/0/latitude"), coordinate(t, s, "@wind/u10/east/0/longitude")
	// As PROJ 9 turns them (interop/zarr/check_winds.py).
	for _, want := range [][4]float64{
		{50.4690, 89.3201, 2.789, 0.348}, {-2.0836, 72.1760, 4.312, -1.598}, {-46.0418, -152.1760, 10.069, 2.817}, {18.9373, 19.3577, -6.641, -5.315},
		{18.9373, -99.3577, 0.309, -0.931}, {-35.4343, 14.5107, 9.875, -0.552}, {-30, -40, 4.877, 6.881},
	} {
		cell := near(lats, want[0])*cols + near(lons, want[1])
		if math.Abs(east[cell]-want[2]) > 0.01 || math.Abs(north[cell]-want[3]) > 0.01 {
			t.Errorf("at %v %v: %v and %v, want %v and %v", want[0], want[1], east[cell], north[cell], want[2], want[3])
		}
	}
}

// near is the number of the value nearest to x on a circle.
func near(values []float64, x float64) (best int) {
	for i, v := range values {
		if math.Abs(math.Remainder(v-x, 360)) < math.Abs(math.Remainder(values[best]-x, 360)) {
			best = i
		}
	}
	return best
}

// TestWhatCannotBeDrawn: fields without places are listed with the reason, and have no maps.
func TestWhatCannotBeDrawn(t *testing.T) {
	s, v, _ := open(t, fixtures+"grib/cfgrib/spherical_harmonics.grib", pyramid.Options{})
	d, err := v.Document(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Fields) == 0 {
		t.Fatal("no fields")
	}
	for _, f := range d.Fields {
		if f.Why == "" {
			t.Errorf("%s can be drawn", f.Path)
		}
		if _, err := zarr.OpenArray(t.Context(), s, f.Path+"/0/"+f.Name); err == nil {
			t.Errorf("%s has maps", f.Path)
		}
	}
}

// TestPaths: missing documents and chunks outside the array are not found.
func TestPaths(t *testing.T) {
	s, _, _ := open(t, fixtures+"grib/2t.grib2", pyramid.Options{})
	for _, key := range []string{
		"x/zarr.json", "t2m/9/zarr.json", "t2m/00/zarr.json", "t2m/-1/zarr.json", "t2m/0/x/zarr.json", "t2m/0/t2m/x/zarr.json",
		"t2m/0/t2m/c/0", "t2m/0/t2m/c/0/0/0", "t2m/0/t2m/c/9/0", "t2m/0/t2m/c/0/9", "t2m/0/latitude/c/1",
	} {
		if value, err := s.Open(t.Context(), key); err == nil {
			value.Close()
			t.Errorf("%s is there", key)
		}
	}
}

// TestGzip: a tile that is compressed has the bytes of one that is not.
func TestGzip(t *testing.T) {
	var bodies [2][]byte
	for i := range bodies {
		s, _, _ := open(t, fixtures+"grib/2t.grib2", pyramid.Options{Gzip: i == 1})
		body, err := zarr.ReadAll(context.Background(), s, "t2m/1/t2m/c/0/1", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		bodies[i] = body
	}
	r, err := gzip.NewReader(bytes.NewReader(bodies[1]))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(plain, bodies[0]) || len(plain) != 4*pyramid.TileSize*pyramid.TileSize {
		t.Errorf("%d bytes and %d differ: %v", len(plain), len(bodies[0]), err)
	}
}
