// Package series writes records of values at points: as CSV, JSON lines, Parquet, CoverageJSON, and as time series
// of stations in netCDF. [Chart] makes a chart of them.
package series

import (
	"iter"

	"github.com/tgmconv/tgmconv/extract"
)

// Records are the records that [extract.Points] yields.
type Records = iter.Seq2[extract.Record, error]

// Columns are the names of the columns of a table.
var Columns = []string{
	columnPoint, columnLatitude, columnLongitude, columnDistance, columnTime, columnStep, columnValidTime, columnNumber, columnLevel,
	columnName, columnValue, columnUnits,
}
