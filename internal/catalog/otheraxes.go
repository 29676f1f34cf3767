package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
)

// otherAxes names the axes of the objects of a message that other programs wrote. The object's own names go first,
// then the names that its message has for a length, then the coordinates of the message that have that length.
type otherAxes struct {
	all    []*other
	coords []*other          // one-dimensional ones that label axes, one a name
	bySize map[string]string // names that the message has for lengths
	listed []string          // names that the message has for all objects

	lat, lon *other   // nil if one of them is missing
	points   []string // the names of the axes along which latitudes and longitudes of points lie, nil if these are axes
	frame    string
}

// nameAxes sets the dimensions of objects, and the roles that follow from the coordinates of their message.
func nameAxes(all []*other, extra map[string]any) {
	a := &otherAxes{all: all, bySize: make(map[string]string)}
	sizes, _ := extra[mapping.KeyDims].(map[string]any)
	for size, v := range sizes {
		if name, ok := v.(string); ok && name != "" {
			a.bySize[size] = canonicalDim(name)
		}
	}
	a.listed = mapping.Texts(extra[mapping.KeyDims])
	a.findCoordinates()
	a.findPoints()
	for _, o := range all {
		switch {
		case o.coordinate == "":
			o.dims = a.dimsOf(o)
		case a.points != nil && (o == a.lat || o == a.lon):
			o.dims, o.Coordinate = a.points, true
		default:
			o.dims, o.Coordinate = []string{o.coordinate}, true
		}
	}
	for _, o := range all {
		a.describe(o)
	}
}

// canonicalDim is the canonical name of a dimension that has several.
func canonicalDim(name string) string {
	switch strings.ToLower(name) {
	case "lat", mapping.AxisLatitude:
		return mapping.AxisLatitude
	case "lon", mapping.AxisLongitude:
		return mapping.AxisLongitude
	}
	return name
}

// findCoordinates decides which objects label axes: the first of a name, unless it lies along an axis of another name.
func (a *otherAxes) findCoordinates() {
	taken := make(map[string]bool)
	for _, o := range a.all {
		horizontal := o.coordinate == mapping.AxisLatitude || o.coordinate == mapping.AxisLongitude
		elsewhere := len(o.given) == 1 && canonicalDim(o.given[0]) != o.coordinate && !horizontal
		if o.coordinate == "" || taken[o.coordinate] || elsewhere {
			o.coordinate = ""
			continue
		}
		taken[o.coordinate] = true
		switch o.coordinate {
		case mapping.AxisLatitude:
			a.lat = o
		case mapping.AxisLongitude:
			a.lon = o
		}
		a.coords = append(a.coords, o)
	}
	if a.lat == nil || a.lon == nil || len(a.lat.shape) != len(a.lon.shape) {
		for _, o := range []*other{a.lat, a.lon} {
			if o != nil && len(o.shape) == 2 {
				o.coordinate = "" // half of a pair of coordinates
			}
		}
		a.coords = slices.DeleteFunc(a.coords, func(o *other) bool { return o.coordinate == "" })
		a.lat, a.lon = nil, nil
	}
	parts := make([]string, 0, 4)
	for _, o := range a.coords {
		switch o.coordinate {
		case mapping.AxisLatitude, mapping.AxisLongitude, "x", "y":
			parts = append(parts, o.coordinate, o.values)
		}
	}
	if len(parts) > 0 {
		a.frame = frameName(parts...)
	}
}

// findPoints decides whether latitudes and longitudes belong to points: if they have two dimensions, lie along an
// axis of one name, or have one length that no object has twice.
func (a *otherAxes) findPoints() {
	if a.lat == nil {
		return
	}
	if !slices.Equal(a.lat.shape, a.lon.shape) {
		if len(a.lat.shape) == 2 {
			a.lat.coordinate, a.lon.coordinate = "", ""
			a.coords = slices.DeleteFunc(a.coords, func(o *other) bool { return o.coordinate == "" })
		}
		return
	}
	if len(a.lat.shape) == 2 {
		if a.points = a.lat.given; a.points == nil {
			a.points = []string{"y", "x"}
		}
		a.leavePoints()
		return
	}
	n := a.lat.shape[0]
	if a.lat.given != nil && slices.Equal(a.lat.given, a.lon.given) {
		a.points = a.lat.given
		a.leavePoints()
		return
	}
	name, once := "", false
	for _, o := range a.all {
		if o.coordinate != "" {
			continue
		}
		count := 0
		for axis, size := range o.shape {
			if size != n {
				continue
			}
			count++
			if o.given == nil {
				continue
			}
			switch dim := canonicalDim(o.given[axis]); dim {
			case mapping.AxisLatitude, mapping.AxisLongitude:
				return
			default:
				if name == "" {
					name = dim
				}
			}
		}
		if count > 1 {
			return
		}
		once = once || count == 1
	}
	if !once {
		return
	}
	if name == "" {
		name = a.bySize[strconv.FormatUint(n, 10)]
	}
	if name == "" {
		name = "values"
	}
	a.points = []string{name}
	a.leavePoints()
}

