package fromnetcdf

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/netcdf"
)

// describeRadar describes a file of weather radars by ODIM_H5 in the words of the CF conventions. The groups what,
// where and how of the file hold the packing, the numbers for no data, the units, the time, and the axes. The
// quantities of a dataset become variables of its group, under their names: /dataset1/data1/data is /dataset1/DBZH. A
// sweep in polar coordinates, and a map, get latitudes and longitudes, which are computed. Other files are not changed.
func describeRadar(nc *netcdf.File) {
	root := nc.Root()
	if a := root.Attr("Conventions"); a == nil || !strings.HasPrefix(attrWord(a), "ODIM_H5/") {
		return
	}
	for _, g := range root.Groups {
		if strings.HasPrefix(g.Name, "dataset") {
			(&odim{root: root, dataset: g}).describe()
		}
	}
}

// An odim is one dataset of an ODIM_H5 file.
type odim struct {
	root, dataset *netcdf.Group
	sweep         *sweep        // nil if it has no polar coordinates
	image         *image        // nil if it is not a map, or a map of an unknown projection
	axes          []*netcdf.Dim // of the sweep, or the rows and columns of an image
}

func (o *odim) describe() {
	if o.sweep = o.findSweep(); o.sweep == nil {
		o.image = o.findImage()
	}
	var walk func(g *netcdf.Group, outer []*netcdf.Group)
	walk = func(g *netcdf.Group, outer []*netcdf.Group) {
		scope := append([]*netcdf.Group{g}, outer...)
		if v := g.Var("data"); v != nil {
			o.data(v, g, scope)
		}
		for _, sub := range g.Groups {
			walk(sub, scope)
		}
	}
	walk(o.dataset, []*netcdf.Group{o.root})
	if o.axes != nil {
		o.addCoordinates()
	}
}

// attribute looks for an attribute of the group kind (what, where, how) in the groups of a scope, innermost
// first.
func attribute(scope []*netcdf.Group, kind, name string) *netcdf.Attr {
	for _, g := range scope {
		for _, sub := range g.Groups {
			if sub.Name == kind {
				if a := sub.Attr(name); a != nil {
					return a
				}
			}
		}
	}
	return nil
}

// numbersIn are the numbers of an attribute, nil if there are none.
func numbersIn(scope []*netcdf.Group, kind, name string) (list []float64) {
	a := attribute(scope, kind, name)
	if a == nil {
		return nil
	}
	switch v := a.Value.(type) {
	case []float64:
		return v
	case []int64:
		for _, x := range v {
			list = append(list, float64(x))
		}
	case []uint64:
		for _, x := range v {
			list = append(list, float64(x))
		}
	}
	return list
}

func numberIn(scope []*netcdf.Group, kind, name string) (float64, bool) {
	if list := numbersIn(scope, kind, name); len(list) == 1 {
		return list[0], true
	}
	return 0, false
}

// attrWord is the text of an attribute, "" if it has none.
func attrWord(a *netcdf.Attr) string {
	switch v := a.Value.(type) {
	case string:
		return strings.TrimRight(v, "\x00 ")
	case []string:
		if len(v) == 1 {
			return strings.TrimRight(v[0], "\x00 ")
		}
	}
	return ""
}

func wordIn(scope []*netcdf.Group, kind, name string) string {
	if a := attribute(scope, kind, name); a != nil {
		return attrWord(a)
	}
	return ""
}

// findSweep returns the geometry of a sweep. It is nil if the dataset is another product, or lacks part of
// it.
func (o *odim) findSweep() *sweep {
	scope := []*netcdf.Group{o.dataset, o.root}
	s := new(sweep)
	var rays, bins, start float64
	for _, want := range []struct {
		name string
		to   *float64
	}{{"lat", &s.lat}, {"lon", &s.lon}, {"height", &s.height}, {"nrays", &rays}, {"nbins", &bins}, {"rscale", &s.step}, {"rstart", &start}} {
		x, ok := numberIn(scope, "where", want.name)
		if !ok || x-x != 0 {
			return nil
		}
		*want.to = x
	}
	if !(rays >= 1 && rays <= 1<<20 && bins >= 1 && bins <= 1<<20 && s.lat >= -90 && s.lat <= 90 && s.step > 0) {
		return nil
	}
	s.rays, s.bins, s.first = int(rays), int(bins), float64(1000*start)+float64(s.step/2) // the start is in kilometres
	s.azimuths = o.perRay(s.rays, "startazA", "stopazA")
	if s.elevations = o.perRay(s.rays, "startelA", "stopelA"); s.elevations == nil {
		if list := numbersIn(scope, "how", "elangles"); len(list) == s.rays {
			s.elevations = list
		}
	}
	angle, ok := numberIn(scope, "where", "elangle")
	switch s.elevation = angle; {
	case s.elevations == nil && !ok:
		return nil
	case !ok:
		s.elevation = s.elevations[0]
	}
	return s
}

