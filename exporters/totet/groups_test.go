package totet_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// TestCoordinatesAbove: variables of groups have the coordinates of the groups above, unless another
// dimension or variable hides them.
func TestCoordinatesAbove(t *testing.T) {
	f := labelled(t, groupsFile(t))
	for name, want := range map[string]string{
		"g/v":      "height=2 x=[10 20 30] y=[5 6]", // all from the root
		"g/h/v":    "height=7 y=[5 6]",              // the group has a dimension x and a variable height of its own
		"g/h/i/v":  "height=7 x=[1 2] y=[5 6]",      // and this one labels of x
		"beside/v": "x=[10 20 30] y=[5 6]",
	} {
		meta := f.Metadata().Datasets[name]
		got := ""
		if height, ok := meta.Attrs["height"]; ok {
			got = "height=" + height + " "
		}
		for _, axis := range slices.Sorted(maps.Keys(meta.Coords)) {
			got += fmt.Sprintf("%s=%v ", axis, meta.Coords[axis].Labels)
		}
		if got != want+" " {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}

// groupsFile is a netCDF file with v(y, x) in each group. The dimensions and their labels are in the groups
// above.
func groupsFile(t *testing.T) (path string) {
	t.Helper()
	contents := make(map[*ncwrite.Var][]float32)
	variable := func(name string, dims []string, values ...float32) *ncwrite.Var {
		v := &ncwrite.Var{Name: name, Type: ncwrite.Atomic(netcdf.Float), Dims: dims}
		contents[v] = values
		return v
	}
	field := func(columns int, height string) *ncwrite.Var {
		v := variable("v", []string{"y", "x"}, make([]float32, 2*columns)...)
		if height != "" {
			v.Attrs = []netcdf.Attr{{Name: "coordinates", Type: ncwrite.Atomic(netcdf.Char), Value: height}}
		}
		return v
	}
	x2 := []*netcdf.Dim{{Name: "x", Len: 2}}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "y", Len: 2}, {Name: "x", Len: 3}},
		Vars: []*ncwrite.Var{variable("x", []string{"x"}, 10, 20, 30), variable("y", []string{"y"}, 5, 6), variable("height", nil, 2)},
		Groups: []*ncwrite.Group{
			{Name: "g", Vars: []*ncwrite.Var{field(3, "height")}, Groups: []*ncwrite.Group{
				{Name: "h", Dims: x2, Vars: []*ncwrite.Var{field(2, "height"), variable("height", nil, 7)}, Groups: []*ncwrite.Group{
					{Name: "i", Dims: x2, Vars: []*ncwrite.Var{field(2, "height"), variable("x", []string{"x"}, 1, 2)}},
				}},
			}},
			{Name: "beside", Vars: []*ncwrite.Var{field(3, "")}},
		},
	}
	path = filepath.Join(t.TempDir(), "groups.nc")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := ncwrite.Create(file, netcdf.NetCDF4, root)
	if err != nil {
		t.Fatal(err)
	}
	for v, values := range contents {
		data, err := binary.Append(nil, binary.LittleEndian, values)
		if err != nil {
			t.Fatal(err)
		}
		count := []uint64{2, uint64(len(values) / 2)}
		if len(v.Dims) < 2 {
			count = []uint64{uint64(len(values))}[:len(v.Dims)]
		}
		if err := w.Write(t.Context(), v, make([]uint64, len(count)), count, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
