package fromgrib

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/internal/sourcetest"
	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/storage"
)

// TestPartsAreData reads the fields of all sample files by parts that were written to JSON.
func TestPartsAreData(t *testing.T) {
	inputs, err := new(storage.Client).Find(t.Context(), "../../fixtures/grib")
	if err != nil || len(inputs) < 20 {
		t.Fatal(len(inputs), err)
	}
	some, n := cases.Of(t), 0
	inputs = slices.DeleteFunc(inputs, func(importers.Input) bool { n++; return !some.Has(n, 5) })
	clauses, err := ParseWhere([]string{"typeOfLevel=surface/heightAboveGround"})
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []Options{{}, {Split: true}, {GroupBy: []string{"shortName"}}, {AllKeys: true, Where: clauses}} {
		opts.SkipBad = true
		n := sourcetest.Parts(t, func() importers.Source { return New(inputs, opts) }, func() importers.Source { return New(nil, opts) })
		if n < len(inputs) {
			t.Errorf("%d fields with %+v", n, opts)
		}
		inputs = fewFields
	}
}

// fewFields are files that are read quickly.
var fewFields = []importers.Input{
	{Name: "../../fixtures/grib/2t.grib2"}, {Name: "../../fixtures/grib/lsm.grib2"}, {Name: "../../fixtures/grib/2t_simple.grib2"},
}

// TestListingReadsNoData lists a file of large fields and reads their descriptions.
func TestListingReadsNoData(t *testing.T) {
	b, err := os.ReadFile("../../fixtures/grib/2t.grib2")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "many.grib2")
	if err := os.WriteFile(name, bytes.Repeat(b, 3), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New([]importers.Input{{Name: name}}, Options{})
	defer s.Close()
	counts := new(countingBlob)
	f, err := s.files.Acquire(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	counts.Blob, f.Blob = f.Blob, counts
	fields := 0
	for p, err := range s.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for f, err := range s.Read(t.Context(), p, nil) {
			if err != nil || f.Name != "2t" || len(f.Shape) == 0 {
				t.Fatal(f, err)
			}
			fields++
		}
	}
	f.Release()
	if fields != 3 || counts.longest > 64<<10 || counts.total > int64(len(b))/4 {
		t.Errorf("%d fields, %d bytes read in %d reads of at most %d, of %d bytes of input", fields, counts.total, counts.reads, counts.longest, 3*len(b))
	}
}

type countingBlob struct {
	storage.Blob
	reads, longest int
	total          int64
}

func (c *countingBlob) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	c.reads, c.longest, c.total = c.reads+1, max(c.longest, len(p)), c.total+int64(len(p))
	return c.Blob.ReadAt(ctx, p, off)
}
