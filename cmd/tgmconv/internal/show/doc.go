// Package show describes objects of Tensogram files and variables of netCDF files for users, as
// text and as data for JSON. It prints nothing itself: RowOf and Columns are for lists, Object,
// Params, Masks and Base for all that is known of one object, Variables for netCDF. [Text], [Bytes]
// and [Shape] write single values in one way everywhere.
package show
