package dataset

import "github.com/tgmconv/tgmconv/mapping"

// A bareFile is a netCDF file without variables.
type bareFile struct {
	name    string
	message map[string]any // that describes it
}

// addBare adds the groups of files without variables, with their attributes: of one file as they
// are, of several below groups that are named after the files.
func (d *Dataset) addBare(files []bareFile) {
	taken := newNameSet()
	for _, f := range files {
		below := ""
		if len(files) > 1 {
			below = groupOfFile(f.name, taken)
		}
		of := mapping.ReadIn(f.message, map[string]any{mapping.KeyNetCDF: map[string]any{}})
		d.groupsOf(below, of).group("")
	}
	d.sortGroups()
}
