package netcdf

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func openFixture(t testing.TB, name string) *File {
	t.Helper()
	path := "../fixtures/netcdf/" + name
	f, err := Open(path, WithOpener(filepath.Base(path), InFolder(filepath.Dir(path))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func countGroups(g *Group) int {
	n := 1
	for _, sub := range g.Groups {
		n += countGroups(sub)
	}
	return n
}

// TestGroupsOnce walks a file whose eleven groups have 2047 paths.
func TestGroupsOnce(t *testing.T) {
	root := openFixture(t, "made/dag10.h5").Root()
	if n := countGroups(root); n != 12 {
		t.Errorf("%d groups, expected the root and 11 others", n)
	}
	for _, g := range root.Groups {
		switch {
		case g.Name == "g10" && g.Var("v") == nil:
			t.Error("/g10 has no variable v")
		case g.Name == "g3" && !slices.Equal(g.Aliases, []Alias{{Name: "l", Path: "/g4"}, {Name: "r", Path: "/g4"}}):
			t.Errorf("aliases of /g3: %v, expected l and r for /g4", g.Aliases)
		}
	}
}

// TestGroupWithoutVariables reads a group that has only attributes. The radar format ODIM_H5
// has many such groups.
func TestGroupWithoutVariables(t *testing.T) {
	root := openFixture(t, "made/gm_char.nc").Root()
	if len(root.Groups) != 1 || root.Groups[0].Name != "what" {
		t.Fatalf("groups %v, expected what", root.Groups)
	}
	gain := root.Groups[0].Attr("gain")
	if gain == nil || !slices.Equal(gain.Value.([]float64), []float64{0.5}) {
		t.Errorf("what:gain is %v, expected 0.5", gain)
	}
}

// TestCacheImage reads a file that the HDF5 library closed with an image of its metadata cache.
func TestCacheImage(t *testing.T) {
	v := openFixture(t, "hdf5/h5clear_mdc_image.h5").Root().Var("DSET")
	if v == nil || !slices.Equal(v.Shape(), []uint64{50, 100}) {
		t.Fatalf("%v, expected DSET of 50 x 100", v)
	}
	b, err := os.ReadFile("../fixtures/netcdf/hdf5/h5clear_mdc_image.h5")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(b, 'M') // any damage of the image counts, as it has a checksum
	for ; string(b[i:i+4]) != "MDCI"; i++ {
	}
	b[i+100]++
	if _, err := NewFile(bytes.NewReader(b), int64(len(b))); err == nil {
		t.Error("a damaged cache image was not noticed")
	}
}
