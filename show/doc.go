// Package show is what people see of objects of Tensogram files and of variables of netCDF files,
// as texts and as data that become JSON, without saying where it is printed: [RowOf] and [Columns]
// for lists, [Object], [Params], [Masks] and [Base] for everything that is known of one object,
// [Variables] for netCDF. [Text], [Bytes] and [Shape] write single values in one way everywhere.
package show
