//go:build interop

package grib_test

import (
	"path/filepath"
	"testing"

	"github.com/tgmconv/tgmconv/grib"
)

// TestRebuildCorpus builds every message of other projects' sample files again.
func TestRebuildCorpus(t *testing.T) {
	names, err := filepath.Glob("../.interop/corpus/grib/*")
	if err != nil || len(names) == 0 {
		t.Skip("the corpus (.interop/corpus) is not installed")
	}
	var r rebuilt
	for _, name := range names {
		f, err := grib.Open(name, grib.WithSkipBad())
		if err != nil {
			continue // not GRIB
		}
		for m, err := range f.Messages() {
			if err == nil {
				r.message(t, filepath.Base(name), m)
			}
		}
		f.Close()
	}
	t.Log(&r)
}
