package keys

import "fmt"

// projClass is the PROJ string of a grid's coordinate system, or of
// geographical coordinates. Arguments: gridType, or 0 for geographical
// coordinates.
type projClass struct{ stringClass }

func (projClass) init(*Handle, *accessor) error { return nil }

func (projClass) str(h *Handle, a *accessor) (string, error) {
	grid, err := h.getString(a.argName(0))
	if err != nil {
		return "", err
	}
	target, ok := projections[grid]
	if !ok {
		return "", ErrNotFound
	}
	if h.argLong(a, 1) == 0 {
		return "EPSG:4326", nil
	}
	if target.format == "" {
		return "", ErrNotImplemented
	}
	args := make([]any, 0, len(target.keys)+1)
	for _, k := range target.keys {
		v, err := h.double(k)
		if err != nil {
			return "", err
		}
		args = append(args, v)
	}
	if target.pole {
		flag, err := h.long("projectionCentreFlag")
		if err != nil {
			return "", err
		}
		pole := "90"
		if flag&128 != 0 {
			pole = "-90"
		}
		args = []any{args[0], pole, args[1]}
	}
	if target.shape {
		s, err := h.earthShape()
		if err != nil {
			return "", err
		}
		args = append(args, s)
	}
	return fmt.Sprintf(target.format, args...), nil
}

type projection struct {
	format      string
	keys        []string
	pole, shape bool
}

var projections = map[string]projection{
	"regular_ll": {format: longlat}, "regular_gg": {format: longlat},
	"reduced_ll": {format: longlat}, "reduced_gg": {format: longlat},
	"mercator": {format: "+proj=merc +lat_ts=%f +lat_0=0 +lon_0=0 +x_0=0 +y_0=0 %s", keys: []string{"LaDInDegrees"}, shape: true},
	"lambert": {format: "+proj=lcc +lon_0=%f +lat_0=%f +lat_1=%f +lat_2=%f %s", shape: true,
		keys: []string{"LoVInDegrees", "LaDInDegrees", "Latin1InDegrees", "Latin2InDegrees"}},
	"polar_stereographic": {format: "+proj=stere +lat_ts=%f +lat_0=%s +lon_0=%f +k_0=1 +x_0=0 +y_0=0 %s", pole: true, shape: true,
		keys: []string{"LaDInDegrees", "orientationOfTheGridInDegrees"}},
	"lambert_azimuthal_equal_area": {format: "+proj=laea +lon_0=%f +lat_0=%f %s", shape: true,
		keys: []string{"centralLongitudeInDegrees", "standardParallelInDegrees"}},
	"albers": {format: "+proj=aea +lon_0=%f +lat_0=%f +lat_1=%f +lat_2=%f %s", shape: true,
		keys: []string{"LoVInDegrees", "LaDInDegrees", "Latin1InDegrees", "Latin2InDegrees"}},
	"space_view": {}, "transverse_mercator": {}, "equatorial_azimuthal_equidistant": {},
}

const longlat = "+proj=longlat +datum=WGS84 +no_defs +type=crs"

func (h *Handle) earthShape() (string, error) {
	if v, err := h.long("earthIsOblate"); err == nil && v == 1 {
		minor, err := h.double("earthMinorAxisInMetres")
		if err != nil {
			return "", err
		}
		major, err := h.double("earthMajorAxisInMetres")
		if err != nil {
			return "", err
		}
		if major == minor {
			return fmt.Sprintf("+R=%f", major), nil
		}
		return fmt.Sprintf("+a=%f +b=%f", major, minor), nil
	}
	r, err := h.double("radius")
	return fmt.Sprintf("+R=%f", r), err
}
