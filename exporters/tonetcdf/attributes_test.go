package tonetcdf_test

import (
	"encoding/binary"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// writeVariable makes a netCDF-4 file of a variable with these little-endian elements.
func writeVariable(t *testing.T, v *ncwrite.Var, n int, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "source.nc")
	v.Dims = []string{"x"}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: uint64(n)}}, Vars: []*ncwrite.Var{v}}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), v, nil, nil, data)
	})
	return path
}

// TestAttributesWithNamesOfKeys holds that attributes named like keys of the metadata come back. Numbers stay
// packed, or not.
func TestAttributesWithNamesOfKeys(t *testing.T) {
	of := func(class netcdf.Class, name string, value any) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(class), Value: value}
	}
	attrs := []netcdf.Attr{
		of(netcdf.Double, "scale_factor", []float64{0.1}), of(netcdf.UInt64, "_FillValue", []uint64{math.MaxUint64}),
		of(netcdf.Char, "dtype", "timedelta64[ns]"), of(netcdf.Char, "_type", "a"), of(netcdf.Double, "_dims", []float64{1.5, 2}),
		of(netcdf.Char, "_packing", "b"), of(netcdf.Char, "_attributes", "c"), of(netcdf.UInt64, "_null", []uint64{1, 1 << 63}),
	}
	v := &ncwrite.Var{Name: "v", Type: ncwrite.Atomic(netcdf.UInt64), Attrs: attrs}
	source := writeVariable(t, v, 2, binary.LittleEndian.AppendUint64([]byte{3, 0, 0, 0, 0, 0, 0, 0}, 4))
	for _, encoding := range []string{"", "none"} {
		from := fromnetcdf.New([]importers.Input{{Name: source}}, fromnetcdf.Options{})
		back, notes := export(t, convert(t, from, encoding), tonetcdf.Options{})
		if len(notes) > 0 {
			t.Errorf("encoding %q: warnings %q", encoding, notes)
		}
		got := open(t, back).Root().Var("v").Attrs
		if len(got) != len(attrs) {
			t.Fatalf("encoding %q: %d attributes, expected %d", encoding, len(got), len(attrs))
		}
		for i, a := range got {
			if a.Name != attrs[i].Name || !reflect.DeepEqual(a.Value, attrs[i].Value) {
				t.Errorf("encoding %q: attribute %s is %v, expected %s, %v", encoding, a.Name, a.Value, attrs[i].Name, attrs[i].Value)
			}
		}
	}
}

// TestMissingZeros holds that zeros which are missing points keep their sign.
func TestMissingZeros(t *testing.T) {
	zero := math.Copysign(0, -1)
	var want []byte
	numbers := []float64{0, zero, zero, 1, 0, math.NaN(), zero}
	for _, x := range numbers {
		want = binary.LittleEndian.AppendUint64(want, math.Float64bits(x))
	}
	for _, fill := range []float64{0, zero} {
		v := &ncwrite.Var{Name: "v", Type: ncwrite.Atomic(netcdf.Double), Attrs: []netcdf.Attr{
			{Name: "_FillValue", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{fill}},
		}}
		source := writeVariable(t, v, len(numbers), want)
		back, _ := export(t, fromNetCDF(t, source, fromnetcdf.SplitFile), tonetcdf.Options{})
		got := make([]byte, len(want))
		if err := open(t, back).Root().Var("v").Read(t.Context(), got, nil, nil); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("fill value %v: elements %x, expected %x", fill, got, want)
		}
	}
}
