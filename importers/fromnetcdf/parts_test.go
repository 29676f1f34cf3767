package fromnetcdf

import (
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/internal/sourcetest"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/storage"
)

// TestPartsAreData reads the variables of all sample files by parts that were written to JSON.
func TestPartsAreData(t *testing.T) {
	inputs, err := new(storage.Client).Find(t.Context(), "../../fixtures/netcdf")
	if err != nil || len(inputs) < 20 {
		t.Fatal(len(inputs), err)
	}
	some, n := cases.Of(t), 0
	inputs = slices.DeleteFunc(inputs, func(importers.Input) bool { n++; return !some.Has(n, 3) })
	for _, opts := range []Options{{}, {Split: SplitVariable, CF: true}, {Split: SplitRecord}} {
		n := sourcetest.Parts(t, func() importers.Source { return New(inputs, opts) }, func() importers.Source { return New(nil, opts) })
		if n < 20 {
			t.Errorf("%d fields with %+v", n, opts)
		}
	}
}

// TestPartsOfAnotherFile are refused.
func TestPartsOfAnotherFile(t *testing.T) {
	record := uint64(99)
	for _, p := range []importers.Part{
		{Number: 99, Variable: "t"}, {Number: -1, Variable: "t"}, {Number: 0, Variable: "no such"},
		{Number: 0, Variable: "t", Record: &record},
	} {
		p.Input = "../../fixtures/netcdf/multi_var.nc"
		for _, split := range []Split{SplitFile, SplitRecord} {
			s := New(nil, Options{Split: split})
			for f, err := range s.Read(t.Context(), p, nil) {
				if err == nil {
					t.Errorf("%+v: field %s, expected an error", p, f.Name)
				}
			}
			s.Close()
		}
	}
}
