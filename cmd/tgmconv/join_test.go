package main

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestJoinedNetCDF writes files that follow one another as one file, whatever their order, and says
// why others cannot be one.
func TestJoinedNetCDF(t *testing.T) {
	s := &shuffler{t: t, r: rand.New(rand.NewPCG(1, 2)), dir: t.TempDir()}
	path := func(name string) string { return filepath.Join(s.dir, name) }
	for i, unlimited := range []bool{true, false} {
		var want []float64
		for number, times := range [][]float64{{0, 1}, {2, 3, 4}, {5}} {
			f := sourceFile{number: number, title: "one of three", since: "2000-01-01", times: times, lats: []float64{10, 20}, vars: []string{"t", "q"}, unlimited: unlimited}
			f.write(t, path(string('a'+rune(number))+".nc"))
			for time := range times {
				for place := range len(f.lats) * sourceLons {
					want = append(want, f.value(0, time, place))
				}
			}
		}
		s.run("to-netcdf", "-q", "-o", path("joined.nc"), path("c.nc"), path("a.nc"), path("b.nc"))
		s.run("convert", "-q", "-o", path("all.tgm"), path("b.nc"), path("c.nc"), path("a.nc"))
		s.run("to-netcdf", "-q", "-o", path("again.nc"), path("all.tgm"))
		for _, name := range []string{"joined.nc", "again.nc"} {
			f, err := netcdf.Open(path(name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			v := f.Root().Var("t")
			if v == nil || !slices.Equal(v.Shape(), []uint64{6, 2, sourceLons}) || f.Root().Dims[0].Unlimited != unlimited || len(f.Root().Vars) != 5 {
				t.Fatalf("%s of set %d: %+v", name, i, v)
			}
			data := make([]byte, v.Size())
			if err := v.Read(t.Context(), data, make([]uint64, 3), v.Shape()); err != nil {
				t.Fatal(err)
			}
			got, err := tgm.Values[float64](&tgm.Array{Shape: v.Shape(), DType: tgm.Float64, Data: data})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of set %d: %v, %v, expected %v", name, i, got, err, want)
			}
		}
	}
	other := sourceFile{title: "another", since: "2000-01-01", times: []float64{9}, lats: []float64{10, 30}, vars: []string{"t", "q"}}
	other.write(t, path("other.nc"))
	out, err := exec.Command("tgmconv", "to-netcdf", "-o", path("none.nc"), path("a.nc"), path("other.nc")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "2 netCDF files, which are not one dataset") {
		t.Errorf("%v: %s, expected an error", err, out)
	}
}
