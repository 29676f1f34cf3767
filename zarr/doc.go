// Package zarr reads groups and arrays of Zarr versions 2 and 3, and writes documents and chunks of
// version 3.
//
// A [Store] holds keys and their values: a folder ([OpenFolder], [NewDir]), a ZIP archive ([NewZip]), a
// server ([NewHTTP]), or a view by package serve of Tensogram, GRIB and netCDF files. [Nodes] goes
// through all groups and arrays of a store, [OpenGroup] and [OpenArray] open one. [Array.Read] and
// [Array.ReadRegion] read elements of a fixed size, which [Array.Element] describes, and
// [Array.ReadStrings] and [Array.ReadBlobs] texts. A [Coder] encodes and decodes the chunks that an
// [ArrayMetadata] describes.
//
// # Version 2
//
// There is one reader: documents of version 2 are translated to version 3 when they are read, as
// [ArrayMetadata] says. Where both are found, version 3 counts.
//
// # Codecs and data types
//
// The codecs come from the core specification, the library numcodecs, and the registry of extensions
// (https://github.com/zarr-developers/zarr-extensions): codecTypes lists them. Some of numcodecs are
// only read. An unknown part that must be understood is an [UnsupportedError] that names it, for that
// array alone.
//
// # Limits
//
// Stores may come from anywhere. The size of a chunk is known from its array, and nothing decodes to
// more; texts of a chunk may have 1 GiB. An element has at most 1 MiB, a shard 2^24 chunks and 4 GiB of
// elements where it is read as a whole, and there are at most 3 shards around a shard, 8 structs around
// a struct, and 64 groups around a group. Paths that lead out of a store are errors.
//
// # Specification
//
// Section names in comments are from the Zarr core specification, version 3.1
// (https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html), and from the storage specification,
// version 2 (https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html).
package zarr
