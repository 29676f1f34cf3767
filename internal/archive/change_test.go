package archive_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
)

func changed(t *testing.T, change dataset.Change, names ...string) (*archive.Archive, error) {
	t.Helper()
	a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone, Dataset: dataset.Options{Change: change, Unpack: true}})
	if err == nil {
		t.Cleanup(func() { a.Close() })
	}
	return a, err
}

func selecting(t *testing.T, texts ...string) dataset.Change {
	t.Helper()
	list, err := dataset.ParseSelectors(texts)
	if err != nil {
		t.Fatal(err)
	}
	return dataset.Change{Select: list}
}

// values are the elements of a variable as float64, with its shape.
func values(t *testing.T, a *archive.Archive, path string) ([]float64, []int) {
	t.Helper()
	v, shape, err := a.Set.Select(path).Floats(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v, shape
}

// A selection by labels equals the whole dataset at these labels, read as an array and by positions.
func TestSelect(t *testing.T) {
	path := "../../fixtures/grib/cfgrib/era5-levels-members.grib"
	whole := open(t, archive.Options{Index: archive.IndexNone}, path)
	a, err := changed(t, selecting(t, "time=2017-01-02,level=500,lat=40:60", "lon=-10:20,number=1/3"), path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{
		"number": {1, 3}, "time": {1483315200, 1483358400}, "isobaricInhPa": {500}, "latitude": {60, 57, 54, 51, 48, 45, 42},
		"longitude": {-9, -6, -3, 0, 3, 6, 9, 12, 15, 18}, "valid_time": {1483315200, 1483358400},
	} {
		if got, _ := values(t, a, name); !slices.Equal(got, want) {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	all, shape := values(t, whole, "t")
	got, part := values(t, a, "t")
	if !slices.Equal(part, []int{2, 2, 1, 7, 10}) {
		t.Fatalf("shape %v", part)
	}
	i := 0
	for _, number := range []int{1, 3} {
		for _, time := range []int{2, 3} {
			for row := 10; row < 17; row++ {
				for column := 117; column < 127; column++ {
					at := (((number*shape[1]+time)*shape[2]+1)*shape[3]+row)*shape[4] + column%120
					if got[i] != all[at] {
						t.Fatalf("value %d is %v, expected %v", i, got[i], all[at])
					}
					i++
				}
			}
		}
	}
	v := a.Set.Variable("t")
	data, err := array.Read(t.Context(), v.Array(t.Context(), a, nil), array.Region{Start: make([]uint64, 5), Count: v.Shape}, nil)
	if err != nil || len(data) != 8*len(got) || math.Float64frombits(uint64At(data, 7)) != got[7] {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	chunk, err := a.Array(t.Context(), int(v.Refs()[0]))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := chunk.Packing(t.Context(), chunk.Info().Whole()); p == nil || err != nil {
		t.Errorf("packing %v, %v: what was packed is not any more", p, err)
	}
	if a.Version(int(v.Refs()[0])) == "" || a.Version(int(v.Refs()[0])) == whole.Version(0) {
		t.Error("a part has the version of the whole")
	}
}

func uint64At(data []byte, i int) (n uint64) {
	for k := range 8 {
		n |= uint64(data[8*i+k]) << (8 * k)
	}
	return n
}

// Without a part of a field, the objects are shown as they are.
func TestSelectObjects(t *testing.T) {
	a, err := changed(t, selecting(t, "number=2:4,time=2017-01-01T12"), "../../fixtures/grib/cfgrib/era5-levels-members.grib")
	if err != nil {
		t.Fatal(err)
	}
	v := a.Set.Variable("t")
	if !slices.Equal(v.Shape, []uint64{3, 1, 2, 61, 120}) {
		t.Errorf("shape %v", v.Shape)
	}
	for _, ref := range v.Refs() {
		if a.Set.Parts(int(ref)) != nil {
			t.Error("a whole object is a part")
		}
	}
	shown, hidden := 0, 0
	for line := range a.Set.Report.Lines() {
		if line.Path != "" {
			shown++
		} else if strings.Contains(line.Why, "--sel") {
			hidden++
		}
	}
	if shown != 12 || shown+hidden != a.Catalog.Len() {
		t.Errorf("%d objects shown, %d hidden, of %d", shown, hidden, a.Catalog.Len())
	}
}

// Steps have units, partial dates stand for all times they begin, and each error lists the labels.
func TestSelectLabels(t *testing.T) {
	steps, times, points, curvilinear := "../../fixtures/grib/cfgrib/t_analysis_and_fc_0.grib", "../../fixtures/netcdf/cf_temperature.nc", "../../fixtures/grib/cfgrib/reduced_gg.grib", "../../fixtures/grib/cfgrib/lambert_grid.grib"
	for _, test := range []struct {
		path, text, variable string
		want                 []int  // shape
		err                  string // or this
	}{
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "time=2017-01", variable: "t", want: []int{10, 4, 2, 61, 120}},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "time=2017-01-01T12:2017-01-02T00", variable: "t", want: []int{10, 2, 2, 61, 120}},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "time=2017-01-02:,level=850/500", variable: "t", want: []int{10, 2, 2, 61, 120}},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "step=0h", variable: "t", want: []int{10, 4, 2, 61, 120}},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "lat=48.2,lon=-0.4", variable: "z", want: []int{10, 4, 2, 1, 1}},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "step=6h", err: "no variable has the label 6h; there are step 0h"},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "level=500/700", err: "no variable has the label 700; there are isobaricInhPa 850, 500"},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "depth=1", err: "no variable has an axis depth; there are isobaricInhPa, latitude"},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "time=yesterday", err: `"yesterday" is no date`},
		{path: "../../fixtures/grib/cfgrib/era5-levels-members.grib", text: "number=one", err: `"one" is no number; number has 0, 1, 2`},
		{path: points, text: "lat=40:60,lon=-10:20", variable: "u10", want: nil},
		{path: points, text: "lat=50,lon=8", variable: "u10", want: []int{1}},
		{path: points, text: "lat=50", err: "both ranges or one place"},
		{path: curvilinear, text: "lat=50:55,lon=0:5", variable: "", want: nil},
		{path: times, text: "lat=0:90", variable: "temperature", want: nil},
		{path: steps, text: "time=2000", err: "no variable has the label 2000"},
	} {
		a, err := changed(t, selecting(t, test.text), test.path)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s of %s: %v, expected %q", test.text, filepath.Base(test.path), err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s of %s: %v", test.text, filepath.Base(test.path), err)
			continue
		}
		if test.variable == "" {
			continue
		}
		if _, shape := values(t, a, test.variable); test.want != nil && !slices.Equal(shape, test.want) {
			t.Errorf("%s of %s: shape %v, expected %v", test.text, filepath.Base(test.path), shape, test.want)
		}
	}
}

