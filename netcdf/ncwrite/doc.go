// Package ncwrite writes netCDF files: CDF-1, CDF-2 and CDF-5 (the classic formats) and netCDF-4.
// It is the counterpart of package netcdf, whose types it uses.
//
// A caller describes the whole file as a tree of groups, begins it with [Create], writes the
// elements of its variables in any order, and ends it with [Writer.Close]:
//
//	t2m := &ncwrite.Var{Name: "t2m", Type: ncwrite.Atomic(netcdf.Float), Dims: []string{"lat"}}
//	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "lat", Len: 3}}, Vars: []*ncwrite.Var{t2m}}
//	w, err := ncwrite.Create(file, netcdf.NetCDF4, root)
//	...
//	err = w.Write(ctx, t2m, nil, nil, elements)
//	...
//	err = w.Close()
//
// Elements are little-endian and in C order, as netcdf.Var.Read returns them. By its type a
// variable is written with
//
//	numbers, char, enum, opaque    Writer.Write
//	compound of these              Writer.Write
//	string, char                   Writer.WriteStrings
//	vlen                           Writer.WriteRagged
//	any other, and small ones      Writer.WriteValues
//	chunks of another file         Writer.WriteChunk
//
// Elements that are not written have the fill value. A write beyond the end of an unlimited
// dimension makes it longer, for all variables on it.
//
// [Model] describes a file that was read, and [Copy] writes it again.
//
// # Layout
//
// Classic files have the bytes that the netCDF library gives them: header, variables one after the
// other, records. netCDF-4 files are as the library writes them with the default settings of
// netCDF-C 4.9: superblock version 2, object headers version 2 with creation order, chunks indexed
// by B-trees of version 1, dimension scales; HDF5 1.8 and later read them. The elements come first
// and all metadata last. Large groups are dense; attributes are dense when one of them does not fit
// an object header, so that attributes of any length can be written.
//
// # Memory, cores, order
//
// Chunks are filtered on several cores and written in the order of the calls: the same calls from
// one goroutine give the same bytes for any number of cores. In memory are the chunks that are
// being filtered, a few more than there are cores, and incomplete chunks: a variable that is
// written in boxes that cut its chunks keeps them until they are complete, in a temporary file when
// there are many ([WithMemory]).
package ncwrite
