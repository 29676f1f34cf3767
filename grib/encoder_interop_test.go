//go:build interop

package grib_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// TestInteropEncoder lets ecCodes read the output of Encoder, in every packing, and compares with
// our reading.
func TestInteropEncoder(t *testing.T) {
	made, dir := t.TempDir(), t.TempDir()
	var files []string
	write := func(name string, e grib.Encoder, d ...grib.Draft) {
		b, err := e.Encode(nil, d...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join(made, name+".grib2")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	var n int
	d := draft(t, &n)
	all := append(encoders(), grib.Encoder{Packing: grib.PackIEEE32}, grib.Encoder{Packing: grib.PackIEEE64})
	for i, e := range all {
		for _, bits := range []int{1, 7, 12, 16, 24, 31} {
			e.Bits, e.DecimalScale = bits, bits%3-1
			d.Values, d.Missing = temperatures(n), nil
			write(fmt.Sprintf("%d-%d", i, bits), e, d)
			d.Missing = bitmask.New(n)
			for k := 5; k < n; k += 3 {
				d.Missing.Set(k)
			}
			write(fmt.Sprintf("%d-%d-gaps", i, bits), e, d)
			write(fmt.Sprintf("%d-%d-several", i, bits), e, d, d)
		}
	}
	for _, name := range []string{"gfs_2p50_f000.grib2", "2t.grib2", "lsm.grib2"} {
		m, err := grib.ParseMessage(readFixture(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Fields()[0].Header().Draft()
		if err != nil {
			t.Fatal(err)
		}
		if again.Quantised, err = m.Fields()[0].Integers(); err != nil {
			t.Fatal(err)
		}
		for i, e := range encoders() {
			write(fmt.Sprintf("%s-%d", name, i), e, again)
		}
	}
	script(t, "grib/values.py", append([]string{"dump", dir}, files...)...)
	if l := readIndex(t, dir); len(l) < len(files) {
		t.Fatalf("ecCodes read %d fields of %d files", len(l), len(files))
	}
	for _, l := range readIndex(t, dir) {
		if l.Error != "" {
			t.Errorf("%s: ecCodes: %s", l.File, l.Error)
		}
	}
	compareDump(t, dir)
}
