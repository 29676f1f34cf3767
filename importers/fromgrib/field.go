package fromgrib

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// field makes the neutral form of f, nil when the clauses do not select it.
func (s *Source) field(at *fieldAt, where string) (*importers.Field, error) {
	f := at.Field
	points, err := f.NumberOfDataPoints()
	if err != nil {
		return nil, err
	}
	out := &importers.Field{DType: dtypeOf(f), Compressed: true, Where: where}
	out.Index = at.index
	out.Coded = laterKeys{s.keys, func() ([]byte, error) { return messageOf(f), nil }}
	if s.opts.ValuesOnly {
		s.setGrid(out, at, points)
		return out, nil
	}
	reader := s.keys.take()
	defer s.keys.give(reader)
	h, err := reader.Handle(messageOf(f), at.keysData())
	switch {
	case err == nil && !s.selects(h, f, at.part, at.index):
		return nil, nil
	case err == nil:
		err = h.Err()
	}
	if err != nil {
		out.Notes = append(out.Notes, "keys are incomplete: "+err.Error())
	}
	g := s.setGrid(out, at, points)
	out.Name = nameOf(h, f)
	if out.Attrs, err = s.attributes(h, f); err != nil {
		return nil, err
	}
	labels := mars.Labels(out.Attrs)
	labels.Geometry = g.geometry
	out.Extras = labels.Map()
	describe(out.Extras, h)
	out.Namespaces = s.namespaces(s.keepSections(out, at))
	return out, s.noteImplied(out, at, g)
}

// setGrid gives a field its shape, coordinates and values.
func (s *Source) setGrid(out *importers.Field, at *fieldAt, points int) *grid {
	g := s.grids.of(at.Field, points)
	out.Shape, out.Dims, out.Coords = g.shape, g.dims, g.coords
	if g.geometry != nil {
		out.CodedGeometry = g.geometryCBOR
	}
	if g.note != "" {
		out.Notes = append(out.Notes, g.note)
	}
	if !plausibleCoords(g, points, at.part.Length) {
		out.Coords = nil
		out.Notes = append(out.Notes, fmt.Sprintf("coordinates are left out: the message has %d points in %d bytes", points, at.part.Length))
	}
	at.setValues(out, g, points)
	return g
}

// freePoints is how many points get a latitude and a longitude each whatever the size of their
// message: 16 million. A reduced grid that lists its parallels gets twice as many: O2560 has 26
// million.
const freePoints = 1 << 24

// plausibleCoords guards against messages of a few bytes that claim, as constant fields may, any
// number of points: a coordinate for each would take memory that nothing in the input stands for.
func plausibleCoords(g *grid, points int, messageBytes int64) bool {
	free := freePoints
	if g.Grid != nil && len(g.PL) > 0 {
		free *= 2
	}
	return len(g.coords) == 0 || g.coords[0].Axis || points <= free || int64(points/64) <= messageBytes
}

// namespaces returns the maps of an entry; kept goes to base[i].grib beside the keys.
func (s *Source) namespaces(kept map[string]any) []mapping.Namespace {
	n := []mapping.Namespace{
		{Key: mapping.KeyMARS, Vocabulary: mars.Vocabulary},
		{Key: mapping.KeyProduct, Vocabulary: mars.Product},
		{Key: mapping.KeyReproduction, Vocabulary: mars.Reproduction},
	}
	return append(n, mapping.Namespace{Key: mapping.KeyGRIB, Vocabulary: func(attrs *mapping.Attributes) (map[string]any, error) {
		if !s.opts.AllKeys {
			return kept, nil
		}
		all, err := mars.AllKeys(attrs)
		maps.Copy(all, kept)
		return all, err
	}})
}

// describe adds the names and units of the parameter database, for readers without one.
func describe(entry map[string]any, h *keys.Handle) {
	if h == nil {
		return
	}
	id, err := h.Int("paramId")
	if err != nil {
		return
	}
	for key, text := range mars.Described(id) {
		entry[key] = text
	}
}

// nameOf is the short name. Fields that ecCodes has no name for are told apart by their numbers:
// discipline, category and number in edition 2, table and indicator in edition 1.
func nameOf(h *keys.Handle, f *grib.Field) string {
	if h != nil {
		if name, err := h.String("shortName"); err == nil && name != "" && name != "unknown" {
			return name
		}
	}
	name := "unknown"
	for _, number := range f.Parameter() {
		name = fmt.Sprintf("%s_%d", name, number)
	}
	return name
}

