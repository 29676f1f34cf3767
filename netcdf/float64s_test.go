package netcdf_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

func ExampleVar_Float64s() {
	f, err := netcdf.Open("../fixtures/netcdf/cf_temperature.nc")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Var("temperature") // short, with scale_factor and add_offset
	row, err := v.Float64s(context.Background(), []uint64{0, 0, 0}, []uint64{1, 1, v.Dims[2].Len})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", row)
	// Output:
	// [-0.00 303.68 495.96 235.12]
}

// TestFloat64s reads packed, unsigned and missing values, and expects xarray's values.
func TestFloat64s(t *testing.T) {
	path := filepath.Join(t.TempDir(), "packed.nc")
	write(t, path)
	f, err := netcdf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	nan := math.NaN()
	for name, want := range map[string][]float64{
		"packed":   {nan, 273.15, 273.25, 273.04999999999995},
		"unsigned": {nan, 0, 2.5, 100},
		"plain":    {1, nan, nan, 4},
	} {
		got, err := f.Root().Var(name).Float64s(t.Context(), nil, nil)
		if err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: %v, error %v, expected %v", name, got, err, want)
		}
	}
	if _, err := f.Root().Var("text").Float64s(t.Context(), nil, nil); err == nil {
		t.Error("text has values of float64")
	}
	if _, err := f.Root().Var("plain").Float64s(t.Context(), []uint64{3}, []uint64{2}); err == nil {
		t.Error("values beyond the end were read")
	}
}

// write writes four elements of each variable.
func write(t *testing.T, path string) {
	t.Helper()
	attr := func(name string, c netcdf.Class, value any) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(c), Value: value}
	}
	vars := []*ncwrite.Var{
		{Name: "packed", Type: ncwrite.Atomic(netcdf.Short), Attrs: []netcdf.Attr{
			attr("scale_factor", netcdf.Double, []float64{0.1}), attr("add_offset", netcdf.Double, []float64{273.15}), attr("_FillValue", netcdf.Short, []int64{-1000}),
		}},
		{Name: "unsigned", Type: ncwrite.Atomic(netcdf.Byte), Attrs: []netcdf.Attr{
			attr("_Unsigned", netcdf.Char, "true"), attr("_FillValue", netcdf.Byte, []int64{-1}), attr("scale_factor", netcdf.Float, []float64{0.5}),
		}},
		{Name: "plain", Type: ncwrite.Atomic(netcdf.Float), Attrs: []netcdf.Attr{attr("missing_value", netcdf.Float, []float64{-999, float64(float32(1e20))})}},
		{Name: "text", Type: ncwrite.Atomic(netcdf.Char)},
	}
	elements := [][]byte{
		binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, 0xfc18), 0), 1), 0xffff),
		{0xff, 0, 5, 200},
		nil,
		[]byte("text"),
	}
	for _, x := range []float32{1, -999, 1e20, 4} {
		elements[2] = binary.LittleEndian.AppendUint32(elements[2], math.Float32bits(x))
	}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 4}}, Vars: vars}
	for _, v := range vars {
		v.Dims = []string{"x"}
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := ncwrite.Create(out, netcdf.CDF2, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, v := range vars {
		if err := w.Write(t.Context(), v, nil, nil, elements[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
