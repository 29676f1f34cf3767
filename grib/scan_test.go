package grib_test

import (
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

func fixtures(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, p := range []string{"*.grib*", "cfgrib/*", "earthkit/*", "eccodes-python/*"} {
		m, err := filepath.Glob(filepath.Join("../fixtures/grib", p))
		if err != nil || len(m) == 0 {
			t.Fatalf("no fixtures match %s (%v)", p, err)
		}
		all = append(all, m...)
	}
	return all
}

func TestOpenFixtures(t *testing.T) {
	for _, name := range fixtures(t) {
		f, err := grib.Open(name, grib.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for m, err := range f.Messages() {
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
			for _, field := range m.Fields() {
				if len(field.Bytes()) != len(m.Data) && len(m.Fields()) == 1 {
					t.Errorf("%s: message %d: %d bytes of %d", name, m.Index, len(field.Bytes()), len(m.Data))
				}
			}
		}
		f.Close()
	}
}
