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

// setAlong notes which variables of files follow one another: those with an unlimited dimension that
// is the first of all variables that have it. Of files with records that were split, it is these.
func setAlong(files []*netcdfFile) {
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
	for _, f := range files {
		split := slices.ContainsFunc(f.objects, func(o Object) bool { return o.isRecord() })
		for i := range f.objects {
			o := &f.objects[i]
			n, _ := o.Base.NetCDF()
			o.along = !split && hasRecords(o) && !later[n.Dims[0]]
		}
	}
}

// alongRecords reports whether a variable of one of several files follows those of the others, or is
// a record of one that does.
func (o *Object) alongRecords() bool { return o.along || o.isRecord() }

// notAlong is the error for a file in which no variable does.
func notAlong(f *netcdfFile) error {
	if slices.ContainsFunc(f.objects, func(o Object) bool { return hasRecords(&o) }) {
		return fmt.Errorf("%s has no unlimited dimension that is the first of all variables that have it", f.place)
	}
	return fmt.Errorf("%s has no unlimited dimension", f.place)
}
