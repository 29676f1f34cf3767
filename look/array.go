package look

import (
	"maps"

	"github.com/tgmconv/tgmconv/mapping"
)

// IsArray reports whether an object is an array with a name for each axis and with attributes in its
// entry itself, as those of a Zarr store have them, and neither a netCDF variable nor a GRIB field.
func IsArray(e mapping.Entry, shape []uint64) bool {
	for _, key := range []string{mapping.KeyNetCDF, mapping.KeyTet, mapping.KeyGRIB, mapping.KeyGeometry, mapping.KeyReproduction} {
		if e.Namespace(key) != nil {
			return false
		}
	}
	return len(e.Dims(len(shape))) == len(shape) && (e.MARS() == nil || len(shape) > 2)
}

// namedCoordinates are the attributes of coordinates that need none, because of their names.
var namedCoordinates = map[string]map[string]any{
	"latitude":          {mapping.KeyStandardName: "latitude", mapping.KeyUnits: "degrees_north"},
	"longitude":         {mapping.KeyStandardName: "longitude", mapping.KeyUnits: "degrees_east"},
	"lat":               {mapping.KeyStandardName: "latitude", mapping.KeyUnits: "degrees_north"},
	"lon":               {mapping.KeyStandardName: "longitude", mapping.KeyUnits: "degrees_east"},
	"step":              {mapping.KeyStandardName: "forecast_period", mapping.KeyUnits: "hours"},
	"number":            {mapping.KeyStandardName: "realization", mapping.KeyUnits: "1"},
	"isobaricInhPa":     {mapping.KeyStandardName: "air_pressure", mapping.KeyUnits: "hPa"},
	"isobaricInPa":      {mapping.KeyStandardName: "air_pressure", mapping.KeyUnits: "Pa"},
	"heightAboveGround": {mapping.KeyStandardName: "height", mapping.KeyUnits: "m"},
	"hybrid":            {mapping.KeyStandardName: "model_level_number", mapping.KeyUnits: "1"},
}

// arrayAttributes are what the entry of an array says, as attributes of a netCDF variable.
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
	if id, ok := mapping.Int(f.paramID()); ok {
		attributes["GRIB_paramId"] = id
	}
	return attributes
}
