package dataset

import (
	"fmt"
	"strconv"
	"strings"
)

// A wktParameter is a parameter of a method in WKT 2, with its code in the EPSG dataset.
type wktParameter struct {
	name  string
	code  int
	value float64
	unit  string
}

const (
	wktDegree = `ANGLEUNIT["degree",0.0174532925199433]`
	wktMetre  = `LENGTHUNIT["metre",1]`
)

// crsWKT is the coordinate reference system in WKT 2 (ISO 19162:2019), "" if the figure of the Earth is
// unknown. Projections have the origin of [geometry.Grid.PlaneAxes].
func (g *grid) crsWKT() string {
	datum := g.wktDatum()
	if datum == "" {
		return ""
	}
	geographic := `CS[ellipsoidal,2],AXIS["latitude",north,ORDER[1]],AXIS["longitude",east,ORDER[2]],` + wktDegree
	angle := func(name string, code int, value float64) wktParameter {
		return wktParameter{name, code, value, wktDegree}
	}
	none := func(name string, code int) wktParameter { return wktParameter{name, code, 0, wktMetre} }
	kind := g.parsed.GridType
	switch {
	case g.rotated():
		rotation := wktConversion("Pole rotation (netCDF CF convention)", 0,
			angle("Grid north pole latitude (netCDF CF convention)", 0, -g.numberOf("latitudeOfSouthernPoleInDegrees")),
			angle("Grid north pole longitude (netCDF CF convention)", 0, wrap180(g.numberOf("longitudeOfSouthernPoleInDegrees")+180)),
			angle("North pole grid longitude (netCDF CF convention)", 0, g.numberOf("angleOfRotationInDegrees")))
		return `GEOGCRS["rotated",BASEGEOGCRS["unknown",` + datum + `],DERIVING` + rotation + `,` + geographic + `]`
	case !g.planar():
		return `GEOGCRS["unknown",` + datum + `,` + geographic + `]`
	case strings.HasPrefix(kind, "lambert_azimuthal"):
		return wktProjected(datum, wktConversion("Lambert Azimuthal Equal Area", 9820,
			angle("Latitude of natural origin", 8801, g.numberOf("standardParallelInDegrees")),
			angle("Longitude of natural origin", 8802, g.numberOf("centralLongitudeInDegrees")),
			none("False easting", 8806), none("False northing", 8807)))
	case strings.HasPrefix(kind, "polar_stereographic"):
		return wktProjected(datum, wktConversion("Polar Stereographic (variant B)", 9829,
			angle("Latitude of standard parallel", 8832, g.trueScale()),
			angle("Longitude of origin", 8833, g.numberOf("orientationOfTheGridInDegrees")),
			none("False easting", 8806), none("False northing", 8807)))
	}
	method, code := "Lambert Conic Conformal (2SP)", 9802
	if kind == "albers" {
		method, code = "Albers Equal Area", 9822
	}
	return wktProjected(datum, wktConversion(method, code,
		angle("Latitude of false origin", 8821, g.numberOf("LaDInDegrees")),
		angle("Longitude of false origin", 8822, g.numberOf("LoVInDegrees")),
		angle("Latitude of 1st standard parallel", 8823, g.numberOf("Latin1InDegrees")),
		angle("Latitude of 2nd standard parallel", 8824, g.numberOf("Latin2InDegrees")),
		none("Easting at false origin", 8826), none("Northing at false origin", 8827)))
}

// wktDatum is the datum of the figure of the Earth.
func (g *grid) wktDatum() string {
	major, flattening := g.numberOf("radius"), 0.0
	if major <= 0 {
		minor := g.numberOf("earthMinorAxisInMetres")
		if major = g.numberOf("earthMajorAxisInMetres"); major <= 0 || minor <= 0 {
			return ""
		}
		if major != minor {
			flattening = major / (major - minor) // the inverse, as WKT has it
		}
	}
	return fmt.Sprintf(`DATUM["unknown",ELLIPSOID["unknown",%s,%s,%s]],PRIMEM["Greenwich",0,%s]`,
		wktNumber(major), wktNumber(flattening), wktMetre, wktDegree)
}

func wktConversion(method string, code int, parameters ...wktParameter) string {
	var b strings.Builder
	fmt.Fprintf(&b, `CONVERSION["unknown",METHOD["%s"%s]`, method, wktID(code))
	for _, p := range parameters {
		fmt.Fprintf(&b, `,PARAMETER["%s",%s,%s%s]`, p.name, wktNumber(p.value), p.unit, wktID(p.code))
	}
	return b.String() + "]"
}

func wktID(code int) string {
	if code == 0 {
		return ""
	}
	return fmt.Sprintf(`,ID["EPSG",%d]`, code)
}

func wktProjected(datum, conversion string) string {
	return `PROJCRS["unknown",BASEGEOGCRS["unknown",` + datum + `],` + conversion +
		`,CS[Cartesian,2],AXIS["easting (X)",east,ORDER[1]],AXIS["northing (Y)",north,ORDER[2]],` + wktMetre + `]`
}

func wktNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
