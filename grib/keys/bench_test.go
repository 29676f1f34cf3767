package keys_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/tgmconv/tgmconv/grib/keys"
)

func firstMessage(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile("../../fixtures/grib/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	if b[7] == 1 {
		return b[:int(b[4])<<16|int(b[5])<<8|int(b[6])]
	}
	n := 0
	for _, c := range b[8:16] {
		n = n<<8 | int(c)
	}
	return b[:n]
}

var benchFiles = []struct{ name, file string }{
	{"grib2-ecmwf", "2t.grib2"},
	{"grib2-ncep", "gfs_2p50_f000.grib2"},
	{"grib1-ecmwf", "earthkit/t_pl.grib"},
}

func BenchmarkNew(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			msg := firstMessage(b, f.file)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := keys.New(msg, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMars(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			msg := firstMessage(b, f.file)
			b.ReportAllocs()
			for b.Loop() {
				h, err := keys.New(msg, nil)
				if err != nil {
					b.Fatal(err)
				}
				if len(h.Namespace("mars")) == 0 {
					b.Fatal("no keys")
				}
			}
		})
	}
}

func BenchmarkAllNamespaces(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			msg := firstMessage(b, f.file)
			b.ReportAllocs()
			for b.Loop() {
				h, err := keys.New(msg, nil)
				if err != nil {
					b.Fatal(err)
				}
				for _, ns := range []string{"mars", "ls", "geography", "time", "vertical", "parameter"} {
					h.Namespace(ns)
				}
			}
		})
	}
}

func BenchmarkSecondLookup(b *testing.B) {
	h, err := keys.New(firstMessage(b, "2t.grib2"), nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if v, err := h.Int("paramId"); err != nil || v != 167 {
			b.Fatal(v, err)
		}
	}
}

// BenchmarkReader reads the keys of a listing from messages that differ in
// level, step and the length of their data.
func BenchmarkReader(b *testing.B) {
	for _, f := range benchFiles {
		b.Run(f.name, func(b *testing.B) {
			list := alike(b, f.file)
			var r keys.Reader
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				h, err := r.Handle(list[i%len(list)], nil)
				if err != nil {
					b.Fatal(err)
				}
				if len(h.Namespace("ls")) == 0 {
					b.Fatal("no keys")
				}
			}
		})
	}
}

func alike(b *testing.B, file string) (list [][]byte) {
	msg := firstMessage(b, file)
	for i := range 100 {
		m, ok := lengthen(msg, 2*(i%3))
		if !ok {
			b.Fatal("cannot be lengthened")
		}
		if m[7] == 1 {
			m[8+18] = byte(i / 5) // P1
		} else {
			at := bytes.Index(m[16:], []byte{0, 0, 0, 34, 4}) + 16
			m[at+21], m[at+27] = byte(i/5), byte(i%5) // forecastTime, scaledValueOfFirstFixedSurface
		}
		list = append(list, m)
	}
	return list
}
