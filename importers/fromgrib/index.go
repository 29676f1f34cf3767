package fromgrib

import (
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// ValueIndex returns the index of the values of a field that was read with its data. It is nil if they cannot
// be read in parts, or are stored in another order than the elements.
func ValueIndex(f *importers.Field) (*grib.ValueIndex, error) {
	v, ok := f.Values.(*values)
	if !ok || v.grid.reorders() {
		return nil, nil
	}
	return v.field.ValueIndex()
}

// HasParts reports whether a field that was read without its data has a [ValueIndex].
func HasParts(f *importers.Field) bool {
	v, ok := f.Values.(*laterValues)
	return ok && !v.values.grid.reorders() && v.values.field.HasParts()
}

// ReadIntegers returns the integers of a field that was read with its data, see [grib.Field.ReadIntegers].
// It is nil also if they are stored in another order than the elements.
func ReadIntegers(f *importers.Field, buffer []uint32) (*grib.Quantised, error) {
	v, ok := f.Values.(*values)
	if !ok || v.grid.reorders() || v.dtype != tgm.Float64 {
		return nil, nil
	}
	return v.field.ReadIntegers(buffer)
}