// leavePoints takes the coordinates of points from the coordinates that label axes.
func (a *otherAxes) leavePoints() {
	a.coords = slices.DeleteFunc(a.coords, func(o *other) bool { return o == a.lat || o == a.lon })
}

// dimsOf names the axes of an object that labels no other.
func (a *otherAxes) dimsOf(o *other) []string {
	dims := make([]string, len(o.shape))
	if o.given != nil {
		for i, name := range o.given {
			dims[i] = canonicalDim(name)
		}
		if distinctNames(dims) {
			return dims
		}
		return o.given
	}
	if len(a.listed) == len(o.shape) && distinctNames(a.listed) {
		return a.listed
	}
	put := func(axis int, name string) {
		if dims[axis] == "" && name != "" && !slices.Contains(dims, name) {
			dims[axis] = name
		}
	}
	for axis, n := range o.shape {
		put(axis, a.bySize[strconv.FormatUint(n, 10)])
	}
	a.putPoints(o, put)
	a.putCoordinates(o, put)
	for axis := range dims {
		put(axis, "dim_"+strconv.Itoa(axis))
	}
	return dims
}

// putPoints names the last axes that have the shape of the points, or the axis that has their number.
func (a *otherAxes) putPoints(o *other, put func(axis int, name string)) {
	if a.points == nil {
		return
	}
	if first := len(o.shape) - len(a.points); first >= 0 && slices.Equal(o.shape[first:], a.lat.shape) {
		for i, name := range a.points {
			put(first+i, name)
		}
		return
	}
	if len(a.points) == 1 {
		if axis := slices.Index(o.shape, a.lat.shape[0]); axis >= 0 {
			put(axis, a.points[0])
		}
	}
}

// putCoordinates names the axes that have the length of a coordinate: the last two by latitude and longitude, the
// others in the order of the message.
func (a *otherAxes) putCoordinates(o *other, put func(axis int, name string)) {
	n := len(o.shape)
	for _, c := range a.coords {
		back := map[string]int{mapping.AxisLatitude: 2, mapping.AxisLongitude: 1, "y": 2, "x": 1}[c.coordinate]
		if back > 0 && n >= back && o.shape[n-back] == c.shape[0] {
			put(n-back, c.coordinate)
		}
	}
	for _, c := range a.coords {
		for axis, size := range o.shape {
			if size == c.shape[0] {
				put(axis, c.coordinate) // a name is put once, and an axis named once
			}
		}
	}
}

// describe sets the frame, the values along the axes and the auxiliary coordinates of an object.
func (a *otherAxes) describe(o *other) {
	o.Frame = a.frame
	o.Axes = make([]string, len(o.dims))
	if !o.Coordinate {
		a.labelLevels(o)
	}
	onPoints := a.points != nil && len(o.dims) >= len(a.points)
	for axis, dim := range o.dims {
		for _, c := range a.coords {
			if c.coordinate == dim && c.shape[0] == o.shape[axis] {
				o.Axes[axis] = c.values
			}
		}
		if dim == o.Labelled {
			o.Axes[axis] = frameName(append(floatTexts(o.Labels), o.levelType())...)
		}
	}
	for _, dim := range a.points {
		axis, ok := o.hasDim(dim)
		if onPoints = onPoints && ok; onPoints {
			o.Axes[axis] = a.frame
		}
	}
	if onPoints && !o.Coordinate {
		o.Auxiliary = []string{mapping.AxisLatitude, mapping.AxisLongitude}
	}
}

// labelLevels finds the axis whose labels are MARS' list of levels.
func (a *otherAxes) labelLevels(o *other) {
	m, _ := o.base[mapping.KeyMARS].(map[string]any)
	levels := mapping.Floats(m["levelist"])
	if levels == nil {
		levels = mapping.Floats(o.base["levelist"])
	}
	if len(levels) < 2 {
		return
	}
	for axis := len(o.dims) - 1; axis >= 0; axis-- {
		dim := o.dims[axis]
		labelled := slices.Contains(a.points, dim) || slices.ContainsFunc(a.coords, func(c *other) bool { return c.coordinate == dim })
		if o.shape[axis] != uint64(len(levels)) || labelled {
			continue
		}
		if strings.HasPrefix(dim, "dim_") {
			o.dims[axis] = mapping.KeyLevel
		}
		o.Labelled, o.Labels = o.dims[axis], levels
		return
	}
}

// levelType is ecCodes' type of the levels that MARS' keys name.
func (o *other) levelType() string {
	l, _ := o.labels()
	return l.LevelType
}

func floatTexts(values []float64) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return texts
}
