package chart

import (
	"cmp"

	"github.com/tgmconv/tgmconv/mapping"
)

// levelAxes are the upright axes of types of level.
var levelAxes = map[string]Axis{
	"isobaricInhPa":     {Label: "pressure (hPa)", Down: true, Logarithmic: true},
	"pl":                {Label: "pressure (hPa)", Down: true, Logarithmic: true},
	"isobaricInPa":      {Label: "pressure (Pa)", Down: true, Logarithmic: true},
	"hybrid":            {Label: "model level", Down: true},
	"ml":                {Label: "model level", Down: true},
	"heightAboveGround": {Label: "height above ground (m)"},
	"heightAboveSea":    {Label: "height above sea (m)"},
	"depthBelowLand":    {Label: "depth below land (m)", Down: true},
	"depthBelowSea":     {Label: "depth below sea (m)", Down: true},
	"theta":             {Label: "potential temperature (K)"},
}

// LevelAxis returns the upright axis of a type of level, by its name in ecCodes or MARS.
func LevelAxis(levelType string) Axis {
	if axis, known := levelAxes[levelType]; known {
		return axis
	}
	return Axis{Label: cmp.Or(levelType, mapping.KeyLevel)}
}
