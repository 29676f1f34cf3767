package mapping

// KeyOther is the key of an [Other] in the entry of an object of another program. The catalogue adds
// the key; messages do not have it.
const KeyOther = "_other_"

// Other describes an object of another program, as far as it was understood, beside its names and
// labels.
type Other struct {
	// Coordinate is set for an object that labels an axis of others of its message, or their points.
	Coordinate bool
	// Frame is a text that is equal for objects whose points have the same coordinates. It is "" where
	// no coordinates are given.
	Frame string
	// Axes tell axes of the same name and length apart: a text for each axis of the object. It is "" where there
	// are no labels.
	Axes []string
	// Auxiliary names the coordinates of its points that are not axes.
	Auxiliary []string
	// Labelled is the name of the axis that Labels, from the metadata, belong to; "" if there is none.
	Labelled string
	Labels   []float64
	// Keys are the scalars of the entry, by their paths, that may tell it from others of its name.
	Keys map[string]any
}

// Keys of the map of an Other.
const (
	otherCoordinate = "coordinate"
	otherFrame      = "frame"
	otherAxes       = "axes"
	otherAuxiliary  = "auxiliary"
	otherLabelled   = "labelled"
	otherLabels     = "labels"
	otherKeys       = "keys"
)

// Map returns the value of [KeyOther].
func (o *Other) Map() map[string]any {
	m := map[string]any{otherFrame: o.Frame, otherAxes: o.Axes, otherAuxiliary: o.Auxiliary}
	if o.Coordinate {
		m[otherCoordinate] = true
	}
	if o.Labelled != "" {
		m[otherLabelled], m[otherLabels] = o.Labelled, o.Labels
	}
	if len(o.Keys) > 0 {
		m[otherKeys] = o.Keys
	}
	return m
}

// Other returns the description of an object that another program wrote, nil for other entries.
func (e Entry) Other() *Other {
	m := e.Namespace(KeyOther)
	if m == nil {
		return nil
	}
	o := &Other{Axes: Texts(m[otherAxes]), Auxiliary: Texts(m[otherAuxiliary]), Labels: Floats(m[otherLabels]), Keys: asMap(m[otherKeys])}
	o.Coordinate, _ = m[otherCoordinate].(bool)
	o.Frame, _ = m[otherFrame].(string)
	o.Labelled, _ = m[otherLabelled].(string)
	return o
}

// ByOther reports whether the entry was written neither by this program nor by the reference's converters. It then
// has none of the maps in which these keep converted metadata, nor the area of a grid.
func ByOther(base map[string]any) bool {
	for _, key := range []string{KeyGeometry, KeyGRIB, KeyReproduction, KeyNetCDF, KeyTet, KeySource} {
		if _, has := base[key]; has {
			return false
		}
	}
	_, placed := asMap(base[KeyMARS])[MARSArea]
	return !placed
}

// Floats returns the numbers of a list, nil if v is something else.
func Floats(v any) []float64 {
	switch v := v.(type) {
	case []float64:
		return v
	case []int64:
		numbers := make([]float64, len(v))
		for i, n := range v {
			numbers[i] = float64(n)
		}
		return numbers
	case []any:
		numbers := make([]float64, len(v))
		for i, x := range v {
			var ok bool
			if numbers[i], ok = Float(x); !ok {
				return nil
			}
		}
		return numbers
	}
	return nil
}
