package serve

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/nctest"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// writePacked writes a netCDF file with a variable a(time, y, x) of packed integers: element i of
// all is i modulo 1000.
func writePacked(t *testing.T, path string, times, first uint64) {
	t.Helper()
	numbers := func(name string, values ...float64) netcdf.Attr {
		return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Double), Value: values}
	}
	a := &ncwrite.Var{Name: "a", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"time", "y", "x"}, ChunkShape: []uint64{1, 100, 150},
		Attrs: []netcdf.Attr{numbers("scale_factor", 0.5), numbers("add_offset", 100)}, Filters: []netcdf.Filter{ncwrite.Deflate(1)}}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "time", Unlimited: true}, {Name: "y", Len: 150}, {Name: "x", Len: 200}}, Vars: []*ncwrite.Var{a}}
	data := make([]byte, 0, times*150*200*2)
	for i := range times * 150 * 200 {
		data = binary.LittleEndian.AppendUint16(data, uint16((first*150*200+i)%1000))
	}
	nctest.Write(t, path, netcdf.NetCDF4, root, func(w *ncwrite.Writer) error {
		return w.Write(t.Context(), a, []uint64{0, 0, 0}, []uint64{times, 150, 200}, data)
	})
}

// TestBlocks reads packed variables of netCDF files in chunks of which none takes much memory. They
// are of one file, or of several that follow one another.
func TestBlocks(t *testing.T) {
	dir := t.TempDir()
	writePacked(t, filepath.Join(dir, "a.nc"), 24, 0)
	writePacked(t, filepath.Join(dir, "b.nc"), 20, 24)
	for _, test := range []struct {
		files []string
		opts  DatasetOptions
		times int
		chunk []uint64
	}{
		{[]string{"a.nc"}, DatasetOptions{}, 24, []uint64{17, 150, 200}},
		{[]string{"a.nc"}, DatasetOptions{Chunks: map[string]uint64{"time": 5, "x": 33}}, 24, []uint64{5, 150, 33}},
		{[]string{"a.nc"}, DatasetOptions{Codec: WireZstd}, 24, []uint64{17, 150, 200}},
		{[]string{"a.nc", "b.nc"}, DatasetOptions{}, 44, []uint64{12, 150, 200}}, // of 24 in a file
	} {
		t.Run(fmt.Sprint(len(test.files), test.opts), func(t *testing.T) {
			var names []string
			for _, name := range test.files {
				names = append(names, filepath.Join(dir, name))
			}
			a, err := archive.Open(t.Context(), names, archive.Options{Index: archive.IndexNone})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			meta, data := readArray(t, NewStore(NewDatasetView(a.Set, a, test.opts), StoreOptions{}), "a")
			if !slices.Equal(meta.ChunkShape, test.chunk) {
				t.Errorf("chunks %v, expected %v", meta.ChunkShape, test.chunk)
			}
			if len(data) != test.times*150*200*8 {
				t.Fatalf("%d bytes, expected %d times", len(data), test.times)
			}
			for i := range len(data) / 8 {
				if got, want := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:])), 100+0.5*float64(i%1000); got != want {
					t.Fatalf("element %d is %v, expected %v", i, got, want)
				}
			}
		})
	}
}

func TestParseChunks(t *testing.T) {
	got, err := ParseChunks("latitude=180, longitude=360")
	if err != nil || len(got) != 2 || got["latitude"] != 180 || got["longitude"] != 360 {
		t.Errorf("found %v, %v, expected the lengths of two dimensions", got, err)
	}
	if got, err := ParseChunks(""); got != nil || err != nil {
		t.Errorf("an empty text: found %v, %v, expected nothing", got, err)
	}
	for _, bad := range []string{"latitude", "=180", "latitude=0", "latitude=-1", "latitude=all", "latitude=180,"} {
		if got, err := ParseChunks(bad); err == nil {
			t.Errorf("%q: found %v, expected an error", bad, got)
		}
	}
}