// perRay is the middle of two angles that are given for each ray, nil if they are not.
func (o *odim) perRay(rays int, from, to string) (middle []float64) {
	scope := []*netcdf.Group{o.dataset, o.root}
	first, last := numbersIn(scope, "how", from), numbersIn(scope, "how", to)
	if len(first) != rays || len(last) != rays {
		return nil
	}
	for i, a := range first {
		b := last[i]
		switch { // over north
		case b-a > 180:
			b -= 360
		case a-b > 180:
			b += 360
		}
		m := float64((a + b) / 2)
		if m < 0 {
			m += 360
		}
		middle = append(middle, m)
	}
	return middle
}

// data describes the values of a quantity, and moves them to the group of the dataset.
func (o *odim) data(v *netcdf.Var, g *netcdf.Group, scope []*netcdf.Group) {
	if v.Attr(cf.AttrScaleFactor) != nil || v.Attr(cf.AttrAddOffset) != nil {
		return // its own attributes describe it
	}
	attrs := slices.Clone(v.Attrs)
	gain, isGain := numberIn(scope[:1], "what", "gain")
	offset, isOffset := numberIn(scope[:1], "what", "offset")
	if isGain && isOffset && (gain != 1 || offset != 0) {
		attrs = append(attrs, doubleAttr(cf.AttrScaleFactor, gain), doubleAttr(cf.AttrAddOffset, offset))
	}
	if undetect, ok := numberIn(scope[:1], "what", "undetect"); ok {
		attrs = append(attrs, doubleAttr("_Undetect", undetect))
	}
	name := wordIn(scope[:1], "what", "quantity")
	if q, ok := quantities[name]; ok {
		attrs = append(attrs, textAttr(cf.AttrUnits, q.units))
		if q.standardName != "" {
			attrs = append(attrs, textAttr(cf.AttrStandardName, q.standardName))
		}
	}
	v.Attrs = attrs
	if nodata, ok := numberIn(scope[:1], "what", "nodata"); ok {
		v.Attrs = withMissing(v, []float64{nodata})
	}
	if !o.onAxes(v) {
		return
	}
	g.Dims = slices.DeleteFunc(slices.Clone(g.Dims), func(d *netcdf.Dim) bool { return d.Phony && slices.Contains(v.Dims, d) })
	v.Dims = o.axes
	coordinates := "time"
	switch {
	case o.sweep != nil:
		coordinates = "latitude longitude elevation time"
	case o.image != nil:
		coordinates = "latitude longitude time"
	}
	v.Attrs = append(v.Attrs, textAttr(cf.AttrCoordinates, coordinates))
	if name != "" && !strings.Contains(name, "/") && o.dataset.Var(name) == nil {
		g.Vars = slices.DeleteFunc(slices.Clone(g.Vars), func(other *netcdf.Var) bool { return other == v })
		v.Name, v.Path = name, path.Join(o.dataset.Path, name)
		o.dataset.Vars = append(slices.Clone(o.dataset.Vars), v)
	}
}

// onAxes reports whether a variable has the axes of the dataset, which the first variable decides.
func (o *odim) onAxes(v *netcdf.Var) bool {
	if len(v.Dims) != 2 || !v.Dims[0].Phony || !v.Dims[1].Phony {
		return false
	}
	names := []string{"y", "x"}
	if m := o.image; m != nil && !slices.Equal(v.Shape(), []uint64{m.rows, m.columns}) {
		return false
	}
	if s := o.sweep; s != nil {
		if !slices.Equal(v.Shape(), []uint64{uint64(s.rays), uint64(s.bins)}) {
			return false
		}
		names = []string{"azimuth", "range"}
	}
	if o.axes == nil {
		for i, name := range names {
			o.axes = append(o.axes, &netcdf.Dim{Name: name, Len: v.Dims[i].Len})
		}
		o.dataset.Dims = append(slices.Clone(o.dataset.Dims), o.axes...)
	}
	return v.Dims[0].Len == o.axes[0].Len && v.Dims[1].Len == o.axes[1].Len
}

