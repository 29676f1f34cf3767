package dataset_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// constantTimes are times without records in a file; without dim, a scalar.
func constantTimes(ref int, file, name, dim string, f timeFile) dataset.Object {
	var dims []string
	var shape []uint64
	if dim != "" {
		dims, shape = []string{dim}, []uint64{2}
	}
	o := constantOf(ref, file, name, "", dims, shape, f.dtype)
	extra, base := o.Base.Maps()
	base[mapping.KeyNetCDF] = (&mapping.NetCDF{Dims: dims, Attributes: f.attrs}).Map()
	o.Base = mapping.ReadIn(extra, base)
	return o
}

// readTimes reads the values of files by ref.
func readTimes(t *testing.T, files map[int]timeFile) func(ref int) (*tgm.Array, error) {
	return func(ref int) (*tgm.Array, error) {
		data, err := binary.Append(nil, binary.LittleEndian, files[ref].values)
		if err != nil {
			t.Errorf("object %d: %v", ref, err)
		}
		return &tgm.Array{DType: files[ref].dtype, Data: data}, err
	}
}

// TestConstantTimes joins files with times that have no records and are in other units. If they
// differ they are repeated with each record, else the times of the first file stay. xarray's
// open_mfdataset decodes the same values.
func TestConstantTimes(t *testing.T) {
	since := func(units string, more ...any) map[string]any {
		m := map[string]any{"units": units}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	const first, second, days = "hours since 2020-01-01", "hours since 2020-01-02", "days since 2020-01-01"
	for _, test := range []struct {
		name  string
		dim   string
		a, b  timeFile
		units string // "" for the units of a
		want  any    // of two records of a and three of b; nil for the object of a
		apart string
	}{
		{"the same number", "", timeFile{since(first), []int64{0}, tgm.Int64}, timeFile{since(second), []int64{0}, tgm.Int64}, "", []int64{0, 0, 24, 24, 24}, ""},
		{"the same time", "", timeFile{since(first), []int32{24}, tgm.Int32}, timeFile{since(second), []int32{0}, tgm.Int32}, "", nil, ""},
		{"the same time in days", "", timeFile{since(first), []int32{12}, tgm.Int32}, timeFile{since(days), []float64{0.5}, tgm.Float64}, "", nil, ""},
		{"the same time of another type", "", timeFile{since(first), []int32{12}, tgm.Int32}, timeFile{since(first), []int64{12}, tgm.Int64}, "", nil, ""},
		{"floats", "", timeFile{since(first), []float64{1}, tgm.Float64}, timeFile{since(second), []float64{0.5}, tgm.Float64}, "", []float64{1, 1, 24.5, 24.5, 24.5}, ""},
		{"shorter units", "", timeFile{since(days), []int32{1}, tgm.Int32}, timeFile{since(first), []int32{6}, tgm.Int32}, first, []int64{24, 24, 6, 6, 6}, ""},
		{"another type", "", timeFile{since(first), []int32{4}, tgm.Int32}, timeFile{since(first), []float64{4.5}, tgm.Float64}, "minutes since 2020-01-01", []int64{240, 240, 270, 270, 270}, ""},
		{
			"packed", "",
			timeFile{since(days, "scale_factor", 0.25, "add_offset", 10.0), []int16{0}, tgm.Int16}, timeFile{since(days, "scale_factor", 0.5), []int16{2}, tgm.Int16},
			days, []int64{10, 10, 1, 1, 1}, "",
		},
		{
			"packed, the same time", "",
			timeFile{since(days, "scale_factor", 0.25, "add_offset", 10.0), []int16{4}, tgm.Int16}, timeFile{since(days, "scale_factor", 0.5), []int16{22}, tgm.Int16},
			"", nil, "",
		},
		{"an array", "member", timeFile{since(first), []int64{0, 1}, tgm.Int64}, timeFile{since(second), []int64{0, 1}, tgm.Int64}, "", []int64{0, 1, 0, 1, 24, 25, 24, 25, 24, 25}, ""},
		{"the same labels", "c", timeFile{since(first), []int64{24, 48}, tgm.Int64}, timeFile{since(second), []int64{0, 24}, tgm.Int64}, "", nil, ""},
		{"other labels", "c", timeFile{since(first), []int64{0, 1}, tgm.Int64}, timeFile{since(second), []int64{0, 1}, tgm.Int64}, "", nil, "c has other values in b.nc than in a.nc, which label a dimension"},
		{
			"a calendar of the same dates", "",
			timeFile{since("days since 0001-01-01"), []float64{737426}, tgm.Float64}, timeFile{since("days since 0001-01-01", "calendar", "proleptic_gregorian"), []float64{737426}, tgm.Float64},
			"days since 0001-01-01", []int64{737426, 737426, 737428, 737428, 737428}, "",
		},
		{"another calendar", "", timeFile{since(first), []int64{0}, tgm.Int64}, timeFile{since(first, "calendar", "noleap"), []int64{0}, tgm.Int64}, "", nil, "c has other units"},
		{"missing", "", timeFile{since(first), []float64{0}, tgm.Float64}, timeFile{since(second), []float64{math.NaN()}, tgm.Float64}, "", nil, "b.nc: c: times that are missing"},
		{"other units, no times", "", timeFile{since("K"), []int64{0}, tgm.Int64}, timeFile{since("degC"), []int64{0}, tgm.Int64}, "", nil, "c has other units"},
	} {
		objects := []dataset.Object{
			constantTimes(0, "a.nc", "c", test.dim, test.a), record(1, "a.nc", 2, "K"),
			constantTimes(2, "b.nc", "c", test.dim, test.b), record(3, "b.nc", 3, "K"),
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: readTimes(t, map[int]timeFile{0: test.a, 2: test.b})})
		if err != nil {
			t.Fatal(err)
		}
		v := d.Variable("c")
		if v == nil || test.apart != "" {
			if v != nil || test.apart == "" || !strings.Contains(d.Report.Apart(), test.apart) {
				t.Errorf("%s: joined is %v, %q; expected %q", test.name, v != nil, d.Report.Apart(), test.apart)
			}
			continue
		}
		shape := objects[0].Shape
		if test.want == nil {
			if !slices.Equal(v.Refs(), []int32{0}) || !slices.Equal(v.Shape, shape) || v.Attr("units") != test.a.attrs["units"] {
				t.Errorf("%s: objects %v of shape %v in %v; expected that of the first file", test.name, v.Refs(), v.Shape, v.Attr("units"))
			}
			continue
		}
		if v.Computed() != (test.want != nil) {
			t.Errorf("%s: objects %v", test.name, v.Refs())
			continue
		}
		want, err := binary.Append(nil, binary.LittleEndian, test.want)
		if err != nil {
			t.Fatal(err)
		}
		shape = append([]uint64{5}, shape...)
		if got, err := v.Data(); err != nil || !slices.Equal(got, want) || !slices.Equal(v.Shape, shape) || v.Dims[0] != "time" {
			t.Errorf("%s: %v of shape %v, type %s, dimensions %v, %v; expected %v of %v", test.name, got, v.Shape, v.DType, v.Dims, err, want, shape)
		}
		units := any(test.units)
		if units == "" {
			units = test.a.attrs["units"]
		}
		if got := v.Attr("units"); got != units || v.Attr("scale_factor") != nil {
			t.Errorf("%s: %v, expected %v", test.name, v.Attrs, units)
		}
	}
}

