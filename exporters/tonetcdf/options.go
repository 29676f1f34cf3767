package tonetcdf

import (
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Options configure an export. The zero value writes netCDF variables as they were, and fields as
// netCDF-4.
type Options struct {
	// Kind is the format to write. Empty means the format of the source, or netCDF-4 for fields.
	Kind netcdf.Kind
	// Pack says how values of fields are stored.
	Pack Pack
	// Chunks has the lengths of chunks by dimension name; 0 is the whole dimension.
	Chunks map[string]uint64
	// Filters, if not nil, are the filters of every variable with dimensions; an empty list is none.
	Filters *[]netcdf.Filter
	// Variables are the names of the variables to write, together with the variables that they refer to; all if
	// empty.
	Variables []string
	// Selected says that the caller left objects out, so that variables without objects are no
	// reason for a warning.
	Selected bool
	// Bare are the metadata of messages that describe a netCDF file and have no objects.
	Bare []map[string]any
	// Split writes a file for each group of fields, instead of one with groups.
	Split bool
	// Dataset says how fields become variables.
	Dataset dataset.Options
	// Check, if not nil, is called with the dataset of the fields, before any of it is read. Its error
	// ends the export.
	Check func(*dataset.Dataset) error
	// Workers is the number of objects and chunks worked on at a time; 0 means one a core.
	Workers int
	// TempDir is the folder of temporary files; empty means the system's.
	TempDir string
	// Program is the name of the writing program.
	Program string
	// Progress, if not nil, is called with the bytes of values that were written. It is called from
	// one goroutine at a time.
	Progress func(bytes int64)
}

// Pack chooses the type of values of fields.
type Pack int

// The choices of types.
const (
	PackSource  Pack = iota // integers if the source has integers and one scale and offset fits all, else floats
	PackFloat32             // float
	PackFloat64             // double
)
