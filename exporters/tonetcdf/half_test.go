package tonetcdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tonetcdf"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
)

// TestHalfAttributes holds that attributes of 16-bit numbers, which netCDF does not have, become float, with
// a note.
func TestHalfAttributes(t *testing.T) {
	got, notes := export(t, fromNetCDF(t, "testdata/half.h5", fromnetcdf.SplitFile), tonetcdf.Options{})
	if len(notes) != 2 || !strings.Contains(notes[0], "variable v: attribute one becomes float") || !strings.Contains(notes[1], "attribute several becomes float") {
		t.Errorf("notes %q, expected one for each attribute", notes)
	}
	var s string
	for _, a := range open(t, got).Root().Var("v").Attrs {
		s += fmt.Sprintln(a.Name, a.Type.Describe(), a.Value)
	}
	if want := "one float [1.5]\nseveral float [1.5 +Inf 65504]\n"; s != want {
		t.Errorf("attributes %s, expected %s", s, want)
	}
}
