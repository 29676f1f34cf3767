// Package cdl writes netCDF files as CDL, the text form that ncdump and ncgen of the netCDF library
// share.
//
// Most callers open a file with package netcdf and call [Write]:
//
//	f, err := netcdf.Open("t2m.nc")
//	...
//	err = cdl.Write(ctx, os.Stdout, f, cdl.Options{Name: "t2m", Data: cdl.NoData})
//
// The text equals the text of ncdump 4.9 and 4.10 with the flags -h, -c and -v, byte for byte. Two
// files with equal text therefore have the same dimensions, variables, attributes and, to the
// digits that ncdump prints, values. CDL is described in the "netCDF Utilities" chapter of the
// netCDF User's Guide.
//
// Variables of types that only HDF5 has, which the netCDF library does not list, are left out.
package cdl
