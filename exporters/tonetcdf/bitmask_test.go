package tonetcdf_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestBitmask writes a bitmask as bytes of 0 and 1, and says so.
func TestBitmask(t *testing.T) {
	plain := bitmaskFile(t, map[string]any{"name": "flags"})
	declared := bitmaskFile(t, map[string]any{"name": "flags", "netcdf": map[string]any{"dims": []any{"a", "b"}}})
	want := []float64{1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1}
	for _, test := range []struct {
		path  string
		kind  netcdf.Kind
		class netcdf.Class
	}{
		{plain, netcdf.NetCDF4, netcdf.UByte}, {plain, netcdf.CDF5, netcdf.UByte}, {plain, netcdf.CDF2, netcdf.Short},
		{declared, netcdf.NetCDF4, netcdf.UByte},
	} {
		out, notes := export(t, convertedFile{path: test.path}, tonetcdf.Options{Kind: test.kind})
		if !slices.Equal(notes, []string{"variable flags becomes " + test.class.String() + " of 0 and 1: netCDF has no bitmasks"}) {
			t.Errorf("%s: notes %q", test.kind, notes)
		}
		v := open(t, out).Root().Var("flags")
		if v == nil || v.Type.Class != test.class || v.Attr("dtype") == nil {
			t.Errorf("%s: %v, expected a variable of %v with the attribute dtype", test.kind, v, test.class)
			continue
		}
		if got := values(t, v); !slices.Equal(got, want) {
			t.Errorf("%s: %v, expected %v", test.kind, got, want)
		}
	}
}

// bitmaskFile is a Tensogram file of one bitmask of 3 rows of 5 elements.
func bitmaskFile(t *testing.T, base map[string]any) (path string) {
	t.Helper()
	encoded, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{3, 5}, DType: tgm.Bitmask, Data: []byte{0b10110011, 0b10101010}}, tgm.Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	var message bytes.Buffer
	w := tgm.NewMessageWriter(&message, tgm.WriterOptions{})
	if err := errors.Join(w.Append(encoded, base), w.Close()); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "flags.tgm")
	if err := os.WriteFile(path, message.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
