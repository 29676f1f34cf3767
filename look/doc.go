// Package look reads the fields of files of any format for people: their values with coordinates and
// labels, and statistics of them.
//
// Most callers add what there is to a [dataset.Collection], [List] the fields that fulfil some
// clauses, and ask each for its [Field.Values], or [Describe] it:
//
//	fields, err := look.List(ctx, collection, look.Options{Where: clauses})
//	...
//	values, err := fields[0].Values(ctx)
//	s, err := look.Describe(values)
//
// A field is an object of a Tensogram file, a field of a GRIB message, or a dataset of a .tet file.
// A netCDF variable is one as well, or with Options.Slices one for each position along its axes that
// are not horizontal.
package look