// The points in an area of a grid without rows and columns are chosen one by one. On a grid with
// them, the rows and columns around these are chosen.
func TestSelectArea(t *testing.T) {
	for _, name := range []string{"reduced_gg.grib", "lambert_grid.grib"} {
		path := "../../fixtures/grib/cfgrib/" + name
		whole := open(t, archive.Options{Index: archive.IndexNone}, path)
		lats, _ := values(t, whole, "latitude")
		lons, shape := values(t, whole, "longitude")
		middle := len(lats)/2 + len(lats)/5
		if len(shape) == 2 {
			middle = shape[0]/2*shape[1] + shape[1]/2
		}
		south, north := lats[middle]-4, lats[middle]+4
		west, east := math.Remainder(lons[middle], 360)-5, math.Remainder(lons[middle], 360)+5
		a, err := changed(t, dataset.Change{Select: []dataset.Selector{
			{Key: "lat", Items: []string{number(south) + ":" + number(north)}}, {Key: "lon", Items: []string{number(west) + ":" + number(east)}},
		}}, path)
		if err != nil {
			t.Fatal(err)
		}
		inside := func(lat, lon float64) bool {
			return lat >= south && lat <= north && math.Abs(math.Remainder(lon-(west+east)/2, 360)) <= 5
		}
		want := 0
		for i := range lats {
			if inside(lats[i], lons[i]) {
				want++
			}
		}
		lats, shape = values(t, a, "latitude")
		lons, _ = values(t, a, "longitude")
		got := 0
		for i := range lats {
			if inside(lats[i], lons[i]) {
				got++
			}
		}
		if got != want || want == 0 || len(shape) == 1 && len(lats) != want || len(lats) > 4*want {
			t.Errorf("%s: %d of %d points of %v are inside, expected %d", name, got, len(lats), shape, want)
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// dateOf is a value of the coordinate of times as a date.
func dateOf(t *testing.T, a *archive.Archive, v float64) string {
	t.Helper()
	units, _ := a.Set.Variable("time").Attr(cf.AttrUnits).(string)
	u, err := cf.ParseTimeUnits(units, "")
	if err != nil {
		t.Fatal(err)
	}
	date, _ := u.Date(v)
	return date.String()
}

// Records of several netCDF files that share chunks are chosen from these.
func TestSelectJoined(t *testing.T) {
	dir := t.TempDir()
	copied(t, dir, "netcdf/unlimited_time.nc", "a.nc")
	whole := open(t, archive.Options{Index: archive.IndexNone}, dir)
	random := rand.New(rand.NewPCG(3, 4))
	for _, g := range whole.Set.Groups {
		for _, v := range g.Variables {
			if len(v.Dims) == 0 || v.Dims[0] != "time" || v.Coordinate {
				continue
			}
			all, shape := values(t, whole, v.Name)
			times, _ := values(t, whole, "time")
			row := len(all) / shape[0]
			for range 5 {
				i := random.IntN(shape[0])
				j := i + random.IntN(shape[0]-i)
				from, to := dateOf(t, whole, times[i]), dateOf(t, whole, times[j])
				a, err := changed(t, selecting(t, "time="+from+":"+to), dir)
				if err != nil {
					t.Fatal(err)
				}
				if got, _ := values(t, a, v.Name); !slices.Equal(got, all[i*row:(j+1)*row]) {
					t.Errorf("%s from %s to %s: %d values, expected %d", v.Name, from, to, len(got), (j+1-i)*row)
				}
			}
		}
	}
}

func TestRename(t *testing.T) {
	path := "../../fixtures/grib/cfgrib/era5-levels-members.grib"
	change := selecting(t, "pressure=500")
	change.Rename = [][2]string{{"isobaricInhPa", "pressure"}, {"t", "temperature"}}
	change.Drop = []string{"z"}
	a, err := changed(t, change, path)
	if err != nil {
		t.Fatal(err)
	}
	v := a.Set.Variable("temperature")
	if v == nil || !slices.Contains(v.Dims, "pressure") || a.Set.Variable("pressure") == nil || a.Set.Variable("z") != nil || a.Set.Variable("isobaricInhPa") != nil {
		t.Errorf("%+v", a.Set.Groups[0].Variables)
	}
	for _, bad := range []struct {
		change dataset.Change
		want   string
	}{
		{dataset.Change{Rename: [][2]string{{"nothing", "x"}}}, "there is no variable or dimension nothing; there are z, t, "},
		{dataset.Change{Rename: [][2]string{{"z", "t"}}}, "there is one of that name"},
		{dataset.Change{Variables: []string{"msl"}}, "there is no variable msl; there are z, t, "},
		{dataset.Change{Drop: []string{"msl"}}, "there is no variable msl"},
	} {
		if _, err := changed(t, bad.change, path); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, expected %q", err, bad.want)
		}
	}
	a, err = changed(t, dataset.Change{Variables: []string{"t"}}, path)
	if err != nil || a.Set.Variable("z") != nil || a.Set.Variable("latitude") == nil || a.Set.Variable("valid_time") == nil {
		t.Errorf("%v: t without its coordinates, or with z", err)
	}
}
