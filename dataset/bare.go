package dataset

import (
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
)

// A bareFile is a netCDF file without variables.
type bareFile struct {
	name    string
	message map[string]any // that describes it
}

// addBare adds the groups of files without variables, with their attributes: of one file as they
// are, of several below groups that are named after the files. Beside variables the files are only
// noted.
func (d *Dataset) addBare(files []bareFile) {
	taken := nameset.New()
	type described struct {
		name string
		of   mapping.Entry
	}
	var all []described
	known := make(map[string]bool) // sources
	for _, f := range files {
		for _, of := range mapping.NetCDFFiles(f.message) {
			if source := of.Source(); source == "" || !known[source] {
				known[source] = true
				all = append(all, described{f.name, of})
			}
		}
	}
	beside := len(d.Groups) > 0
	for _, f := range all {
		below := ""
		switch {
		case beside:
			if layout := f.of.NetCDFLayout(); layout != nil && len(layout.Variables) == 0 {
				d.Report.note("%s: a netCDF file without variables is not shown%s", f.name, attributesOf(f.of))
			}
			continue
		case len(all) > 1:
			below = groupOfFile(f.name, taken)
		}
		d.groupsOf(below, f.of).group("")
	}
	d.sortGroups()
}

// attributesOf names the global attributes of a netCDF file, for a note.
func attributesOf(e mapping.Entry) string {
	file := e.NetCDFFile()
	if file == nil || len(file.Global) == 0 {
		return ""
	}
	return "; its attributes: " + strings.Join(slices.Sorted(maps.Keys(file.Global)), ", ")
}
