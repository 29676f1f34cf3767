// Package look reads the fields of files of any format for people: their values with coordinates
// and labels, and statistics of them.
//
// Most callers give a [Lister] the objects of an archive, which lists the fields that fulfil some
// clauses, and ask each for its [Field.Values], or [Describe] it:
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
// A netCDF variable is one as well, or with Options.Slices one for each position along its axes
// that are not horizontal.
package look