// largestArray is the longest array of a namespace that goes into the metadata, as in the
// reference.
const largestArray = 8192

// attributes files the keys that the vocabularies read.
func (s *Source) attributes(h *keys.Handle, f *grib.Field) (*mapping.Attributes, error) {
	attrs := new(mapping.Attributes)
	if h == nil {
		return attrs, nil
	}
	if err := namespaceAttributes(attrs, h, mars.GroupMARS); err != nil {
		return nil, err
	}
	for _, group := range sharedGroups {
		if err := group.addTo(attrs, h); err != nil {
			return nil, err
		}
	}
	if s.opts.AllKeys {
		for _, space := range []string{mars.GroupLS, mars.GroupStatistics} {
			if err := namespaceAttributes(attrs, h, space); err != nil {
				return nil, err
			}
		}
	}
	if err := identification.addTo(attrs, h); err != nil {
		return nil, err
	}
	for _, name := range ownLabelKeys {
		if err := setNative(attrs, h, name); err != nil {
			return nil, err
		}
	}
	if err := levelAttributes(attrs, h); err != nil {
		return nil, err
	}
	return attrs, s.productAttributes(attrs, h, f)
}

// A sharedGroup is a group of keys that many fields of a file have in common: its attributes are made once for
// messages with the same bytes of these keys.
type sharedGroup struct {
	name       string
	list       *keys.List
	evenAbsent bool // file keys that say that they are missing as well
}

// sharedGroups are the namespaces whose keys depend on few bytes. Those of MARS differ from field to field.
var sharedGroups = []sharedGroup{
	{name: mars.GroupGeography, list: keys.KeysOf(mars.GroupGeography)}, {name: mars.GroupTime, list: keys.KeysOf(mars.GroupTime)},
	{name: mars.GroupVertical, list: keys.KeysOf(mars.GroupVertical)}, {name: mars.GroupParameter, list: keys.KeysOf(mars.GroupParameter)},
}

// identification has the identification keys, and label keys that say the time. ownLabelKeys, which differ more often, are
// the others.
var (
	identification = sharedGroup{mars.GroupIdentification, keys.KeysNamed(slices.Concat(mars.IdentificationKeys(), timeLabelKeys)...), true}
	timeLabelKeys  = slices.DeleteFunc(mars.LabelKeys(), isOwnLabel)
	ownLabelKeys   = slices.DeleteFunc(mars.LabelKeys(), func(key string) bool { return !isOwnLabel(key) })
)

func isOwnLabel(key string) bool {
	return key == "typeOfLevel" || slices.Contains(mars.MemberKeys(), key)
}

// addTo files the keys of the group.
func (g *sharedGroup) addTo(attrs *mapping.Attributes, h *keys.Handle) error {
	switch made := h.Derive(g.list, g.make).(type) {
	case error:
		return made
	case *mapping.Attributes:
		attrs.Share(made)
	}
	return nil
}

// make returns the attributes of the group, or an error.
func (g *sharedGroup) make(list []keys.Key) any {
	attrs := new(mapping.Attributes)
	for _, k := range list {
		if k.Missing && !g.evenAbsent || tooLong(k.Value) {
			continue
		}
		if err := attrs.Set(g.name, k.Name, k.Value); err != nil {
			return err
		}
	}
	return attrs
}

// namespaceAttributes files the keys of one of ecCodes' namespaces.
func namespaceAttributes(attrs *mapping.Attributes, h *keys.Handle, space string) error {
	for _, k := range h.Namespace(space) {
		if k.Missing || tooLong(k.Value) {
			continue
		}
		if err := attrs.Set(space, k.Name, exactValue(h, space, k)); err != nil {
			return err
		}
	}
	return nil
}

// exactValue is the value of a key, with its fraction. ecCodes cuts the fraction off from the levels and
// places of ocean products in edition 1, which are integers by type.
func exactValue(h *keys.Handle, space string, k keys.Key) any {
	if _, ok := k.Value.(int64); !ok || space != mars.GroupMARS {
		return k.Value
	}
	if edition, err := h.Int("edition"); err != nil || edition != 1 {
		return k.Value
	}
	switch k.Name {
	case "levelist", "latitude", "longitude":
		if v, err := h.Float(k.Name); err == nil {
			return mapping.Number(v)
		}
	}
	return k.Value
}

func tooLong(v any) bool {
	switch a := v.(type) {
	case []int64:
		return len(a) > largestArray
	case []float64:
		return len(a) > largestArray
	}
	return false
}
