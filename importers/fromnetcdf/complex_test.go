package fromnetcdf_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
	"github.com/tgmconv/tgmconv/tgm"
)

// complexType is a compound as h5py writes it.
func complexType(class netcdf.Class, size int) *netcdf.Type {
	part := ncwrite.Atomic(class)
	return &netcdf.Type{Class: netcdf.Compound, Name: fmt.Sprintf("complex%d", size), Size: 2 * size,
		Fields: []netcdf.Field{{Name: "r", Type: part}, {Name: "i", Offset: size, Type: part}}}
}

// writeFile makes a netCDF-4 file and returns its path.
func writeFile(t *testing.T, root *ncwrite.Group, data map[*ncwrite.Var][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.nc")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := ncwrite.Create(out, netcdf.NetCDF4, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, v := range root.Vars {
		count := make([]uint64, len(v.Dims))
		for i, name := range v.Dims {
			count[i] = root.Dims[slices.IndexFunc(root.Dims, func(d *netcdf.Dim) bool { return d.Name == name })].Len
		}
		if err := w.Write(t.Context(), v, make([]uint64, len(count)), count, data[v]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestComplexParts keeps both parts of complex numbers if one part is NaN or infinite. Such a variable
// becomes two objects, as other compounds do, in all records if it is so in one. Numbers with NaN or the same
// infinity in both parts stay complex.
func TestComplexParts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	double := complexType(netcdf.Double, 8)
	single := complexType(netcdf.Float, 4)
	dims := []string{"t", "x"}
	fill := []netcdf.Attr{{Name: "_FillValue", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{2}}} // which is no complex number
	mixed := &ncwrite.Var{Name: "mixed", Type: double, Dims: dims, Attrs: fill, Filters: []netcdf.Filter{ncwrite.Deflate(1)}, ChunkShape: []uint64{2, 2}}
	small := &ncwrite.Var{Name: "small", Type: single, Dims: dims}
	whole := &ncwrite.Var{Name: "whole", Type: double, Dims: dims}
	once := &ncwrite.Var{Name: "once", Type: double, Dims: []string{"x"}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Len: 2, Unlimited: true}, {Name: "x", Len: 2}},
		Vars: []*ncwrite.Var{mixed, small, whole, once}, Types: []*netcdf.Type{double, single}}
	data := map[*ncwrite.Var][]byte{}
	numbers := []float64{1, 2, 3, 4, inf, -inf, nan, 5}
	for _, x := range numbers {
		data[mixed] = binary.LittleEndian.AppendUint64(data[mixed], math.Float64bits(x))
		data[small] = binary.LittleEndian.AppendUint32(data[small], math.Float32bits(float32(x)))
	}
	for _, x := range []float64{1, 2, nan, nan, inf, inf, -inf, -inf} {
		data[whole] = binary.LittleEndian.AppendUint64(data[whole], math.Float64bits(x))
	}
	data[once] = data[mixed][4*8:]
	path := writeFile(t, root, data)

	for split, want := range map[fromnetcdf.Split][]string{
		fromnetcdf.SplitFile: {
			"mixed/r float64 [1 3 +Inf NaN]", "mixed/i float64 [2 4 -Inf 5]", "small/r float32 [1 3 +Inf NaN]", "small/i float32 [2 4 -Inf 5]",
			"whole complex128 [1 2 NaN NaN +Inf +Inf -Inf -Inf]", "once/r float64 [+Inf NaN]", "once/i float64 [-Inf 5]",
		},
		fromnetcdf.SplitRecord: {
			"mixed/r float64 [1 3]", "mixed/i float64 [2 4]", "small/r float32 [1 3]", "small/i float32 [2 4]", "whole complex128 [1 2 NaN NaN]",
			"once/r float64 [+Inf NaN]", "once/i float64 [-Inf 5]",
			"mixed/r float64 [+Inf NaN]", "mixed/i float64 [-Inf 5]", "small/r float32 [+Inf NaN]", "small/i float32 [-Inf 5]",
			"whole complex128 [+Inf +Inf -Inf -Inf]", "once/r float64 [+Inf NaN]", "once/i float64 [-Inf 5]",
		},
	} {
		objects, report := convert(t, fromnetcdf.Options{Split: split}, path)
		var got []string
		for _, o := range objects {
			got = append(got, fmt.Sprintf("%s %s %v", o.base["name"], o.desc.DType, components(o.array)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("split %d: %q, expected %q", split, got, want)
		}
		if report.Warnings > 0 {
			t.Errorf("split %d: %d warnings", split, report.Warnings)
		}
	}
}

// components are the floating-point numbers of an array, two of each complex number.
func components(a *tgm.Array) (list []float64) {
	size := a.DType.Component()
	for data := a.Data; len(data) >= size; data = data[size:] {
		if size == 4 {
			list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
		} else {
			list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
	}
	return list
}

// TestComplexPartsLarge looks at all numbers of a variable that is encoded while it is read.
func TestComplexPartsLarge(t *testing.T) {
	const rows, n = 5, 1 << 20
	single := complexType(netcdf.Float, 4)
	z := &ncwrite.Var{Name: "z", Type: single, Dims: []string{"y", "x"}, ChunkShape: []uint64{1, n / 4}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "y", Len: rows}, {Name: "x", Len: n}}, Vars: []*ncwrite.Var{z}, Types: []*netcdf.Type{single}}
	data := make([]byte, 8*rows*n)
	binary.LittleEndian.PutUint32(data[len(data)-4:], math.Float32bits(float32(math.NaN())))
	binary.LittleEndian.PutUint32(data[len(data)-8:], math.Float32bits(7))
	objects, report, err := tryConvert(t, fromnetcdf.Options{}, importers.Options{TempDir: t.TempDir()}, writeFile(t, root, map[*ncwrite.Var][]byte{z: data}))
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 2 || report.Warnings > 0 {
		t.Fatalf("%d objects, %d warnings", len(objects), report.Warnings)
	}
	last := func(o object) float64 { c := components(o.array); return c[len(c)-1] }
	if r, i := last(find(t, objects, "z/r")), last(find(t, objects, "z/i")); r != 7 || i == i {
		t.Errorf("the last number is %v, %v", r, i)
	}
}

// TestArraysOfCompounds converts elements that are arrays of compounds, or of complex numbers: each
// member is an object.
func TestArraysOfCompounds(t *testing.T) {
	objects, _ := convert(t, fromnetcdf.Options{}, "../../exporters/tonetcdf/testdata/members.h5")
	for name, want := range map[string]string{
		"pairs/a": "[2 3] [0 1 2 3 4 5]", "pairs/b": "[2 3] [0.5 1.5 2.5 3.5 4.5 5.5]", "waves/r": "[1 2] [1 <nil>]", "waves/i": "[1 2] [2 3]", "odd/m/s": "[1] [1]",
	} {
		o := find(t, objects, name)
		if got := fmt.Sprint(o.desc.Shape, " ", numbers(t, o.array)); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}
