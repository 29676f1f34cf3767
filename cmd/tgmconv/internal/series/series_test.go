package series_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/netcdf"
)

// records are the records of a fixture with members, levels and times, at two places.
func records(t *testing.T) (series.Records, []extract.Record) {
	t.Helper()
	l := look.NewLister(look.Options{})
	a, err := archive.List(t.Context(), []string{"../../../../fixtures/grib/cfgrib/era5-levels-members.grib"}, archive.Options{Select: l.Add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	fields, err := l.Fields(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	places := []extract.Place{{Name: "=Frankfurt, \"Main\"", Lat: 50.1, Lon: 8.7}, {Lat: -33.9, Lon: 151.2}}
	all := extract.Points(t.Context(), fields, extract.Selection{Places: places})
	var list []extract.Record
	for r, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) != 2*len(fields) {
		t.Fatalf("%d records of %d fields", len(list), len(fields))
	}
	return all, list
}

func TestCSV(t *testing.T) {
	all, want := records(t)
	var out bytes.Buffer
	if err := series.CSV(&out, all); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(want) || !slices.Equal(rows[0], series.Columns) {
		t.Fatalf("%d lines, %v: %v", len(rows), rows[0], err)
	}
	for i, row := range rows[1:] {
		r := &want[i]
		value, err := strconv.ParseFloat(row[10], 64)
		if err != nil || value != r.Value || row[6] != r.ValidTime || row[9] != r.Name || row[7] != strconv.FormatInt(r.Number.Value, 10) || strings.TrimPrefix(row[0], "'") != r.Point {
			t.Fatalf("line %d is %q, expected %+v", i+2, row, r)
		}
	}
	if rows[1][0] != `'=Frankfurt, "Main"` {
		t.Errorf("the name is %q, which spreadsheets take for a formula", rows[1][0])
	}
}

func TestJSONLines(t *testing.T) {
	all, want := records(t)
	var out bytes.Buffer
	if err := series.JSONLines(&out, all); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var got struct {
			Point           string
			Latitude, Value *float64
			Level           float64
			ValidTime       string `json:"valid_time"`
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		r := &want[i]
		if got.Point != r.Point || *got.Latitude != r.Latitude || *got.Value != r.Value || got.Level != r.Level.Value || got.ValidTime != r.ValidTime {
			t.Fatalf("line %d is %s, expected %+v", i+1, line, r)
		}
	}
}

func TestParquet(t *testing.T) {
	all, want := records(t)
	var out bytes.Buffer
	if err := series.Parquet(&out, all); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Point string    `parquet:"point"`
		Valid time.Time `parquet:"valid_time,timestamp(millisecond)"`
		Value float64   `parquet:"value"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(rows) != len(want) {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, got := range rows {
		r := &want[i]
		if got.Point != r.Point || got.Value != r.Value || got.Valid.UTC().Format(time.RFC3339) != r.ValidTime {
			t.Fatalf("row %d is %+v, expected %+v", i, got, r)
		}
	}
}

// TestNetCDF finds each record in the file.
func TestNetCDF(t *testing.T) {
	all, want := records(t)
	name := filepath.Join(t.TempDir(), "series.nc")
	sink, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	if err := series.NetCDF(t.Context(), sink, all); err != nil {
		t.Fatal(err)
	}
	f, err := netcdf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	numbers := func(name string) []float64 {
		v := f.Root().Var(name)
		if v == nil {
			t.Fatalf("the file has no variable %s", name)
		}
		values, err := v.Float64s(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	times, levels, members := numbers("time"), numbers("level"), numbers("number")
	values := map[string][]float64{"t": numbers("t"), "z": numbers("z")}
	if n := 2 * len(members) * len(levels) * len(times); len(values["t"]) != n || len(want) != 2*n {
		t.Fatalf("%d values, expected %d of %d records", len(values["t"]), n, len(want))
	}
	for i := range want {
		r := &want[i]
		valid, err := time.Parse(time.RFC3339, r.ValidTime)
		if err != nil {
			t.Fatal(err)
		}
		at := i % 2
		at = at*len(members) + slices.Index(members, float64(r.Number.Value))
		at = at*len(levels) + slices.Index(levels, r.Level.Value)
		at = at*len(times) + slices.Index(times, float64(valid.Unix()))
		if got := values[r.Name][at]; math.Float64bits(got) != math.Float64bits(r.Value) {
			t.Fatalf("%s at %d is %v, expected %v", r.Name, at, got, r.Value)
		}
	}
}

func TestCoverageJSON(t *testing.T) {
	all, want := records(t)
	var out bytes.Buffer
	if err := series.CoverageJSON(&out, all); err != nil {
		t.Fatal(err)
	}
	var c struct {
		Type, DomainType string
		Parameters       map[string]any
		Coverages        []struct {
			ID     string
			Number int64 `json:"tgmconv:number"`
			Domain struct {
				Axes struct {
					X, Y, Z struct{ Values []float64 }
					T       struct{ Values []string }
				}
			}
			Ranges map[string]struct{ Values []float64 }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &c); err != nil {
		t.Fatal(err)
	}
	type key struct {
		point, name, valid string
		level              float64
		number             int64
	}
	found := make(map[key]float64)
	for _, one := range c.Coverages {
		for name, r := range one.Ranges {
			for i, at := range one.Domain.Axes.T.Values {
				found[key{one.ID, name, at, one.Domain.Axes.Z.Values[0], one.Number}] = r.Values[i]
			}
			if !slices.IsSorted(one.Domain.Axes.T.Values) {
				t.Errorf("the times are %v", one.Domain.Axes.T.Values)
			}
		}
	}
	if c.Type != "CoverageCollection" || c.DomainType != "PointSeries" || len(c.Parameters) != 2 || len(found) != len(want) {
		t.Fatalf("%s of %s with %d parameters and %d values, expected %d", c.Type, c.DomainType, len(c.Parameters), len(found), len(want))
	}
	for i := range want {
		r := &want[i]
		if got := found[key{r.Point, r.Name, r.ValidTime, r.Level.Value, r.Number.Value}]; got != r.Value {
			t.Fatalf("%s is %v, expected %+v", r.Name, got, r)
		}
	}
}
