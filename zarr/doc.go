// Package zarr reads arrays of Zarr version 3, and writes their documents and chunks.
//
// A [Store] holds keys and their values: a folder ([NewDir]), a server ([NewHTTP]), or what package
// serve makes of Tensogram, GRIB and netCDF files. [OpenGroup] and [OpenArray] read the documents of a
// store, and [Array.Read] and [Array.ReadRegion] elements. A [Coder] encodes and decodes the chunks that
// an [ArrayMetadata] describes.
//
// # Specification
//
// Section names in comments are those of the Zarr core specification, version 3.1
// (https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html).
package zarr
