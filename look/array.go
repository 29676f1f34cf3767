package look

import (
	"maps"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// IsArray reports whether an object is an array with a name for each axis and with attributes in
// its own entry, as arrays of a Zarr store are written, and neither a netCDF variable nor a GRIB
// field. Objects of other writers are arrays.
func IsArray(e mapping.Entry, shape []uint64) bool {
	for _, key := range []string{mapping.KeyNetCDF, mapping.KeyTet, mapping.KeyGRIB, mapping.KeyGeometry, mapping.KeyReproduction} {
		if e.Namespace(key) != nil {
			return false
		}
	}
	if e.Other() != nil {
		return true
	}
	return len(e.Dims(len(shape))) == len(shape) && (e.MARS() == nil || len(shape) > 2)
}

// namedCoordinates are the attributes of coordinates that need none, because of their names.
var namedCoordinates = map[string]map[string]any{
	"latitude":          {cf.AttrStandardName: "latitude", cf.AttrUnits: "degrees_north"},
	"longitude":         {cf.AttrStandardName: "longitude", cf.AttrUnits: "degrees_east"},
	"lat":               {cf.AttrStandardName: "latitude", cf.AttrUnits: "degrees_north"},
	"lon":               {cf.AttrStandardName: "longitude", cf.AttrUnits: "degrees_east"},
	"step":              {cf.AttrStandardName: "forecast_period", cf.AttrUnits: "hours"},
	"number":            {cf.AttrStandardName: "realization", cf.AttrUnits: "1"},
	"isobaricInhPa":     {cf.AttrStandardName: "air_pressure", cf.AttrUnits: "hPa"},
	"isobaricInPa":      {cf.AttrStandardName: "air_pressure", cf.AttrUnits: "Pa"},
	"heightAboveGround": {cf.AttrStandardName: "height", cf.AttrUnits: "m"},
	"hybrid":            {cf.AttrStandardName: "model_level_number", cf.AttrUnits: "1"},
}

// arrayAttributes are the metadata of an array's entry, as attributes of a netCDF variable.
func (f *Field) arrayAttributes() map[string]any {
	attributes := make(map[string]any)
	if len(f.Dims) <= 1 {
		maps.Copy(attributes, namedCoordinates[f.Name])
	}
	_, base := f.base.Maps()
	for _, m := range []map[string]any{base, f.base.CF()} {
		for key, v := range m {
			switch v.(type) {
			case map[string]any, []any:
			default:
				attributes[key] = v
			}
		}
	}
	if id, ok := mars.ParamOf(f.base); ok {
		attributes["GRIB_paramId"] = id
	}
	return attributes
}
