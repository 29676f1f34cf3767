package catalog

import "strings"

// An earlier state of a file that exists in another state has a separate name: the name of the file
// and the version, with a separator that no name contains.
const stateSeparator = "\x00"

// StateName returns the name of a file in an earlier state.
func StateName(file, version string) string { return file + stateSeparator + version }

// SplitState returns the name of the file of an earlier state, and its version. Any other name is
// returned unchanged.
func SplitState(name string) (file, version string) {
	file, version, _ = strings.Cut(name, stateSeparator)
	return file, version
}

// A FileOf is a file of a catalogue.
type FileOf struct {
	From *Catalog
	Name string // in From
	// State is how the file is recorded, which may have another name.
	State FileState
}

// Join returns the catalogue of files of others, in that order.
func Join(files []FileOf) (*Catalog, error) {
	c := new(Catalog)
	copiers := make(map[*Catalog]*Copier)
	for _, f := range files {
		if copiers[f.From] == nil {
			copiers[f.From] = c.CopyFrom(f.From)
		}
		if err := copiers[f.From].Add(f.Name, f.State); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// A Copier adds files of a catalogue to another catalogue, with their entries.
type Copier struct {
	to, from *Catalog
	rows     []int // of from, grouped by file
	ends     []int // by file, where its rows end in rows
	kinds    map[uint32]uint32
}

// CopyFrom returns a Copier that adds files of another catalogue to this one.
func (c *Catalog) CopyFrom(from *Catalog) *Copier {
	x := &Copier{to: c, from: from, rows: make([]int, from.rows.len()), ends: make([]int, len(from.files)), kinds: make(map[uint32]uint32)}
	for _, r := range from.rows.all() {
		x.ends[r.file]++
	}
	begins := make([]int, len(from.files))
	for i := range x.ends[:max(0, len(x.ends)-1)] {
		x.ends[i+1] += x.ends[i]
		begins[i+1] = x.ends[i]
	}
	for i, r := range from.rows.all() {
		at := &begins[r.file]
		x.rows[*at] = i
		*at++
	}
	return x
}

// Add adds the file of a name, if there is one, in a recorded state.
func (x *Copier) Add(name string, state FileState) error {
	number, ok := x.from.fileNumbers[name]
	if !ok {
		return nil
	}
	x.to.SetFile(state)
	file := x.to.file(state.Name)
	begin := 0
	if number > 0 {
		begin = x.ends[number-1]
	}
	for _, i := range x.rows[begin:x.ends[number]] {
		r := x.from.rows.at(i)
		own, ok := x.kinds[r.kind]
		if !ok {
			k := &x.from.kinds[r.kind]
			var err error
			if own, err = x.to.kind(k.key, func() (kind, error) { return *k, nil }); err != nil {
				return err
			}
			x.kinds[r.kind] = own
		}
		r.kind, r.file = own, file
		x.to.rows.add(r)
	}
	return nil
}
