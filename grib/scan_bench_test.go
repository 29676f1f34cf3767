package grib_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// BenchmarkOpen indexes a file of 100 000 messages, small and large.
func BenchmarkOpen(b *testing.B) {
	small, large := readFixture(b, "sanity.grib2"), readFixture(b, "earthkit/t_gribjump.grib")
	for _, x := range []struct {
		name string
		data []byte
		n    int
	}{{"small", small, 100000}, {"mixed", append(append([]byte(nil), small...), large...), 50000}} {
		b.Run(x.name, func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "many.grib")
			if err := os.WriteFile(name, bytes.Repeat(x.data, x.n), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				f, err := grib.Open(name)
				if err != nil || f.Len() < 100000 {
					b.Fatalf("%d messages: %v", f.Len(), err)
				}
				f.Close()
			}
		})
	}
}
