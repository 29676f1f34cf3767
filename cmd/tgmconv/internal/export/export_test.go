package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/tgm"
)

func list(t testing.TB, file string) []*look.Field {
	t.Helper()
	l := look.NewLister(look.Options{})
	a, err := archive.List(t.Context(), []string{filepath.Join("../../../../fixtures", file)}, archive.Options{Select: l.Add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	fields, err := l.Fields(t.Context(), a)
	if err != nil || len(fields) == 0 {
		t.Fatalf("%d fields: %v", len(fields), err)
	}
	return fields
}

// TestFormats: CSV, JSON and npy hold the same elements, of all selections.
func TestFormats(t *testing.T) {
	fields := list(t, "grib/2t.grib2")
	whole := tgm.Slice{Stop: math.MaxUint64, Step: 1}
	for name, c := range map[string]struct {
		selection export.Selection
		count     int
	}{
		"place":     {export.Selection{Place: &export.Place{Lat: 50.1, Lon: 8.7}}, 1},
		"positions": {export.Selection{Positions: [][]uint64{{0}, {720, 1439}}}, 2},
		"slices":    {export.Selection{Slices: []tgm.Slice{{Start: 160, Stop: 163, Step: 2}, {Start: 755, Stop: 758, Step: 1}}}, 6},
		"one row":   {export.Selection{Slices: []tgm.Slice{{Start: 3, Stop: 4, Step: 1}}}, 1440},
		"a column":  {export.Selection{Slices: []tgm.Slice{whole, {Start: 5, Stop: 6, Step: 1}}, Coordinates: true}, 721},
	} {
		var text, document bytes.Buffer
		if err := errors.Join(export.CSV(t.Context(), &text, fields, c.selection), export.JSON(t.Context(), &document, fields, c.selection)); err != nil {
			t.Fatal(name, err)
		}
		lines := strings.Split(strings.TrimSpace(text.String()), "\n")
		var objects []struct {
			Index  []int
			Values []json.Number
		}
		if err := json.Unmarshal(document.Bytes(), &objects); err != nil {
			t.Fatal(name, err)
		}
		if len(lines) != c.count+1 || len(objects) != 1 || len(objects[0].Values) != c.count || len(objects[0].Index) != c.count {
			t.Fatalf("%s: %d lines and %d objects, expected %d elements", name, len(lines), len(objects), c.count)
		}
		column := slices.Index(strings.Split(lines[0], ","), "value")
		for i, line := range lines[1:] {
			if value := strings.Split(line, ",")[column]; value != objects[0].Values[i].String() {
				t.Errorf("%s: element %d is %s in CSV, %s in JSON", name, i, value, objects[0].Values[i])
			}
		}
	}
}

// TestNPY: the array is as long as its header says, and the header a multiple of 64 bytes.
func TestNPY(t *testing.T) {
	fields := list(t, "grib/2t.grib2")
	for shape, c := range map[string]struct {
		fields []*look.Field
		slices []tgm.Slice
		count  int
	}{
		"(721, 1440)": {fields, nil, 721 * 1440},
		"(2, 1440)":   {fields, []tgm.Slice{{Start: 0, Stop: 4, Step: 2}}, 2 * 1440},
		"(2, 1, 1)":   {append(fields, fields...), []tgm.Slice{{Start: 9, Stop: 10, Step: 1}, {Start: 9, Stop: 10, Step: 1}}, 2},
	} {
		var out bytes.Buffer
		if err := export.NPY(t.Context(), &out, c.fields, c.slices); err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(out.String(), "\n")
		if n := len(header) + 1; n%64 != 0 || out.Len() != n+8*c.count || !strings.Contains(header, "'shape': "+shape) {
			t.Errorf("%s: header %q, %d bytes in all", shape, header, out.Len())
		}
	}
}

// TestOutside: a selection outside a field is an error that names it.
func TestOutside(t *testing.T) {
	fields := list(t, "grib/2t.grib2")
	for _, s := range []export.Selection{
		{Positions: [][]uint64{{721 * 1440}}}, {Positions: [][]uint64{{721, 0}}}, {Positions: [][]uint64{{0, 0, 0}}},
		{Slices: []tgm.Slice{{Start: 721, Stop: 722, Step: 1}}}, {Slices: make([]tgm.Slice, 3)},
	} {
		err := export.CSV(t.Context(), new(bytes.Buffer), fields, s)
		if err == nil || !strings.Contains(err.Error(), "721x1440") || !strings.Contains(err.Error(), "2t.grib2") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func ExampleCSV() {
	l := look.NewLister(look.Options{})
	a, err := archive.List(context.Background(), []string{"../../../../fixtures/grib/2t.grib2"}, archive.Options{Select: l.Add})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	fields, err := l.Fields(context.Background(), a)
	if err != nil {
		log.Fatal(err)
	}
	near := export.Selection{Place: &export.Place{Lat: 50.1, Lon: 8.7}}
	if err := export.CSV(context.Background(), os.Stdout, fields, near); err != nil {
		log.Fatal(err)
	}
	// Output:
	// name,time,step,level,member,index,latitude,longitude,value,units,valid_time,distance
	// 2t,2026-04-04T00:00:00Z,0,2,,160 755,50,8.75,284.0926055908203,K,2026-04-04T00:00:00Z,11.679
}