// addCoordinates adds the time of the dataset, and of a sweep its axes, places and elevation.
func (o *odim) addCoordinates() {
	o.addTime()
	if m := o.image; m != nil {
		o.add("y", o.axes[:1], func(i []uint64) float64 { return m.y(i[0]) }, "m", "projection_y_coordinate")
		o.add("x", o.axes[1:], func(i []uint64) float64 { return m.x(i[0]) }, "m", "projection_x_coordinate")
		o.add("latitude", o.axes, func(i []uint64) float64 { lat, _ := m.place(i[0], i[1]); return lat }, "degrees_north", "latitude")
		o.add("longitude", o.axes, func(i []uint64) float64 { _, lon := m.place(i[0], i[1]); return lon }, "degrees_east", "longitude")
	}
	s := o.sweep
	if s == nil {
		return
	}
	rays, bins := o.axes[0], o.axes[1]
	o.add("azimuth", []*netcdf.Dim{rays}, func(i []uint64) float64 { return s.azimuth(int(i[0])) }, "degrees", "ray_azimuth_angle")
	o.add("range", []*netcdf.Dim{bins}, func(i []uint64) float64 { return s.first + float64(float64(i[0])*s.step) }, "m", "projection_range_coordinate")
	o.add("latitude", o.axes, func(i []uint64) float64 { lat, _ := s.place(int(i[0]), int(i[1])); return lat }, "degrees_north", "latitude")
	o.add("longitude", o.axes, func(i []uint64) float64 { _, lon := s.place(int(i[0]), int(i[1])); return lon }, "degrees_east", "longitude")
	o.add("elevation", nil, func([]uint64) float64 { return s.elevation }, "degrees", "ray_elevation_angle")
}

func (o *odim) addTime() {
	scope := []*netcdf.Group{o.dataset, o.root}
	start, err := time.Parse("20060102150405", wordIn(scope, "what", "startdate")+wordIn(scope, "what", "starttime"))
	if err != nil {
		if start, err = time.Parse("20060102150405", wordIn(scope, "what", "date")+wordIn(scope, "what", "time")); err != nil {
			return
		}
	}
	o.add("time", nil, func([]uint64) float64 { return float64(start.Unix()) }, "seconds since 1970-01-01 00:00:00", "time")
}

// add adds a variable to the dataset, unless it has one of that name.
func (o *odim) add(name string, dims []*netcdf.Dim, value computed, units, standardName string) {
	if o.dataset.Var(name) != nil {
		return
	}
	v := &netcdf.Var{
		Name: name, Path: path.Join(o.dataset.Path, name), Dims: dims, Type: netcdf.NewType(netcdf.Double),
		Attrs:   []netcdf.Attr{textAttr(cf.AttrUnits, units), textAttr(cf.AttrStandardName, standardName)},
		Storage: netcdf.Storage{Layout: netcdf.Contiguous},
	}
	o.dataset.Vars = append(slices.Clone(o.dataset.Vars), netcdf.NewVar(v, value))
}

func doubleAttr(name string, x float64) netcdf.Attr {
	return netcdf.Attr{Name: name, Type: netcdf.NewType(netcdf.Double), Value: []float64{x}}
}

func textAttr(name, text string) netcdf.Attr {
	return netcdf.Attr{Name: name, Type: netcdf.NewType(netcdf.Char), Value: text}
}

// A quantity holds units and standard name of a quantity of ODIM_H5 (table 16). The name is from the CF
// conventions, or CfRadial.
type quantity struct{ units, standardName string }

var quantities = map[string]quantity{
	"TH": {"dBZ", "radar_equivalent_reflectivity_factor_h"}, "TV": {"dBZ", "radar_equivalent_reflectivity_factor_v"},
	"DBZH": {"dBZ", "radar_equivalent_reflectivity_factor_h"}, "DBZV": {"dBZ", "radar_equivalent_reflectivity_factor_v"},
	"ZDR": {"dB", "radar_differential_reflectivity_hv"}, "LDR": {"dB", "radar_linear_depolarization_ratio"},
	"RHOHV": {"1", "radar_correlation_coefficient_hv"}, "PHIDP": {"degrees", "radar_differential_phase_hv"},
	"KDP": {"degrees km-1", "radar_specific_differential_phase_hv"}, "SQI": {"1", ""}, "SQIH": {"1", ""}, "SQIV": {"1", ""}, "QIND": {"1", ""},
	"SNR": {"dB", ""}, "SNRH": {"dB", ""}, "SNRV": {"dB", ""}, "CCORH": {"dB", ""}, "CCORV": {"dB", ""},
	"VRAD": {"m s-1", "radial_velocity_of_scatterers_away_from_instrument"}, "VRADH": {"m s-1", "radial_velocity_of_scatterers_away_from_instrument_h"},
	"VRADV": {"m s-1", "radial_velocity_of_scatterers_away_from_instrument_v"}, "VRADDH": {"m s-1", ""}, "VRADDV": {"m s-1", ""},
	"WRAD": {"m s-1", "radar_doppler_spectrum_width"}, "WRADH": {"m s-1", "radar_doppler_spectrum_width_h"}, "WRADV": {"m s-1", "radar_doppler_spectrum_width_v"},
	"RATE": {"mm h-1", "rainfall_rate"}, "ACRR": {"mm", ""}, "HGHT": {"km", ""}, "VIL": {"kg m-2", ""}, "UWND": {"m s-1", "eastward_wind"}, "VWND": {"m s-1", "northward_wind"},
	"DIR": {"degrees", "wind_from_direction"}, "ff": {"m s-1", "wind_speed"}, "PROB": {"1", ""},
}
