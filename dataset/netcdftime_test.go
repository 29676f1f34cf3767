package dataset_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// timesOf is a variable time(time) in a file, with the attributes of more.
func timesOf(ref int, file string, n uint64, dtype tgm.DType, more map[string]any) dataset.Object {
	o := named("time", record(ref, file, n, ""))
	extra, base := o.Base.Maps()
	base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: []string{"time"}, Attributes: more}).Map()
	o.Base = mapping.ReadIn(extra, base)
	o.DType = dtype
	return o
}

// A timeFile is a variable time(time) in a file.
type timeFile struct {
	attrs  map[string]any
	values any // in a slice of dtype
	dtype  tgm.DType
}

// TestTimesInOtherUnits joins files whose times are in other units, or since other dates. xarray's
// open_mfdataset decodes the same values.
func TestTimesInOtherUnits(t *testing.T) {
	january := map[string]any{"units": "hours since 2020-01-01", "bounds": "bnds"}
	february := map[string]any{"units": "hours since 2020-02-01 00:00:00", "bounds": "bnds"}
	with := func(m map[string]any, key string, value any) map[string]any {
		all := map[string]any{key: value}
		for k, v := range m {
			if k != key {
				all[k] = v
			}
		}
		return all
	}
	in := func(m map[string]any, units string) map[string]any { return with(m, "units", units) }
	packed := with(with(january, "scale_factor", 0.25), "add_offset", 1.0)
	int64s, int32s, float64s, float32s := []int64{0, 18}, []int32{0, 18}, []float64{0, 18}, []float32{0, 18}
	for _, test := range []struct {
		name  string
		a, b  timeFile
		units string // "" for the units of a
		want  any    // nil for groups
	}{
		{"int64", timeFile{january, int64s, tgm.Int64}, timeFile{february, []int64{0, 6}, tgm.Int64}, "", []int64{0, 18, 744, 750}},
		{"int32", timeFile{january, int32s, tgm.Int32}, timeFile{february, []int32{0, 6}, tgm.Int32}, "", []int32{0, 18, 744, 750}},
		{"float64", timeFile{january, float64s, tgm.Float64}, timeFile{february, []float64{0.5, 6}, tgm.Float64}, "", []float64{0, 18, 744.5, 750}},
		{"float32", timeFile{january, float32s, tgm.Float32}, timeFile{february, []float32{0.5, 6}, tgm.Float32}, "", []float32{0, 18, 744.5, 750}},
		{"longer units", timeFile{january, int64s, tgm.Int64}, timeFile{in(january, "days since 2020-01-02"), []int64{0, 1}, tgm.Int64}, "", []int64{0, 18, 24, 48}},
		{"shorter units", timeFile{in(january, "days since 2020-01-01"), []int64{0, 1}, tgm.Int64}, timeFile{january, []int64{48, 54}, tgm.Int64}, "hours since 2020-01-01", []int64{0, 24, 48, 54}},
		{"half days", timeFile{in(january, "days since 2020-01-01"), []float64{0, 1}, tgm.Float64}, timeFile{january, []float64{48, 60}, tgm.Float64}, "", []float64{0, 1, 2, 2.5}},
		{"thirds of days", timeFile{in(january, "days since 2020-01-01 00:00"), []float64{0, 1}, tgm.Float64}, timeFile{january, []float64{48, 56}, tgm.Float64}, "hours since 2020-01-01 00:00", []int64{0, 24, 48, 56}},
		{"another type", timeFile{january, int32s, tgm.Int32}, timeFile{february, []float64{0.5, 6}, tgm.Float64}, "minutes since 2020-01-01", []int64{0, 18 * 60, 744*60 + 30, 750 * 60}},
		{"not exact in float32", timeFile{january, float32s, tgm.Float32}, timeFile{february, []float32{1.0 / (1 << 16), 6}, tgm.Float32}, "nanoseconds since 2020-01-01", []int64{0, 64800e9, 744*3600e9 + 54931640, 750 * 3600e9}},
		{"more than int32", timeFile{in(january, "seconds since 2020-01-01"), int32s, tgm.Int32}, timeFile{in(january, "days since 2020-01-01"), []int32{1, 30_000}, tgm.Int32}, "seconds since 2020-01-01", []int64{0, 18, 86400, 30_000 * 86400}},
		{"too long", timeFile{january, int32s, tgm.Int32}, timeFile{february, []int32{0, 1<<31 - 1}, tgm.Int32}, "", nil},
		{"packed", timeFile{packed, int32s, tgm.Int32}, timeFile{in(packed, "days since 2020-02-01"), []int32{0, 4}, tgm.Int32}, "minutes since 2020-01-01", []int64{60, 330, (744 + 24) * 60, (744 + 48) * 60}},
		{"packed and not", timeFile{january, int32s, tgm.Int32}, timeFile{packed, []int32{76, 80}, tgm.Int32}, "", []int32{0, 18, 20, 21}},
		{"packed, not exact", timeFile{january, int32s, tgm.Int32}, timeFile{with(january, "scale_factor", 0.1), []int32{76, 81}, tgm.Int32}, "", nil},
		{"the same calendar", timeFile{with(january, "calendar", "standard"), int64s, tgm.Int64}, timeFile{with(february, "calendar", "gregorian"), []int64{0, 6}, tgm.Int64}, "", []int64{0, 18, 744, 750}},
		{
			"a calendar of the same dates", timeFile{with(january, "calendar", "standard"), int64s, tgm.Int64},
			timeFile{with(february, "calendar", "proleptic_gregorian"), []int64{0, 6}, tgm.Int64}, "", []int64{0, 18, 744, 750},
		},
		{
			"a calendar of other dates", timeFile{in(january, "days since 1600-01-01"), int64s, tgm.Int64},
			timeFile{with(february, "calendar", "proleptic_gregorian"), []int64{0, 6}, tgm.Int64}, "", nil,
		},
		{"a missing time", timeFile{january, int64s, tgm.Int64}, timeFile{with(february, "_FillValue", int64(6)), []int64{0, 6}, tgm.Int64}, "", nil},
		{"a time that would be missing", timeFile{with(january, "_FillValue", int64(744)), int64s, tgm.Int64}, timeFile{february, []int64{0, 6}, tgm.Int64}, "hours since 2020-01-01", []int64{0, 18, 744, 750}},
		{"another calendar", timeFile{january, int64s, tgm.Int64}, timeFile{with(february, "calendar", "noleap"), []int64{0, 6}, tgm.Int64}, "", nil},
		{"no units", timeFile{january, int64s, tgm.Int64}, timeFile{with(february, "units", int64(1)), []int64{0, 6}, tgm.Int64}, "", nil},
		{"too far", timeFile{january, int64s, tgm.Int64}, timeFile{february, []int64{0, 1 << 60}, tgm.Int64}, "", nil},
		{"not a number", timeFile{january, float64s, tgm.Float64}, timeFile{february, []float64{0, math.NaN()}, tgm.Float64}, "", nil},
		{"unreadable", timeFile{january, int64s, tgm.Int64}, timeFile{february, nil, tgm.Int64}, "", nil},
	} {
		objects := []dataset.Object{
			timesOf(0, "a.nc", 2, test.a.dtype, test.a.attrs), named("bnds", timesOf(1, "a.nc", 2, tgm.Int64, nil)), record(2, "a.nc", 2, "K"),
			timesOf(3, "b.nc", 2, test.b.dtype, test.b.attrs), named("bnds", timesOf(4, "b.nc", 2, tgm.Int64, nil)), record(5, "b.nc", 2, "K"),
		}
		files := map[int]timeFile{0: test.a, 1: {nil, []int64{0, 24}, tgm.Int64}, 3: test.b, 4: {nil, []int64{24, 48}, tgm.Int64}}
		read := func(ref int) (*tgm.Array, error) {
			f := files[ref]
			if f.values == nil {
				return nil, errors.New("unreadable")
			}
			data, err := binary.Append(nil, binary.LittleEndian, f.values)
			return &tgm.Array{Shape: []uint64{2}, DType: f.dtype, Data: data}, err
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		v := d.Variable("time")
		if v == nil || test.want == nil {
			if v != nil || test.want != nil || d.Report.Apart() == "" {
				t.Errorf("%s: joined is %v, %q; expected %v", test.name, v != nil, d.Report.Apart(), test.want != nil)
			}
			continue
		}
		want, err := binary.Append(nil, binary.LittleEndian, test.want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.Data(); err != nil || !slices.Equal(got, want) || !slices.Equal(v.Shape, []uint64{4}) {
			t.Errorf("%s: %v of type %s, %v; expected %v", test.name, got, v.DType, err, want)
		}
		units := test.units
		if units == "" {
			units, _ = test.a.attrs["units"].(string)
		} else if v.DType != tgm.Int64 || v.Attr("_FillValue") != nil || v.Attr("scale_factor") != nil {
			t.Errorf("%s: type %s, attributes %v", test.name, v.DType, v.Attrs)
		}
		if got := v.Attr("units"); got != units {
			t.Errorf("%s: %v, expected %v", test.name, got, units)
		}
		if bounds := d.Variable("bnds"); !bounds.Computed() || bounds.DType != tgm.Int64 || bounds.Attr("units") != nil {
			t.Errorf("%s: the bounds are %+v", test.name, bounds)
		}
		if x := d.Variable("x"); x == nil || len(x.Refs()) != 2 {
			t.Errorf("%s: x is %v, expected one of two objects", test.name, x)
		}
	}
}

// TestFilesInOrder puts files in the order of their coordinates, where these do not overlap.
func TestFilesInOrder(t *testing.T) {
	hours := func(since string) map[string]any { return map[string]any{"units": "hours since " + since} }
	metres := map[string]any{"units": "m"}
	for _, test := range []struct {
		name  string
		files []timeFile
		want  []int32 // refs of the coordinate, nil for computed values
		x     []int32
		times []int64
	}{
		{"numbers", []timeFile{{metres, []int64{9, 10}, tgm.Int64}, {metres, []int64{1, 3}, tgm.Int64}, {metres, []int64{5, 6}, tgm.Int64}}, []int32{2, 4, 0}, []int32{3, 5, 1}, nil},
		{"descending", []timeFile{{metres, []int64{3, 1}, tgm.Int64}, {metres, []int64{10, 9}, tgm.Int64}}, []int32{2, 0}, []int32{3, 1}, nil},
		{"overlapping", []timeFile{{metres, []int64{3, 5}, tgm.Int64}, {metres, []int64{1, 4}, tgm.Int64}}, []int32{0, 2}, []int32{1, 3}, nil},
		{"touching", []timeFile{{metres, []int64{3, 5}, tgm.Int64}, {metres, []int64{1, 3}, tgm.Int64}}, []int32{0, 2}, []int32{1, 3}, nil},
		{"up and down", []timeFile{{metres, []int64{9, 8}, tgm.Int64}, {metres, []int64{1, 3}, tgm.Int64}}, []int32{0, 2}, []int32{1, 3}, nil},
		{"not a number", []timeFile{{metres, []float64{9, math.NaN()}, tgm.Float64}, {metres, []float64{1, 3}, tgm.Float64}}, []int32{0, 2}, []int32{1, 3}, nil},
		{"unreadable", []timeFile{{metres, []int64{9, 10}, tgm.Int64}, {metres, nil, tgm.Int64}}, []int32{0, 2}, []int32{1, 3}, nil},
		{"times", []timeFile{{hours("2020-02-01"), []int64{0, 18}, tgm.Int64}, {hours("2020-01-01"), []int64{0, 6}, tgm.Int64}}, nil, []int32{3, 1}, []int64{0, 6, 744, 762}},
		{"times of one date", []timeFile{{hours("2020-01-01"), []int64{9, 18}, tgm.Int64}, {hours("2020-01-01"), []int64{0, 6}, tgm.Int64}}, []int32{2, 0}, []int32{3, 1}, nil},
	} {
		var objects []dataset.Object
		for i, f := range test.files {
			name := string(rune('a'+i)) + ".nc"
			objects = append(objects, timesOf(2*i, name, 2, f.dtype, f.attrs), record(2*i+1, name, 2, "K"))
		}
		read := func(ref int) (*tgm.Array, error) {
			f := test.files[ref/2]
			if f.values == nil {
				return nil, errors.New("unreadable")
			}
			data, err := binary.Append(nil, binary.LittleEndian, f.values)
			return &tgm.Array{Shape: []uint64{2}, DType: f.dtype, Data: data}, err
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		v, x := d.Variable("time"), d.Variable("x")
		if v == nil || x == nil || !slices.Equal(v.Refs(), test.want) || !slices.Equal(x.Refs(), test.x) {
			t.Errorf("%s: %+v, %+v; expected objects %v and %v", test.name, v, x, test.want, test.x)
			continue
		}
		if test.times == nil {
			continue
		}
		want, _ := binary.Append(nil, binary.LittleEndian, test.times)
		if got, err := v.Data(); err != nil || !slices.Equal(got, want) || v.Attr("units") != "hours since 2020-01-01" {
			t.Errorf("%s: %v, %v in %v; expected %v", test.name, got, err, v.Attr("units"), want)
		}
	}
}

// TestTimesOfSplitRecords joins records of two files in other units.
func TestTimesOfSplitRecords(t *testing.T) {
	hours, days := map[string]any{"units": "hours since 2020-01-01"}, map[string]any{"units": "days since 2020-01-02"}
	var objects []dataset.Object
	for i, attrs := range []map[string]any{hours, hours, days, days} {
		objects = append(objects, inMessage(i, split(timesOf(i, "m.tgm", 2, tgm.Int64, attrs), uint64(1-i%2)))) // the second first
	}
	read := func(ref int) (*tgm.Array, error) {
		return &tgm.Array{DType: tgm.Int64, Data: binary.LittleEndian.AppendUint64(nil, uint64(10-ref))}, nil
	}
	for _, n := range []int{4, 3} { // all, and without the first record of the second file
		d, err := dataset.Build(dataset.ObjectList(objects[:n]), dataset.Options{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		v := d.Variable("time")
		if n == 3 {
			if v != nil || d.Report.Apart() == "" {
				t.Errorf("%v: a record is missing", d.Groups)
			}
			continue
		}
		want, _ := binary.Append(nil, binary.LittleEndian, []int64{9, 10, 24 + 7*24, 24 + 8*24})
		if got, err := v.Data(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v; expected %v", got, err, want)
		}
	}
}
