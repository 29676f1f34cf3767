package fromnetcdf_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestAuxiliaryTimes reads profiles whose times are no dimension, in no order, and one of which is missing:
// they have the first and the last time, and so have variables that name them as coordinates.
func TestAuxiliaryTimes(t *testing.T) {
	text := func(name, value string) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: value}
	}
	fill := netcdf.Attr{Name: "_FillValue", Type: ncwrite.Atomic(netcdf.Double), Value: []float64{-1}}
	variable := func(name string, attrs ...netcdf.Attr) *ncwrite.Var {
		return &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Double), Dims: []string{"profile"}, Attrs: attrs}
	}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "profile", Len: 4}},
		Vars: []*ncwrite.Var{
			variable("time", text("units", "days since 2000-01-01"), fill),
			variable("temp", text("coordinates", "time lat")), variable("lat"),
		},
	}
	path := filepath.Join(t.TempDir(), "profiles.nc")
	data, err := binary.Append(nil, binary.LittleEndian, []float64{31, 2, -1, 60})
	if err != nil {
		t.Fatal(err)
	}
	nctest.Write(t, path, netcdf.CDF1, root, func(w *ncwrite.Writer) error {
		for _, v := range root.Vars {
			if err := w.Write(t.Context(), v, nil, nil, data); err != nil {
				return err
			}
		}
		return nil
	})
	const span = "[2000-01-03T00:00:00Z 2000-03-01T00:00:00Z]"
	want := map[string]string{"time": span, "temp": span, "lat": "<nil>"}
	src := fromnetcdf.New([]importers.Input{{Name: path}}, fromnetcdf.Options{})
	defer src.Close()
	for p, err := range src.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range src.Read(t.Context(), p, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(f.Extras["valid_time_range"]); got != want[f.Name] {
				t.Errorf("%s: %s, expected %s", f.Name, got, want[f.Name])
			}
		}
	}
}
