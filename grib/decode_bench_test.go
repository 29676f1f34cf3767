package grib_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// BenchmarkDecode decodes the first field of some fixtures, and of files that bench/grib has
// left in .bench.
func BenchmarkDecode(b *testing.B) {
	names := []string{"../fixtures/grib/2t_simple.grib2", "../fixtures/grib/2t.grib2", "../fixtures/grib/gfs_2p50_f000.grib2", "../fixtures/grib/cfgrib/ds.waveh.5.grib"}
	more, _ := filepath.Glob("../.bench/grib_*.grib") // the pattern is well-formed
	for _, name := range append(names, more...) {
		b.Run(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), func(b *testing.B) {
			f, err := grib.Open(name)
			if os.IsNotExist(err) {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			m, err := f.Message(0)
			if err != nil {
				b.Fatal(err)
			}
			var buf []float64
			for b.Loop() {
				if buf, _, err = m.Fields()[0].Decode(buf); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(8 * len(buf)))
		})
	}
}
