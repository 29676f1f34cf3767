package mapping

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// eastward are the names of components of winds to the east in GRIB: u, 10u, u10, u10n, u_tropopause.
var eastward = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d*)u(\d*n?)(_.*)?$`) })

// Northward returns the name of the component to the north for a wind's component to the east: 10v for 10u.
// These are names of GRIB parameters. It is "" if the name is not of an eastward component.
func Northward(name string) string {
	if !eastward().MatchString(name) {
		return ""
	}
	return eastward().ReplaceAllString(name, "${1}v${2}${3}")
}

// northward are the names of components of winds to the north in GRIB.
var northward = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d*)v(\d*n?)(_.*)?$`) })

// SaysAlongRows reports whether fields on a grid of a type have [AttrAlongRows], given the name of their parameter: components
// of winds, on grids whose rows do not lie along parallels.
func SaysAlongRows(gridType, name string) bool {
	return gridType != "" && !AlongMeridians(gridType) && (eastward().MatchString(name) || northward().MatchString(name))
}

// AttrAlongRows is the attribute of winds that is 1 if their components lie along the rows and columns of the grid, and 0
// if they lie to the east and north. cfgrib writes it too.
const AttrAlongRows = "GRIB_uvRelativeToGrid"

// NorthwardStandard returns the standard name of the component to the north for a component to the east. It
// returns northward_wind for eastward_wind. It is "" if the standard name is not of an eastward component.
func NorthwardStandard(standard string) string {
	name, ok := strings.CutPrefix(standard, "eastward_")
	if !ok {
		return ""
	}
	return "northward_" + name
}

// alongRows are beginnings of standard names of components along the rows of a grid, with those along columns.
var alongRows = [][2]string{{"x_", "y_"}, {"grid_eastward_", "grid_northward_"}}

// AcrossStandard returns the standard name of the component of a wind along the columns of a grid for a component
// along its rows. It returns y_wind for x_wind. It is "" if the standard name is not of such a component.
func AcrossStandard(standard string) string {
	for _, names := range alongRows {
		if name, ok := strings.CutPrefix(standard, names[0]); ok && strings.HasPrefix(name, "wind") {
			return names[1] + name
		}
	}
	return ""
}

// alongMeridians are ecCodes' types of the grids whose rows lie along parallels.
var alongMeridians = []string{"regular_ll", "reduced_ll", "regular_gg", "reduced_gg", "healpix", "mercator", "unstructured_grid"}

// AlongMeridians reports whether components of winds on a grid of a type, as ecCodes names it, are components to
// the east and north even if they lie along the rows and columns of the grid.
func AlongMeridians(gridType string) bool { return slices.Contains(alongMeridians, gridType) }