// TestConstantBounds joins files with bounds of times that have no records: bounds have the units of
// the times, and may differ where the times do not.
func TestConstantBounds(t *testing.T) {
	attrs := func(units string) map[string]any { return map[string]any{"units": units, "bounds": "b"} }
	for _, test := range []struct {
		name   string
		units  string // of the first file
		time   int64  // of the first file; of the second, 0 hours since 2020-01-02
		bounds []int64
		other  []int64
		times  []int64 // nil for the object of the first file
		want   []int64
		in     string // units
	}{
		{"the same", "hours since 2020-01-01", 24, []int64{24, 25}, []int64{0, 1}, nil, nil, "hours since 2020-01-01"},
		{"other bounds", "hours since 2020-01-01", 24, []int64{24, 25}, []int64{0, 3}, nil, []int64{24, 25, 24, 25, 24, 27, 24, 27, 24, 27}, "hours since 2020-01-01"},
		{"other times", "hours since 2020-01-01", 0, []int64{24, 25}, []int64{0, 1}, []int64{0, 0, 24, 24, 24}, nil, "hours since 2020-01-01"},
		{"both in shorter units", "days since 2020-01-01", 1, []int64{1, 2}, []int64{0, 3}, []int64{24}, []int64{24, 48, 24, 48, 24, 27, 24, 27, 24, 27}, "hours since 2020-01-01"},
	} {
		a, b := timeFile{attrs(test.units), []int64{test.time}, tgm.Int64}, timeFile{attrs("hours since 2020-01-02"), []int64{0}, tgm.Int64}
		boundsA, boundsB := timeFile{nil, test.bounds, tgm.Int64}, timeFile{nil, test.other, tgm.Int64}
		objects := []dataset.Object{
			constantTimes(0, "a.nc", "c", "", a), constantTimes(1, "a.nc", "b", "bnds", boundsA), record(2, "a.nc", 2, "K"),
			constantTimes(3, "b.nc", "c", "", b), constantTimes(4, "b.nc", "b", "bnds", boundsB), record(5, "b.nc", 3, "K"),
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: readTimes(t, map[int]timeFile{0: a, 1: boundsA, 3: b, 4: boundsB})})
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]int64{"c": test.times, "b": test.want} {
			v := d.Variable(name)
			if v == nil {
				t.Errorf("%s: %s", test.name, d.Report.Apart())
				continue
			}
			if want == nil {
				if len(v.Refs()) != 1 {
					t.Errorf("%s: %s has objects %v", test.name, name, v.Refs())
				}
				continue
			}
			data, _ := binary.Append(nil, binary.LittleEndian, want)
			if v.Refs() != nil {
				t.Errorf("%s: %s has objects %v, expected %v", test.name, name, v.Refs(), want)
			} else if got, err := v.Data(); err != nil || !slices.Equal(got, data) {
				t.Errorf("%s: %s is %v, %v; expected %v", test.name, name, got, err, data)
			}
		}
		if c := d.Variable("c"); c != nil && c.Attr("units") != test.in {
			t.Errorf("%s: %v, expected %v", test.name, c.Attr("units"), test.in)
		}
	}
}

