// Package netcdfverbs has the verbs of netcdf, which read netCDF files as ncdump does.
package netcdfverbs
