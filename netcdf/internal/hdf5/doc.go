// Package hdf5 reads HDF5 files: groups, datasets, attributes and datatypes. It reads files that
// the HDF5 library of versions 1.0 to 2.x writes.
//
// [Open] (a path) and [NewFile] (any [io.ReaderAt]) return a [File]; [File.Root] its root group. An
// [Object] is a group (list its links with [Object.Links]), a dataset ([Object.Dataset]) or a named
// datatype. [Dataset.Read] stores elements little-endian and in C order, decoding chunks on several
// cores.
//
// The layout is described in "HDF5 File Format Specification Version 3.0"; comments name its
// sections. In outline:
//
//	superblock ─► root object header ─► messages: dataspace, datatype, layout,
//	                                    filters, fill value, attributes, links
//	links:       symbol table (B-tree v1 + local heap), link messages in the
//	             header, or fractal heap + B-tree v2
//	elements:    in the header, in one piece, or in chunks found by one of six
//	             kinds of index
//
// Damage is a [FormatError] with the offset; a valid structure that is not implemented is an
// [UnsupportedError]. Checksums of metadata and of chunks are verified. No length from the file is
// used before it is compared with the file's size or with a limit.
package hdf5

import "github.com/tgmconv/tgmconv/netcdf/internal/wire"

// A FormatError reports a damaged file. Its fields are
//
//	What   string // the structure being read: "superblock", "object header 0x60"
//	Offset int64  // where in the file, -1 when there is no single place
//	Err    error  // the values found and expected
type FormatError = wire.FormatError

// An UnsupportedError reports a valid file that needs a feature not implemented. Its fields are
//
//	What   string // the structure being read
//	Offset int64  // where in the file, -1 when there is no single place
//	Need   string // the missing feature: "filter 32017 (sz)"
//	Known  string // the supported features instead, as "0 to 3"; empty when there are none
type UnsupportedError = wire.UnsupportedError
