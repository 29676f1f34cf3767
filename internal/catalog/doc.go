// Package catalog describes the content of files as data: one entry for each object, with its name,
// its labels and its shape, and without its values.
//
// A [Catalog] holds the entries of any number of files. [Catalog.AddMessages] adds the objects of a
// Tensogram file, [Catalog.AddSource] the fields of GRIB files and the variables of netCDF files,
// through their [importers.Source]; both read metadata only. A field has the same entry as the
// object that it is converted to. [Catalog.Select] chooses entries by clauses, see package mapping.
//
// Messages and Object iterate over a Tensogram file with all its metadata, for listings:
// [Object.Value] finds any key. [Name] is the only rule for names, [CollectInfo] counts the content
// of a file.
package catalog
