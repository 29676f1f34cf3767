package mapping

// Names of the objects that a GRIB conversion adds for a grid. Axes have a value for each row or
// column; they are in every message with a field on the grid. The others have a value for each
// point and are written only on demand, in the first message of the file with a field on the grid:
// a reader finds them by [KeyGeometry], which the fields in all messages of the file have as well,
// or computes them from it. The names are names of ecCodes' keys. They do not have the names of the
// axes, because the xarray engine of the reference would then take them for axes and refuse the
// message.
const (
	AxisLatitude    = "latitude"
	AxisLongitude   = "longitude"
	PointLatitudes  = "latitudes"
	PointLongitudes = "longitudes"
)

// IsGridCoordinate reports whether a GRIB conversion gives the name to an object that it adds
// for a grid.
func IsGridCoordinate(name string) bool {
	switch name {
	case AxisLatitude, AxisLongitude, PointLatitudes, PointLongitudes:
		return true
	}
	return false
}
