// Package show describes objects of Tensogram files and variables of netCDF files for users. It
// prints nothing itself: RowOf and Columns are for lists, Object, Params, Masks and Base for all
// metadata of one object, Variables for netCDF. The results are texts, and data for JSON. [Text],
// [Bytes] and [Shape] write single values in one way everywhere.
package show
