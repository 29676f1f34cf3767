// Package tonetcdf writes the arrays of Tensogram files as netCDF files.
//
// [NewPlan] divides the objects of a collection among files: netCDF variables return to the files
// that they came from, and fields become one file that follows the CF conventions, with a group for
// each grid. [File.Write] writes one of them.
//
// # netCDF variables
//
// The message says how the file was declared and stored (mapping.NetCDFLayout): dimensions, groups,
// types, the order of attributes, chunks and filters are written as they were, packed integers as
// packed integers, and missing points with the fill value that they had. layout.go makes the tree
// of the file, attrs.go the attributes, elements.go the elements of numbers, members.go the
// elements of compounds, text and sequences.
//
// # GRIB fields
//
// Package dataset makes labelled variables of fields. fields.go makes a file of these, cf.go adds
// the attributes that the CF conventions require, and pack.go, for fields that are integers in the
// messages, finds a scale and an offset with which all fields of a variable are stored exactly.
//
// write.go reads objects on several cores and writes them in order. plan.go, options.go and
// storage.go decide on the files, their variables and their storage.
package tonetcdf
