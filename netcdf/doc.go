// Package netcdf reads netCDF files in the formats CDF-1, CDF-2, CDF-5 and netCDF-4. The first three
// are the classic formats; netCDF-4 is HDF5 used in a certain way.
//
// Most callers want three calls: [Open] a path (or [NewFile] over any [io.ReaderAt]), walk
// [File.Root], and read the values of a variable, unpacked, with NaN at missing points:
//
//	f, err := netcdf.Open("t2m.nc")
//	...
//	values, err := f.Root().Var("t2m").Float64s(ctx, nil, nil) // the whole variable
//
// [Var.Read] gives the elements in the type that the file declares, little-endian, in C order; nothing
// is unpacked and fill values stay numbers. The names, the order, the types and the attributes are the
// same as ncdump shows; objects that the netCDF library hides (dimension scale bookkeeping of HDF5)
// are hidden here as well. A group that several links lead to is listed once.
//
// Variables that are not arrays of numbers are read by their type:
//
//	char, string    Var.ReadStrings as text, Var.ReadChars as bytes of equal width
//	enum            Var.Read as integers; Type.Members has their names
//	compound        Var.Member, one variable for each path of Type.MemberPaths
//	vlen            Var.ReadRagged as counts and values
//	opaque          Var.Read as bytes
//	reference       Var.ReadRefs; File.PathOf has the path of the object
//
// [Var.Chunks] lists the chunks that are stored; elements in no chunk have the value of [Var.Fill].
//
// HDF5 files may refer to others: by external links, external data and virtual datasets. These are
// read only with [WithOpener], for example in the folder of the file by [InFolder].
//
// Layouts are described in the "NetCDF Classic Format Specification", the "NetCDF-4 Format
// Specification" and the "HDF5 File Format Specification Version 3.0"; the HDF5 part is in the
// sub-package hdf5.
//
// # Hostile input
//
// No length found in a file is trusted: it is checked against the file's size, or against a limit,
// before memory is taken for it. Damage is a [FormatError] with the offset; a valid file that needs
// something not implemented is an [UnsupportedError].
//
// A File may be used by several goroutines at once.
package netcdf
