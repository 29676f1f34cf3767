package dataset_test

import (
	"encoding/binary"
	"errors"
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

// TestTimesSinceOtherDates joins files whose times count from different dates. What xarray's
// open_mfdataset decodes of them is the same: 2020-01-01T00, 2020-01-01T18, 2020-02-01T00 and
// 2020-02-01T06.
func TestTimesSinceOtherDates(t *testing.T) {
	january := map[string]any{"units": "hours since 2020-01-01", "bounds": "bnds"}
	february := map[string]any{"units": "hours since 2020-02-01 00:00:00", "bounds": "bnds"}
	int64s, int32s, float64s, float32s := []int64{0, 18}, []int32{0, 18}, []float64{0, 18}, []float32{0, 18}
	with := func(m map[string]any, key string, value any) map[string]any {
		all := map[string]any{key: value}
		for k, v := range m {
			if k != key {
				all[k] = v
			}
		}
		return all
	}
	for _, test := range []struct {
		name          string
		dtype         tgm.DType
		first, second map[string]any
		a, b, want    any // nil for groups
	}{
		{"int64", tgm.Int64, january, february, int64s, []int64{0, 6}, []int64{0, 18, 744, 750}},
		{"int32", tgm.Int32, january, february, int32s, []int32{0, 6}, []int32{0, 18, 744, 750}},
		{"float64", tgm.Float64, january, february, float64s, []float64{0.5, 6}, []float64{0, 18, 744.5, 750}},
		{"float32", tgm.Float32, january, february, float32s, []float32{0.5, 6}, []float32{0, 18, 744.5, 750}},
		{"later first", tgm.Int64, february, january, int64s, []int64{0, 6}, []int64{0, 18, -744, -738}},
		{"not exact", tgm.Float64, january, february, float64s, []float64{1.0 / 24, 6}, nil},
		{"not exact in float32", tgm.Float32, january, february, float32s, []float32{1.0 / (1 << 16), 6}, nil},
		{"too large", tgm.Int32, january, february, int32s, []int32{0, 1<<31 - 1}, nil},
		{"a missing time", tgm.Int64, january, with(february, "_FillValue", int64(6)), int64s, []int64{0, 6}, nil},
		{"a missing time in both", tgm.Int64, with(january, "_FillValue", int64(6)), with(february, "_FillValue", int64(6)), int64s, []int64{0, 6}, nil},
		{"another calendar", tgm.Int64, january, with(february, "calendar", "noleap"), int64s, []int64{0, 6}, nil},
		{"another unit", tgm.Int64, january, with(february, "units", "days since 2020-02-01"), int64s, []int64{0, 6}, nil},
		{"no units", tgm.Int64, january, with(february, "units", int64(1)), int64s, []int64{0, 6}, nil},
		{"packed", tgm.Int64, with(january, "scale_factor", 0.5), with(february, "scale_factor", 0.5), int64s, []int64{0, 6}, nil},
		{"unreadable", tgm.Int64, january, february, int64s, nil, nil},
	} {
		objects := []dataset.Object{
			timesOf(0, "a.nc", 2, test.dtype, test.first), named("bnds", timesOf(1, "a.nc", 2, test.dtype, nil)), record(2, "a.nc", 2, "K"),
			timesOf(3, "b.nc", 2, test.dtype, test.second), named("bnds", timesOf(4, "b.nc", 2, test.dtype, nil)), record(5, "b.nc", 2, "K"),
		}
		read := func(ref int) (*tgm.Array, error) {
			values := test.a
			if ref >= 3 {
				values = test.b
			}
			if values == nil {
				return nil, errors.New("unreadable")
			}
			data, err := binary.Append(nil, binary.LittleEndian, values)
			return &tgm.Array{Shape: []uint64{2}, DType: test.dtype, Data: data}, err
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		v := d.Variable("time")
		if v == nil && test.want == nil {
			continue
		}
		if v == nil || test.want == nil {
			t.Errorf("%s: joined is %v, expected %v", test.name, v != nil, test.want != nil)
			continue
		}
		want, err := binary.Append(nil, binary.LittleEndian, test.want)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"time", "bnds"} {
			v := d.Variable(name)
			if got, err := v.Data(); err != nil || !slices.Equal(got, want) || v.DType != test.dtype || !slices.Equal(v.Shape, []uint64{4}) {
				t.Errorf("%s: %s is %v, %v; expected %v", test.name, name, got, err, want)
			}
		}
		if x := d.Variable("x"); x == nil || len(x.Refs()) != 2 {
			t.Errorf("%s: x is %v, expected one of two objects", test.name, x)
		}
		if units := v.Attr("units"); units != test.first["units"] {
			t.Errorf("%s: %v, expected %v", test.name, units, test.first["units"])
		}
	}
}
