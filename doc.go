// Package tgmconv is the root of a toolkit that brings GRIB and netCDF data into Tensogram (.tgm)
// messages and shows .tgm files to Zarr v3 clients. It holds no code of its own.
//
// Most users want the command, cmd/tgmconv. Programs use the packages on their own:
//
//   - tgm reads, writes and validates Tensogram messages;
//   - grib, grib/geometry and grib/keys read GRIB 1 and 2: values, coordinates and keys as ecCodes names them;
//   - netcdf reads CDF-1, CDF-2, CDF-5 and netCDF-4;
//   - zarr shows .tgm files as a Zarr v3 store;
//   - importers drives conversions from any source into .tgm with bounded memory;
//   - codec/... holds the payload codecs, each usable on its own.
//
// A package knows only what stands to its left in the data flow: codec, tgm and the readers,
// mapping and the vocabularies (mars, cf), importers, zarr, cmd. The test in this folder keeps
// these directions.
package tgmconv
