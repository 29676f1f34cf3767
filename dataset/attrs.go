package dataset

import (
	"math"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// timeUnits are the attributes of points in time.
func timeUnits() []Attribute {
	return []Attribute{{cf.AttrUnits, "seconds since 1970-01-01T00:00:00"}, {cf.AttrCalendar, "proleptic_gregorian"}}
}

// durationUnits returns the attributes of durations in seconds. xarray has no type for durations of
// more than 292 years, and does not open a dataset that claims to have them; it reads "s" as a unit of
// numbers.
func durationUnits(seconds []float64) []Attribute {
	if slices.ContainsFunc(seconds, func(v float64) bool { return math.Abs(v) > math.MaxInt64/1e9 }) {
		return []Attribute{{cf.AttrUnits, "s"}}
	}
	return []Attribute{{cf.AttrUnits, "seconds"}, {"dtype", "timedelta64[ns]"}}
}

// axisAttrs are the attributes of an axis of fields on a grid.
func axisAttrs(x *axis, g *grid, opts *Options) []Attribute {
	switch x.kind {
	case axisNumber:
		return []Attribute{{cf.AttrStandardName, "realization"}, {cf.AttrLongName, "ensemble member numerical id"}, {cf.AttrUnits, "1"}}
	case axisPercentile:
		return []Attribute{{cf.AttrLongName, "percentile"}, {cf.AttrUnits, "%"}}
	case axisThreshold:
		return []Attribute{{cf.AttrLongName, "threshold"}}
	case axisTime:
		if opts.Time == TimeValid {
			return append([]Attribute{{cf.AttrStandardName, "time"}, {cf.AttrLongName, "time of validity"}}, timeUnits()...)
		}
		return append([]Attribute{{cf.AttrStandardName, "forecast_reference_time"}, {cf.AttrLongName, "initial time of forecast"}}, timeUnits()...)
	case axisStep:
		return append([]Attribute{{cf.AttrStandardName, "forecast_period"}, {cf.AttrLongName, "time since forecast_reference_time"}},
			durationUnits(x.values)...)
	case axisDirection:
		return []Attribute{{cf.AttrLongName, "wave direction number"}, {cf.AttrUnits, "1"}}
	case axisFrequency:
		return []Attribute{{cf.AttrLongName, "wave frequency number"}, {cf.AttrUnits, "1"}}
	case axisVersion:
		return append([]Attribute{{cf.AttrLongName, "date of the model version"}}, timeUnits()...)
	}
	return levelAttrs(x, g)
}

// Keys of base[i].geometry.
const (
	geometryEdition = "edition" // of GRIB
	geometryType    = "gridType"
)

// levelUnits lists the units, standard name, long name and direction of types of level.
var levelUnits = []struct{ levelType, units, standardName, longName, positive string }{
	{"isobaricInhPa", "hPa", "air_pressure", "pressure", "down"},
	{"isobaricInPa", "Pa", "air_pressure", "pressure", "down"},
	{"isobaricLayer", "hPa", "air_pressure", "pressure", "down"},
	{"heightAboveGround", "m", "height", "height above the surface", "up"},
	{"heightAboveGroundLayer", "m", "height", "height above the surface", "up"},
	{"heightAboveSea", "m", "height_above_mean_sea_level", "height above mean sea level", "up"},
	{"heightAboveSeaLayer", "m", "height_above_mean_sea_level", "height above mean sea level", "up"},
	{"depthBelowLand", "m", "depth", "soil depth", "down"},
	{"depthBelowLandLayer", "m", "depth", "soil depth", "down"},
	{"depthBelowSea", "m", "depth", "depth below the sea surface", "down"},
	{"oceanSurface", "m", "depth", "depth below the sea surface", "down"},
	{"hybrid", "1", "atmosphere_hybrid_sigma_pressure_coordinate", "hybrid level", "down"},
	{"hybridLayer", "1", "atmosphere_hybrid_sigma_pressure_coordinate", "hybrid level", "down"},
	{"sigma", "1", "atmosphere_sigma_coordinate", "sigma", "down"},
	{"sigmaLayer", "1", "atmosphere_sigma_coordinate", "sigma", "down"},
	{"theta", "K", "air_potential_temperature", "potential temperature", "up"},
	{"thetaLayer", "K", "air_potential_temperature", "potential temperature", "up"},
	{"potentialVorticity", "10-9 K m2 kg-1 s-1", "ertel_potential_vorticity", "potential vorticity", ""},
	{"pressureFromGroundLayer", "Pa", "", "pressure difference from the ground", ""},
}

// edition1Units are the units of levels of GRIB edition 1, as its table 3 has them, where they are
// others: the numbers there are integers. "" is none: 475 K minus the potential temperature.
var edition1Units = map[string]string{
	"isobaricLayer": "kPa", "heightAboveGroundLayer": "hm", "heightAboveSeaLayer": "hm", "depthBelowLand": "cm", "depthBelowLandLayer": "cm",
	"sigma": "1e-4", "sigmaLayer": "1e-2", "pressureFromGroundLayer": "hPa", "thetaLayer": "",
}

func levelAttrs(x *axis, g *grid) []Attribute {
	attrs := []Attribute{}
	edition, _ := mapping.Int(g.geometry[geometryEdition])
	for _, known := range levelUnits {
		if known.levelType != x.levelType {
			continue
		}
		if units, other := edition1Units[x.levelType]; other && edition == 1 {
			if known.units = units; units == "" {
				continue
			}
		}
		for _, a := range []Attribute{{cf.AttrStandardName, known.standardName}, {cf.AttrLongName, known.longName}, {cf.AttrUnits, known.units}, {cf.AttrPositive, known.positive}} {
			if a.Value != "" {
				attrs = append(attrs, a)
			}
		}
	}
	if !x.scalar {
		attrs = append(attrs, Attribute{cf.AttrAxis, "Z"})
	} else if len(attrs) == 0 {
		attrs = append(attrs, Attribute{cf.AttrLongName, "original GRIB coordinate for key: level(" + x.levelType + ")"}, Attribute{cf.AttrUnits, "1"})
	}
	return attrs
}

// cellMethods are the CF methods of ecCodes' types of step.
var cellMethods = map[string]string{
	"accum": "sum", "avg": "mean", "max": "maximum", "min": "minimum", "diff": "point", "rms": "root_mean_square",
	"sd": "standard_deviation", "cov": "covariance", "sum": "sum", "range": "range",
}

// standardName is the CF standard name of a kind: of its parameter, or of the parameter for its
// constituent.
func standardName(k *kind, p mars.Param) string {
	if p.CFName != "" {
		return p.CFName
	}
	for _, a := range k.splits {
		if constituent, ok := mapping.Int(a.Value); ok && a.Key == "constituentType" {
			return mars.ConstituentCFName(k.paramID, constituent)
		}
	}
	return ""
}

// alongRows is the value of [mapping.AttrAlongRows] of a variable of fields, by the first of them that is not gone. It is nil
// if the variable is no wind, or nothing is known.
func (o *Options) alongRows(k *kind, refs []int32) any {
	gridType, _ := k.grid.geometry[geometryType].(string)
	if o.AlongRows == nil || !mapping.SaysAlongRows(gridType, k.name) {
		return nil
	}
	first := slices.IndexFunc(refs, func(ref int32) bool { return ref >= 0 && (o.Gone == nil || !o.Gone(int(ref))) })
	if first < 0 {
		return nil
	}
	switch along, known := o.AlongRows(int(refs[first])); {
	case !known:
		return nil
	case along:
		return int64(1)
	}
	return int64(0)
}

// fieldAttrs are the attributes of a variable of fields.
func fieldAttrs(k *kind, g *grid, tells []Attribute, coordinates []string, step string, alongRows any) []Attribute {
	var attrs []Attribute
	add := func(key string, value any) {
		if value != "" && value != nil {
			attrs = append(attrs, Attribute{key, value})
		}
	}
	p := parameter(k)
	for _, a := range k.said {
		add(a.Key, a.Value)
	}
	for _, a := range []Attribute{{cf.AttrLongName, p.Name}, {cf.AttrUnits, p.Units}, {cf.AttrStandardName, standardName(k, p)}} {
		if !slices.ContainsFunc(k.said, func(said Attribute) bool { return said.Key == a.Key }) {
			add(a.Key, a.Value)
		}
	}
	if method := cellMethods[k.stepType]; method != "" {
		add(cf.AttrCellMethods, step+": "+method)
	}
	if g.crs() != nil {
		add(cf.AttrGridMapping, crsName)
	}
	add(cf.AttrCoordinates, strings.Join(coordinates, " "))
	if k.paramID != 0 {
		add("GRIB_paramId", k.paramID)
	}
	if k.other == nil || k.paramID != 0 {
		add(attrShortName, shortName(k))
	}
	add("GRIB_typeOfLevel", k.levelType)
	add("GRIB_stepType", k.stepType)
	add("GRIB_gridType", g.geometry[geometryType])
	add(mapping.AttrAlongRows, alongRows)
	if g.geometry[geometryEdition] != nil { // cfgrib has these beside the CF attributes
		add("GRIB_name", p.Name)
		add("GRIB_units", p.Units)
		add("GRIB_cfName", standardName(k, p))
		add("GRIB_cfVarName", mars.VarName(k.paramID))
	}
	for _, a := range slices.Concat(k.splits, tells) {
		if plainValue(a.Value) {
			add("GRIB_"+a.Key, a.Value)
		}
	}
	return attrs
}

// attrShortName is the attribute with ecCodes' short name of the parameter of fields, as cfgrib writes it.
const attrShortName = "GRIB_shortName"

// shortName is ecCodes' name of the parameter of fields, where theirs has its numbers: see
// [mapping.KeyName].
func shortName(k *kind) string {
	if strings.HasPrefix(k.name, "unknown_") {
		return "unknown"
	}
	return k.name
}

// plainValue reports whether netCDF attributes can hold a value: a map on an array breaks xarray's to_netcdf.
func plainValue(v any) bool {
	switch v := v.(type) {
	case string, int64, uint64, float64, []string, []int64, []uint64, []float64:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool {
			switch e.(type) {
			case string, int64, uint64, float64:
				return false
			}
			return true
		})
	}
	return false
}

// groupAttrs are the attributes that all fields of a group share.
func groupAttrs(blocks []*block, g *grid) []Attribute {
	attrs := []Attribute{{"Conventions", "CF-1.11"}}
	if edition, ok := mapping.Int(g.geometry[geometryEdition]); ok {
		attrs = append(attrs, Attribute{"GRIB_edition", edition})
	}
	for _, key := range []string{"centre", "class", "stream", "type", "expver"} {
		value, same := commonOrigin(blocks, key)
		if same && value != "" {
			attrs = append(attrs, Attribute{"GRIB_" + key, value})
		}
	}
	return attrs
}

func commonOrigin(blocks []*block, key string) (value string, same bool) {
	first := true
	var last *origin
	for _, b := range blocks {
		for _, f := range b.fields {
			if f.origin == last {
				continue
			}
			last = f.origin
			if v := f.origin.values[key]; first {
				value, first = v, false
			} else if v != value {
				return "", false
			}
		}
	}
	return value, !first
}
