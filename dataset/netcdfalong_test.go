package dataset_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// inFile is a variable in a file whose dimensions time and lat are unlimited. With a record, it is one of
// these: dims has the dimensions of the file, and shape the remaining lengths.
func inFile(ref int, file, name string, dims []string, shape []uint64, of int) dataset.Object {
	extra := (&mapping.NetCDFFile{Dims: []mapping.FileDim{{Name: "time", Len: 3, Unlimited: true}, {Name: "lat", Len: 2, Unlimited: true}, {Name: "ens", Len: 2}}}).Extra()
	base := map[string]any{mapping.KeyName: name, mapping.KeyNetCDF: (&mapping.NetCDF{Dims: dims}).Map()}
	if of >= 0 {
		var left []any
		for _, dim := range dims {
			if dim != "time" {
				left = append(left, dim)
			}
		}
		base[mapping.KeyRecordIndex], base[mapping.KeyDims] = uint64(of), left
	}
	return dataset.Object{Ref: ref, Where: file, File: file, Message: max(0, of), Base: mapping.ReadIn(extra, base), Shape: shape, DType: tgm.Float64}
}

// TestRecordsOfALaterDimension: records that were split keep the place of their dimension, in one
// file as in several.
func TestRecordsOfALaterDimension(t *testing.T) {
	for _, files := range []string{"aaa", "aab", "aabb"} {
		var objects []dataset.Object
		records := make(map[rune]int)
		for i, name := range files {
			objects = append(objects, inFile(2*i, string(name)+".tgm", "x", []string{"ens", "time", "p"}, []uint64{2, 4}, records[name]),
				inFile(2*i+1, string(name)+".tgm", "time", []string{"time"}, nil, records[name]))
			records[name]++
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(len(files))
		x, times := d.Variable("x"), d.Variable("time")
		if x == nil || times == nil {
			t.Fatalf("%s: %s", files, d.Report.Apart())
		}
		if !slices.Equal(x.Dims, []string{"ens", "time", "p"}) || !slices.Equal(x.Shape, []uint64{2, n, 4}) || !slices.Equal(x.Chunk, []uint64{2, 1, 4}) {
			t.Errorf("%s: x(%v) of shape %v in chunks of %v", files, x.Dims, x.Shape, x.Chunk)
		}
		for i := range n {
			if ref, ok := x.Ref([]uint64{0, i, 0}); !ok || ref != 2*int(i) {
				t.Errorf("%s: record %d is object %d, %v", files, i, ref, ok)
			}
		}
		if !slices.Equal(times.Shape, []uint64{n}) || !slices.Equal(times.Dims, []string{"time"}) {
			t.Errorf("%s: time(%v) of shape %v", files, times.Dims, times.Shape)
		}
	}
}

// TestSeveralUnlimitedDimensions: files follow one another along that which is the first of all
// variables that have it.
func TestSeveralUnlimitedDimensions(t *testing.T) {
	type variable struct {
		name  string
		dims  []string
		shape []uint64
		of    int
	}
	for _, test := range []struct {
		name      string
		variables []variable // of each of two files
		want      []string
		apart     string
	}{
		{"a later one", []variable{{"x", []string{"time", "lat"}, []uint64{3, 2}, -1}, {"lat", []string{"lat"}, []uint64{2}, -1}}, []string{"/x(time: 6, lat: 2)", "/lat(lat: 2)"}, ""},
		{"one apart", []variable{{"x", []string{"time"}, []uint64{3}, -1}, {"y", []string{"lat"}, []uint64{2}, -1}}, []string{"/x(time: 6)", "/y(lat: 4)"}, ""},
		{
			"none", []variable{{"x", []string{"ens", "time"}, []uint64{2, 3}, -1}, {"time", []string{"time"}, []uint64{3}, -1}},
			[]string{"a/x(ens: 2, time: 3)", "a/time(time: 3)", "b/x(ens: 2, time: 3)", "b/time(time: 3)"},
			"a.nc has no unlimited dimension that is the first of all variables that have it",
		},
		{"split records", []variable{{"x", []string{"time", "lat"}, []uint64{2}, 0}, {"lat", []string{"lat"}, []uint64{2}, 0}}, []string{"/x(time: 2, lat: 2)", "/lat(lat: 2)"}, ""},
	} {
		var objects []dataset.Object
		for i, file := range []string{"a.nc", "b.nc"} {
			for j, v := range test.variables {
				objects = append(objects, inFile(len(test.variables)*i+j, file, v.name, v.dims, v.shape, v.of))
			}
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := netcdfHeads(d)
		if !slices.Equal(got, test.want) || (test.apart == "") != (d.Report.Apart() == "") || !strings.Contains(d.Report.Apart(), test.apart) {
			t.Errorf("%s: %v, %q; expected %v, %q", test.name, got, d.Report.Apart(), test.want, test.apart)
		}
	}
}

// TestFixedTimes joins files without unlimited dimensions, as xarray writes them, along times that follow one
// another.
func TestFixedTimes(t *testing.T) {
	const hours = "hours since 2020-01-01"
	type variable struct {
		name, kind, units string
		dims              []string
		values            [2][]int64 // in each of two files
	}
	times := variable{"t", "", hours, []string{"t"}, [2][]int64{{6, 12}, {0, 1, 2}}}
	x := variable{"x", "", "K", []string{"t"}, [2][]int64{{1, 2}, {3, 4, 5}}}
	for _, test := range []struct {
		name      string
		variables []variable
		unlimited bool
		want      []string
		apart     string
	}{
		{"in order", []variable{times, x, {"c", "", "m", []string{"p"}, [2][]int64{{1}, {1}}}}, false, []string{"/t(t: 5)", "/x(t: 5)", "/c(p: 1)"}, ""},
		{"another constant", []variable{times, {"c", "", "m", []string{"p"}, [2][]int64{{1}, {2}}}}, false, []string{"/t(t: 5)", "/c(t: 5, p: 1)"}, ""},
		{"overlapping", []variable{{"t", "", hours, []string{"t"}, [2][]int64{{0, 2}, {1, 3}}}}, false, nil, "a.nc has no unlimited dimension, and the times of the files do not follow one another"},
		{"no times", []variable{{"t", "", "m", []string{"t"}, times.values}}, false, nil, "has no unlimited dimension"},
		{"several", []variable{times, {"s", "", hours, []string{"s"}, times.values}}, false, nil, "has no unlimited dimension"},
		{"not the first", []variable{times, {"x", "", "K", []string{"p", "t"}, x.values}}, false, nil, "has no unlimited dimension"},
		{"characters", []variable{times, {"q", "char", "", []string{"t"}, x.values}}, false, nil, "has no unlimited dimension"},
		{"another unlimited dimension", []variable{times, x}, true, nil, "has no unlimited dimension"},
	} {
		var objects []dataset.Object
		values := make(map[int][]int64)
		for i, file := range []string{"a.nc", "b.nc"} {
			extra := (&mapping.NetCDFFile{Dims: []mapping.FileDim{{Name: "t", Len: 3}, {Name: "u", Unlimited: test.unlimited}}}).Extra()
			for _, v := range test.variables {
				n := mapping.NetCDF{Dims: v.dims, Type: v.kind, Attributes: map[string]any{"units": v.units}}
				base := mapping.ReadIn(extra, map[string]any{mapping.KeyName: v.name, mapping.KeyNetCDF: n.Map()})
				shape := []uint64{uint64(len(v.values[i]))}
				if len(v.dims) > 1 {
					shape = append([]uint64{1}, shape...)
				}
				values[len(objects)] = v.values[i]
				objects = append(objects, dataset.Object{Ref: len(objects), File: file, Base: base, Shape: shape, DType: tgm.Int64})
				if v.kind == "char" {
					objects[len(objects)-1].DType = tgm.Uint8
				}
			}
		}
		read := func(ref int) (*tgm.Array, error) {
			data, err := binary.Append(nil, binary.LittleEndian, values[ref])
			return &tgm.Array{DType: tgm.Int64, Data: data}, err
		}
		d, err := dataset.Build(dataset.ObjectList(objects), dataset.Options{Read: read})
		if err != nil {
			t.Fatal(err)
		}
		if test.want == nil {
			if d.Variable("t") != nil || !strings.Contains(d.Report.Apart(), test.apart) {
				t.Errorf("%s: joined is %v, %q; expected %q", test.name, d.Variable("t") != nil, d.Report.Apart(), test.apart)
			}
			continue
		}
		got := netcdfHeads(d)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %s; expected %v", test.name, got, d.Report.Apart(), test.want)
			continue
		}
		if refs := d.Variable("t").Refs(); !slices.Equal(refs, []int32{int32(len(test.variables)), 0}) {
			t.Errorf("%s: the times are those of objects %v, expected those of b.nc and of a.nc", test.name, refs)
		}
	}
}
