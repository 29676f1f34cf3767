package dataset

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/mapping"
)

// hasRecords reports whether the first dimension of a variable is unlimited.
func hasRecords(o *Object) bool {
	n, ok := o.Base.NetCDF()
	if !ok || n.File == nil || len(n.Dims) == 0 || len(o.Shape) == 0 {
		return false
	}
	return slices.ContainsFunc(n.File.Dims, func(d mapping.FileDim) bool { return d.Unlimited && d.Name == n.Dims[0] })
}

// setAlong notes which variables of files follow one another. They have an unlimited dimension that
// is the first of all variables that have it. In files with split records, they are the records. In
// files without unlimited dimensions, as xarray writes them, they have the dimension of the only
// coordinate of times; fixed is then true.
func setAlong(files []*sourceFile) (fixed bool) {
	later := make(map[string]bool) // dimensions that are not the first of some variable
	for _, f := range files {
		for i := range f.objects {
			if n, ok := f.objects[i].Base.NetCDF(); ok && len(n.Dims) > 1 {
				for _, dim := range n.Dims[1:] {
					later[dim] = true
				}
			}
		}
	}
	times := fixedTimes(files)
	if later[times] {
		times = ""
	}
	for _, f := range files {
		split := slices.ContainsFunc(f.objects, func(o Object) bool { return o.isRecord() })
		for i := range f.objects {
			o := &f.objects[i]
			n, _ := o.Base.NetCDF()
			if times == "" {
				o.along = !split && hasRecords(o) && !later[n.Dims[0]]
			} else {
				o.along = len(n.Dims) > 0 && n.Dims[0] == times && len(o.Shape) > 0
			}
		}
	}
	return times != ""
}

// fixedTimes is the dimension of the only coordinate of times of files without unlimited dimensions.
// It is "" if there is none, or several, or if a file has an unlimited dimension.
func fixedTimes(files []*sourceFile) string {
	times, chars := "", make(map[string]bool) // and dimensions that the characters of texts would have
	for _, f := range files {
		for i := range f.objects {
			o := &f.objects[i]
			n, ok := o.Base.NetCDF()
			if _, record := o.recordIndex(); !ok || record || n.File == nil || slices.ContainsFunc(n.File.Dims, func(d mapping.FileDim) bool { return d.Unlimited }) {
				return ""
			}
			if n.Type == "char" && len(n.Dims) == 1 {
				chars[n.Dims[0]] = true
			}
			if isLabel(o) && unitsOfTime(o) != nil {
				if times != "" && times != n.Dims[0] {
					return ""
				}
				times = n.Dims[0]
			}
		}
	}
	if chars[times] {
		return ""
	}
	return times
}

// alongRecords reports whether a variable of several files continues from file to file, or an object is its
// record.
func (o *Object) alongRecords() bool { return o.along || o.isRecord() }

// notAlong is the error for a file in which no variable does.
func notAlong(f *sourceFile) error {
	if slices.ContainsFunc(f.objects, func(o Object) bool { return hasRecords(&o) }) {
		return fmt.Errorf("%s has no unlimited dimension that is the first of all variables that have it", f.place)
	}
	return fmt.Errorf("%s has no unlimited dimension", f.place)
}
