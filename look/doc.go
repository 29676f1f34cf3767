// Package look reads the fields of files of any format, to be shown to users: values with their
// coordinates and labels, and statistics.
//
// Most callers list the fields of a labelled dataset, and then call [Field.Values] or [Field.Describe]:
//
//	ds, err := tgmconv.Open(ctx, "forecast.grib2")
//	...
//	set, objects := ds.Labelled()
//	fields, err := look.DatasetFields(ctx, set, objects, look.Options{})
//	...
//	values, err := fields[0].Values(ctx)
//	s, err := look.Describe(values)
//
// The command lists fields without labels with a [Lister].
//
// A field is an object of a Tensogram file, a field of a GRIB message, or a dataset of a .tet file.
// A netCDF variable is a field as well, or, with Options.Slices, one field for each position along
// its axes that are not horizontal.
package look