// TestConstantTimesOfSplitRecords joins records of two files with times that go with each of them.
func TestConstantTimesOfSplitRecords(t *testing.T) {
	files := make(map[int]timeFile)
	var objects []dataset.Object
	for i := range 4 {
		f := timeFile{map[string]any{"units": "hours since 2020-01-0" + string(rune('1'+i/2))}, []int64{0}, tgm.Int64}
		files[2*i] = f
		c := constantTimes(2*i, "m.tgm", "c", "", f)
		extra, base := c.Base.Maps()
		base[mapping.KeyRecordIndex] = uint64(i % 2)
		c.Base = mapping.ReadIn(extra, base)
		objects = append(objects, inMessage(i, c), inMessage(i, split(record(2*i+1, "m.tgm", 2, "K"), uint64(i%2))))
	}
	d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: readTimes(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	c, x := d.Variable("c"), d.Variable("x")
	if c == nil || x == nil || !slices.Equal(x.Refs(), []int32{1, 3, 5, 7}) || !slices.Equal(c.Shape, []uint64{4}) {
		t.Fatalf("%+v, %+v; %s", c, x, d.Report.Apart())
	}
	want, _ := binary.Append(nil, binary.LittleEndian, []int64{0, 0, 24, 24})
	if got, err := c.Data(); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; expected %v", got, err, want)
	}
}

// TestManyConstantTimes: times are repeated only as far as they are small.
func TestManyConstantTimes(t *testing.T) {
	a := timeFile{map[string]any{"units": "hours since 2020-01-01"}, make([]int64, 2), tgm.Int64}
	b := timeFile{map[string]any{"units": "hours since 2020-01-02"}, make([]int64, 2), tgm.Int64}
	for n, want := range map[uint64]string{
		1 << 15:   "",
		1<<15 + 1: "which cannot be repeated with each record", // more than 2¹⁶
	} {
		objects := []dataset.Object{constantTimes(0, "a.nc", "c", "m", a), record(1, "a.nc", n, "K"), constantTimes(2, "b.nc", "c", "m", b), record(3, "b.nc", n, "K")}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: readTimes(t, map[int]timeFile{0: a, 2: b})})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Report.Apart(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%d records: %q, expected %q", n, got, want)
		}
	}
	a.values, b.values = make([]int64, 40), make([]int64, 40)
	objects := []dataset.Object{constantTimes(0, "a.nc", "c", "m", a), record(1, "a.nc", 1<<14, "K"), constantTimes(2, "b.nc", "c", "m", b), record(3, "b.nc", 1<<14, "K")}
	for _, i := range []int{0, 2} {
		objects[i].Shape = []uint64{40}
	}
	d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: readTimes(t, map[int]timeFile{0: a, 2: b})})
	if err != nil {
		t.Fatal(err)
	}
	if want := "c: more than 2097152 bytes of times in other units"; !strings.Contains(d.Report.Apart(), want) {
		t.Errorf("%q, expected %q", d.Report.Apart(), want)
	}
}
