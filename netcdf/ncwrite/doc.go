// Package ncwrite writes netCDF files: CDF-1, CDF-2 and CDF-5 (the classic formats) and netCDF-4.
// It is the counterpart of package netcdf, whose types it uses.
//
// A caller describes the whole file as a tree of groups, begins it with [Create], writes the
// elements of its variables in any order with [Writer.Write] and its companions, and ends it with
// [Writer.Close].
package ncwrite
