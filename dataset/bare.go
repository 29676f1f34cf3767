package dataset

import (
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
)

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
		of := &Object{Base: mapping.ReadIn(f.message, map[string]any{mapping.KeyNetCDF: map[string]any{}})}
		d.netcdfGroup(below, "", of)
		if n, _ := of.Base.NetCDF(); n.File != nil {
			for _, g := range n.File.Groups {
				d.netcdfGroup(below, strings.Trim(g.Name, "/"), of)
			}
		}
		if layout := of.Base.NetCDFLayout(); layout != nil {
			for _, g := range layout.Groups {
				d.netcdfGroup(below, strings.Trim(g.Name, "/"), of)
			}
		}
	}
}
