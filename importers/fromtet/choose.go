package fromtet

import (
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
)

// UnknownKeys returns the keys of Options.Where that no dataset has had so far.
func (s *Source) UnknownKeys() []string { return s.asked.Unknown() }

// choose finds the names of the datasets that match the clauses, and of the coordinates of their axes. nil means
// all.
func (s *Source) choose(f *tet.File, location string) map[string]bool {
	if len(s.opts.Where) == 0 {
		return nil
	}
	chosen := make(map[string]bool)
	for i, d := range f.Datasets() {
		if !known(f, d, i, location).Match(s.opts.Where, &s.asked) {
			continue
		}
		chosen[d.Name] = true
		for _, dim := range d.DimNames() {
			chosen[dim] = true
		}
	}
	return chosen
}

// known returns the description of dataset i of a file, for clauses.
func known(f *tet.File, d *tet.Dataset, i int, location string) *mapping.Known {
	base := map[string]any{mapping.KeyName: d.Name, mapping.KeyTet: mapping.Decoded(describe(f, d, nil).Map())}
	if dims := d.DimNames(); dims != nil {
		base[mapping.KeyDims] = mapping.Decoded(dims)
	}
	entry := mapping.Read(base)
	return &mapping.Known{
		Entry: entry, Label: entry.Label,
		Place: &mapping.Place{File: storage.Display(location), Message: i},
		Array: func() mapping.ArrayKeys {
			return mapping.ArrayKeys{DType: dtypes[d.DType].String(), Shape: d.Shape, Dims: d.DimNames()}
		},
	}
}
