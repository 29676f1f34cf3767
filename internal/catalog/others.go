package catalog

import (
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// An other is an object that another program wrote. Translation gives it the entry that a conversion would have
// written: later code need not know that there are other writers.
type other struct {
	base   map[string]any // as it is stored
	params map[string]any // of the descriptor
	shape  []uint64
	values string // stands for the payload
	name   string

	coordinate string   // the dimension that a one-dimensional object of this name labels, "" if there is none
	given      []string // names of the dimensions by the object itself, nil if it has none
	dims       []string
	mapping.Other
}

// translated returns the entries of the objects of a message that other programs wrote, nil for the others.
func translated(m *tgm.Message, extra map[string]any) ([]map[string]any, error) {
	n, err := m.NumObjects()
	if err != nil {
		return nil, err
	}
	all := make([]*other, n)
	var others []*other
	for j := range n {
		base, err := m.BaseEntry(j)
		if err != nil {
			return nil, err
		}
		if !understood(base) {
			continue
		}
		o, err := m.Stored(j)
		if err != nil {
			return nil, err
		}
		all[j] = newOther(withNamespaces(base, o.Descriptor().Params, extra), o)
		if all[j].coordinate != "" {
			if all[j].values, err = identity(o); err != nil {
				return nil, err
			}
		}
		others = append(others, all[j])
	}
	nameAxes(others, extra)
	entries := make([]map[string]any, n)
	for j, o := range all {
		if o != nil {
			entries[j] = o.entry()
		}
	}
	return entries, nil
}

// understood reports whether the entry of an object has to be understood by its message: another program wrote it, or
// a converter of netCDF that did not keep the names of dimensions.
func understood(base map[string]any) bool {
	return mapping.ByOther(base) || unnamedAxes(base)
}

// unnamedAxes reports whether an entry is of a netCDF variable without the names of its dimensions.
func unnamedAxes(base map[string]any) bool {
	netcdf, ok := base[mapping.KeyNetCDF].(map[string]any)
	return ok && netcdf[mapping.NetCDFDims] == nil && base[mapping.KeyDims] == nil && base[mapping.KeyRecordIndex] == nil && base[mapping.KeySource] == nil
}

// identity stands for the values of an object: its hash, or one of its payload.
func identity(o *tgm.Object) (string, error) {
	if hash, ok := o.Hash(); ok {
		return strconv.FormatUint(hash, 16), nil
	}
	payload, err := o.EncodedPayload()
	return strconv.FormatUint(xxh3.Hash(payload), 16), err
}

// withNamespaces adds to an entry the maps of keys of the object's descriptor. It also adds the keys of MARS that the
// message has for all objects. The entry's own keys come first, then the descriptor's.
func withNamespaces(base, params, extra map[string]any) map[string]any {
	all := maps.Clone(base)
	add := func(key string, v any) {
		more, ok := v.(map[string]any)
		if !ok || unnamedAxes(base) {
			return
		}
		merged := maps.Clone(more)
		if own, there := all[key]; there {
			keys, ok := own.(map[string]any)
			if !ok {
				return
			}
			maps.Copy(merged, keys)
		}
		all[key] = merged
	}
	for key, v := range params {
		add(key, v)
	}
	add(mapping.KeyMARS, extra[mapping.KeyMARS])
	return all
}

func newOther(base map[string]any, object *tgm.Object) *other {
	d := object.Descriptor()
	o := &other{base: base, params: d.Params, shape: d.Shape}
	o.name = o.findName(object.Index())
	o.coordinate = coordinateNames[strings.ToLower(o.name)]
	for _, v := range []any{base[mapping.KeyDims], d.Params[mapping.KeyDims], base[keyDims]} {
		if names := mapping.Texts(v); len(names) == len(o.shape) && distinctNames(names) {
			o.given = names
			break
		}
	}
	if len(o.given) == 1 && o.given[0] == o.name && o.coordinate == "" {
		o.coordinate = o.name
	}
	if len(o.shape) != 1 && (o.coordinate != mapping.AxisLatitude && o.coordinate != mapping.AxisLongitude || len(o.shape) != 2) {
		o.coordinate = ""
	}
	return o
}

// keyDims is another key of the names of dimensions.
const keyDims = "dims"

// distinctNames reports whether names are there and differ.
func distinctNames(names []string) bool {
	seen := make(map[string]bool)
	for _, name := range names {
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// coordinateNames are the names of objects that label axes, in lower case, and the dimensions that they label.
var coordinateNames = map[string]string{
	"lat": mapping.AxisLatitude, "latitude": mapping.AxisLatitude, "grid_latitude": mapping.AxisLatitude,
	"lon": mapping.AxisLongitude, "longitude": mapping.AxisLongitude, "grid_longitude": mapping.AxisLongitude,
	"x": "x", "y": "y", "time": "time", mapping.KeyLevel: mapping.KeyLevel, "pressure": "pressure", "height": "height", "depth": "depth",
	"frequency": "frequency", mapping.KeyStep: mapping.KeyStep, mapping.KeyNumber: mapping.KeyNumber,
}

// findName finds the object's name: in its entry, the attributes of a convention, another namespace, its
// descriptor.
func (o *other) findName(index int) string {
	if name := Name(o.base); name != "" {
		return name
	}
	attributes, _ := o.base[mapping.KeyCF].(map[string]any)
	product, _ := o.base[mapping.KeyProduct].(map[string]any)
	for _, v := range []any{
		attributes[mapping.KeyName], attributes[cf.AttrStandardName], attributes[cf.AttrLongName], product[mapping.KeyName],
		o.params[mapping.KeyName], o.params["param"],
	} {
		if name, ok := v.(string); ok && name != "" {
			return name
		}
	}
	return fmt.Sprintf("object_%d", index)
}

// entry is the entry that a conversion would have written, with the object's own keys.
func (o *other) entry() map[string]any {
	entry := maps.Clone(o.base)
	entry[mapping.KeyName], entry[mapping.KeyDims] = o.name, o.dims
	if unnamedAxes(o.base) {
		if o.Coordinate {
			entry[mapping.KeyName] = o.coordinate
		}
		return entry
	}
	attributes, _ := o.base[mapping.KeyCF].(map[string]any)
	for _, key := range []string{mapping.KeyUnits, cf.AttrLongName, cf.AttrStandardName} {
		for _, m := range []map[string]any{o.base, attributes, o.params} {
			if text, ok := m[key].(string); ok && text != "" {
				entry[key] = text
				break
			}
		}
	}
	if o.Coordinate {
		o.name = o.coordinate
		entry[mapping.KeyName] = o.name
		for key, text := range coordinateAttributes[o.coordinate] {
			if entry[key] == nil {
				entry[key] = text
			}
		}
		entry[mapping.KeyOther] = o.Map()
		return entry
	}
	labels, used := o.labels()
	maps.Copy(entry, labels.Map())
	if name := o.parameterName(&labels); name != "" {
		entry[mapping.KeyName] = name
	}
	if id := o.parameter(); id != 0 {
		entry[keyParamID] = id
	}
	o.Keys = o.scalars(used)
	entry[mapping.KeyOther] = o.Map()
	return entry
}

// coordinateAttributes are the attributes of coordinates that their names say.
var coordinateAttributes = map[string]map[string]string{
	mapping.AxisLatitude:  {mapping.KeyUnits: "degrees_north", cf.AttrStandardName: "latitude"},
	mapping.AxisLongitude: {mapping.KeyUnits: "degrees_east", cf.AttrStandardName: "longitude"},
}

// frameName stands for the coordinates of points.
func frameName(parts ...string) string {
	sum := xxh3.HashString128(strings.Join(parts, "\x00")).Bytes()
	return hex.EncodeToString(sum[:8])
}

// otherKey is the part of a kind's key that only other writers' entries have: the parts of the entry that
// were understood.
func otherKey(entry map[string]any) string {
	b := appendValue(nil, entry[mapping.KeyOther])
	for _, key := range []string{cf.AttrLongName, cf.AttrStandardName, keyParamID} {
		b = appendValue(b, entry[key])
	}
	return string(b)
}

// isUnplaced reports whether the grid of an object has to be found from keys. The reference's converter of GRIB writes
// these keys.
func isUnplaced(base map[string]any) bool {
	if base[mapping.KeyGeometry] != nil {
		return false
	}
	own, _ := base[mapping.KeyMARS].(map[string]any)
	return base[mapping.KeyReproduction] != nil || own[mapping.MARSArea] != nil
}

// placed is the entry of an object from the reference's converter of GRIB, with the grid that follows from
// it.
func placed(m *tgm.Message, j int, shape []uint64) (map[string]any, error) {
	base, err := m.BaseEntry(j)
	if err != nil {
		return nil, err
	}
	base = maps.Clone(base)
	if g, err := mars.Geometry(mapping.Read(base), shape); err == nil {
		base[mapping.KeyGeometry] = g
	}
	if kind, ok := mapping.Read(base).Reproduction()["typeOfLevel"].(string); ok && base[mapping.KeyLevelType] == nil && kind != "unknown" {
		base[mapping.KeyLevelType] = kind
		if level, ok := mapping.Float(mapping.Read(base).Reproduction()[mapping.KeyLevel]); ok && base[mapping.KeyLevel] == nil {
			base[mapping.KeyLevel] = mapping.Number(level)
		}
	}
	return base, nil
}
