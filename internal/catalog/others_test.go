package catalog

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// message writes objects of zeros and reads them back.
func message(t testing.TB, extra map[string]any, bases []map[string]any, shapes ...[]uint64) (*tgm.Message, error) {
	t.Helper()
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	w.SetExtra(extra)
	for i, shape := range shapes {
		n := uint64(1)
		for _, d := range shape {
			n *= d
		}
		field, err := tgm.EncodeArray(tgm.Array{Shape: shape, DType: tgm.Float32, Data: make([]byte, 4*n)}, tgm.Pipeline{})
		if err == nil {
			err = w.Append(field, bases[i])
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	f, err := tgm.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	return m, nil
}

func TestAxesOfOthers(t *testing.T) {
	named := func(names ...string) (bases []map[string]any) {
		for _, name := range names {
			bases = append(bases, map[string]any{"name": name})
		}
		return bases
	}
	type shapes = [][]uint64
	for _, test := range []struct {
		of     string
		extra  map[string]any
		bases  []map[string]any
		shapes shapes
		want   []string // dimensions of each object
	}{
		{"names in any case", nil, named("LAT", "Lon", "t"), shapes{{3}, {4}, {3, 4}}, []string{"[latitude]", "[longitude]", "[latitude longitude]"}},
		{"equal lengths: the last axes are the horizontal ones", nil, named("level", "lat", "lon", "t"), shapes{{4}, {4}, {4}, {4, 4, 4}},
			[]string{"[level]", "[latitude]", "[longitude]", "[level latitude longitude]"}},
		{"more axes than coordinates", nil, named("time", "t"), shapes{{4}, {4, 4}}, []string{"[time]", "[time dim_1]"}},
		{"points", nil, named("lat", "lon", "t"), shapes{{7}, {7}, {3, 7}}, []string{"[values]", "[values]", "[dim_0 values]"}},
		{"points by the name of their axis", nil, []map[string]any{{"name": "lat"}, {"name": "lon"}, {"name": "t", "dim_names": []any{"station"}}},
			shapes{{7}, {7}, {7}}, []string{"[station]", "[station]", "[station]"}},
		{"axes by the names of the field", nil, []map[string]any{{"name": "lat"}, {"name": "lon"}, {"name": "t", "dim_names": []any{"lat"}}},
			shapes{{7}, {7}, {7}}, []string{"[latitude]", "[longitude]", "[latitude]"}},
		{"lengths that the message names", map[string]any{"dim_names": map[string]any{"5": "values", "3": "level"}}, named("q"), shapes{{5, 3}}, []string{"[values level]"}},
		{"a list that the message has", map[string]any{"dim_names": []any{"a", "b"}}, named("q"), shapes{{5, 3}}, []string{"[a b]"}},
		{"latitudes without longitudes", nil, named("lat", "t"), shapes{{5}, {5, 3}}, []string{"[latitude]", "[latitude dim_1]"}},
		{"two dimensions", nil, named("lat", "lon", "t"), shapes{{5, 3}, {5, 3}, {2, 5, 3}}, []string{"[y x]", "[y x]", "[dim_0 y x]"}},
		{"levels in the metadata", nil, []map[string]any{{"name": "t", "mars": map[string]any{"levelist": []any{int64(500), int64(850)}}}},
			shapes{{6, 2}}, []string{"[dim_0 level]"}},
		{"a name twice", nil, named("lat", "lat", "lon", "t"), shapes{{3}, {5}, {4}, {3, 4}}, []string{"[latitude]", "[dim_0]", "[longitude]", "[latitude longitude]"}},
		{"names that are not distinct", nil, []map[string]any{{"name": "t", "dim_names": []any{"a", "a"}}}, shapes{{3, 3}}, []string{"[dim_0 dim_1]"}},
	} {
		m, err := message(t, test.extra, test.bases, test.shapes...)
		if err != nil {
			t.Fatalf("%s: %v", test.of, err)
		}
		entries, err := translated(m, test.extra)
		if err != nil {
			t.Fatalf("%s: %v", test.of, err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, fmt.Sprint(e[mapping.KeyDims]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, expected %v", test.of, got, test.want)
		}
	}
}

// TestNamespacesOfOthers looks for the keys of an object in its entry, in its descriptor and in its message.
func TestNamespacesOfOthers(t *testing.T) {
	keys := func(pairs ...string) map[string]any {
		m := make(map[string]any)
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	base := map[string]any{"name": "t", "mars": keys("param", "t"), "bids": "text"}
	params := map[string]any{"mars": keys("param", "q", "date", "20260401"), "product": keys("run", "1"), "bids": keys("task", "rest"), "units": "K"}
	extra := map[string]any{"mars": keys("date", "20260402", "class", "od"), "run": keys("id", "7")}
	got := fmt.Sprint(withNamespaces(base, params, extra))
	if want := "map[bids:text mars:map[class:od date:20260401 param:t] name:t product:map[run:1]]"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	if want := "map[bids:text mars:map[param:t] name:t]"; fmt.Sprint(base) != want {
		t.Errorf("the entry became %v", base)
	}
}

// FuzzOthers gives the translation any names, keys and shapes: each object has as many distinct names of dimensions as
// it has dimensions, and all scalars of it are kept.
func FuzzOthers(f *testing.F) {
	f.Add("lat", "lon", "t", "values", "step", int64(6), uint8(3), uint8(4), uint8(0))
	f.Add("level", "LATITUDE", "", "", "mars.step", int64(-1), uint8(4), uint8(4), uint8(4))
	f.Add("time", "time", "time", "time", "levelist", int64(1<<62), uint8(1), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, a, b, c, dim, key string, value int64, n, m, k uint8) {
		bases := []map[string]any{{"name": a}, {"name": b, "dim_names": []any{dim}}, {"name": c, key: value, "mars": map[string]any{key: value, "param": a}}}
		shapes := [][]uint64{{uint64(n)}, {uint64(m)}, {uint64(k), uint64(n), uint64(m)}}
		extra := map[string]any{"dim_names": map[string]any{fmt.Sprint(n): dim}}
		made, err := message(t, extra, bases, shapes...)
		if err != nil {
			t.Skip("no message has this metadata:", err)
		}
		entries, err := translated(made, extra)
		if err != nil {
			t.Skip("it cannot be translated:", err)
		}
		for i, e := range entries {
			if e == nil {
				continue
			}
			if dims := mapping.Read(e).Dims(len(shapes[i])); !distinctNames(dims) || len(dims) != len(shapes[i]) {
				t.Errorf("object %d of shape %v has dimensions %q", i, shapes[i], dims)
			}
			if mapping.Read(e).Other() == nil || e[mapping.KeyName] == "" {
				t.Errorf("object %d: %v", i, e)
			}
		}
	})
}
