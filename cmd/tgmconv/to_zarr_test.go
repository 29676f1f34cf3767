package main

import (
	"testing"

	"github.com/tgmconv/tgmconv/archive"
)

// TestSourceOfChosenObjects wants a run that takes other objects not to go on with the store of an
// interrupted one.
func TestSourceOfChosenObjects(t *testing.T) {
	a, err := archive.Open(t.Context(), []string{"../../fixtures/grib/sanity.grib2"}, archive.Options{Index: archive.IndexNone})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	one := (&toZarr{where: []string{"level=500"}}).source(a)
	if again := (&toZarr{where: []string{"level=500"}}).source(a); again != one {
		t.Errorf("the same objects are %q and %q", one, again)
	}
	for _, where := range [][]string{nil, {"level=850"}, {"level=500", "number=1"}} {
		if other := (&toZarr{where: where}).source(a); other == one {
			t.Errorf("objects where %q are those where level=500: %q", where, one)
		}
	}
}
