package catalog

import "strings"

// An earlier state of a file that is there again in another one has a name of its own: that of the
// file and the version, which no name of a file contains.
const stateSeparator = "\x00"

// StateName returns the name of a file in an earlier state.
func StateName(file, version string) string { return file + stateSeparator + version }

// SplitState returns the name of the file of an earlier state, and the version of that; any other name
// is returned as it is.
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
	rows := make(map[*Catalog]map[uint32][]int) // by file
	kinds := make(map[*Catalog]map[uint32]uint32)
	for _, f := range files {
		number, ok := f.From.fileNumbers[f.Name]
		if !ok {
			continue
		}
		if rows[f.From] == nil {
			byFile := make(map[uint32][]int)
			for i := range f.From.rows {
				byFile[f.From.rows[i].file] = append(byFile[f.From.rows[i].file], i)
			}
			rows[f.From], kinds[f.From] = byFile, make(map[uint32]uint32)
		}
		c.SetFile(f.State)
		for _, i := range rows[f.From][number] {
			r := f.From.rows[i]
			own, ok := kinds[f.From][r.kind]
			if !ok {
				k := &f.From.kinds[r.kind]
				var err error
				if own, err = c.kind(k.key, func() (kind, error) { return *k, nil }); err != nil {
					return nil, err
				}
				kinds[f.From][r.kind] = own
			}
			r.kind, r.file = own, c.file(f.State.Name)
			c.rows = append(c.rows, r)
		}
	}
	return c, nil
}
