// Package archive opens files, folders and object stores as one labelled dataset, without converting
// anything. Files may be Tensogram, GRIB, netCDF, Zarr and .tet.
//
// Most callers use [Open], look at Set, and read values through the Archive, which implements
// [dataset.Fields] for its Set. The catalogue is kept in an index file, so that opening the same
// files again takes little time; see [IndexMode].
//
// A file that changes after it was catalogued gives a [ChangedError] for each of its objects, and
// never the bytes of another state. [Archive.Changed] and [Archive.Again] detect changes and open
// the present files as a new archive.
package archive
