// Package look reads the fields of files of any format, to be shown to users: values with their
// coordinates and labels, and statistics.
//
// Most callers give the objects of an archive to a [Lister], which lists the fields that fulfil
// some clauses, and then call [Field.Values] or [Field.Describe]:
//
//	l := look.NewLister(look.Options{Where: clauses})
//	a, err := archive.List(ctx, names, archive.Options{Select: l.Add})
//	...
//	fields, err := l.Fields(ctx, a)
//	...
//	values, err := fields[0].Values(ctx)
//	s, err := look.Describe(values)
//
// A field is an object of a Tensogram file, a field of a GRIB message, or a dataset of a .tet file.
// A netCDF variable is a field as well, or, with Options.Slices, one field for each position along
// its axes that are not horizontal.
package look
