// Package tgmconv is the root of a toolkit that brings GRIB, netCDF, Zarr and .tet data into Tensogram
// (.tgm) messages, shows them to Zarr v3 clients, and takes them back out.
//
// [Open] opens files of any format as one labelled dataset, whose variables give unpacked values:
//
//	ds, err := tgmconv.Open(ctx, "forecast.grib2")
//	...
//	defer ds.Close()
//	values, err := ds.Variable("t").Float64s(ctx)
//
// Most users want the command, cmd/tgmconv. Programs use the packages on their own:
//
//   - tgm reads, writes and validates Tensogram messages, tgm/edit changes files of them;
//   - grib, grib/geometry and grib/keys read and write GRIB 1 and 2, with the key names of ecCodes;
//   - netcdf reads CDF-1, CDF-2, CDF-5, netCDF-4 and HDF5; tet reads and writes .tet files;
//   - storage opens files, pipes, web addresses and object stores alike;
//   - importers drives conversions from any source into .tgm with bounded memory;
//   - mapping is the schema of base[i], the metadata of an object;
//   - dataset makes labelled arrays of what files hold, look and plot show their fields, extract takes
//     points, series and areas out of them;
//   - serve shows messages and datasets to Zarr v3 clients, zarr reads and writes the format;
//   - codec/... holds the payload codecs, each usable on its own.
//
// The test in this folder keeps the directions in which packages may import each other.
package tgmconv
