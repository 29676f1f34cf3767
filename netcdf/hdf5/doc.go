// Package hdf5 reads HDF5 files: groups, datasets, attributes and datatypes, as the HDF5 library of
// versions
// 1.0 to 2.x writes them.
//
// [Open] returns a [File]; [File.Root] its root group. An [Object] is a group (list its links with
// [Object.Links]), a dataset ([Object.Dataset]) or a named datatype. [Dataset.Read] stores elements
// little-endian and in C order, decoding chunks on several cores.
//
// The layout is that of "HDF5 File Format Specification Version 3.0"; comments name its sections.
// In outline:
//
//	superblock ─► root object header ─► messages: dataspace, datatype, layout,
//	                                    filters, fill value, attributes, links
//	links:       symbol table (B-tree v1 + local heap), link messages in the
//	             header, or fractal heap + B-tree v2
//	elements:    in the header, in one piece, or in chunks found by one of six
//	             kinds of index
//
// What is damaged gives a [FormatError] with the offset; what is valid but not implemented gives an
// [UnsupportedError]. Checksums of metadata and of chunks are verified. No length from the file is
// believed before it is compared with the file's size or with a limit.
package hdf5

import "github.com/tgmconv/tgmconv/netcdf/internal/wire"

// A FormatError says that a file is damaged.
type FormatError = wire.FormatError

// An UnsupportedError says that a valid file needs something not implemented.
type UnsupportedError = wire.UnsupportedError
