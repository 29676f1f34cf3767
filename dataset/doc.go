// Package dataset builds labelled arrays from many fields: GRIB messages, objects of Tensogram
// files and netCDF variables, in one file or in an archive.
//
// Most callers hand the objects they have to [Build] and get a [Dataset]: groups of variables with
// named dimensions, coordinates and attributes, as in the netCDF data model and xarray. Building
// reads no values. [Dataset.Select] and the methods of [Selection] read values by label.
//
// # How fields become variables
//
// Fields with the same parameter, type of level, kind of statistics, grid, shape and data type are
// one variable. The labels that differ among them are its dimensions, in this order: number,
// percentile, threshold, time (of reference), step, direction, frequency, model version, the level,
// and the dimensions of the grid. A label that is the same in all of them is a scalar coordinate. A
// combination of labels that does not occur is a hole, which is read as NaN. Variables of one grid
// are one group; the first grid is the root.
//
// Variables that were netCDF variables keep their own names, dimensions, groups and attributes.
//
// # Files
//
// object.go has the metadata of a field, kind.go the criteria of a variable, split.go divides
// fields of one kind that cannot share a variable, axis.go has the dimensions, grid.go and crs.go
// the coordinates of points, name.go the names, attrs.go the attributes, netcdf.go the variables of
// netCDF files, report.go the place of each object, print.go the text form, select.go reading by
// label.
package dataset
