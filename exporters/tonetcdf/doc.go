// Package tonetcdf writes the arrays of Tensogram files as netCDF files.
//
// [NewPlan] sorts the objects of a collection into files: variables that were netCDF become the
// files that they were, and fields one file of the CF conventions, with a group for each grid.
// [File.Write] writes one of them.
//
// # What was netCDF
//
// The message says how the file was declared and stored (mapping.NetCDFLayout): dimensions, groups,
// types, attributes in order, chunks and filters are the same again, packed integers are packed
// integers, and missing points have the fill value that they had. layout.go makes the tree of the
// file, attrs.go the attributes, elements.go the elements of numbers, members.go those of
// compounds, text and sequences.
//
// # What was GRIB
//
// Package dataset makes labelled variables of fields. fields.go makes a file of these, cf.go gives
// it what the CF conventions ask of a file, and pack.go finds integers that hold all fields of a
// variable exactly where the messages have integers.
//
// write.go reads objects on several cores and writes them in order. plan.go, options.go and
// storage.go are about what goes where, and how.
package tonetcdf
