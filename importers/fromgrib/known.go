package fromgrib

import (
	"strings"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// Coded returns the keys of a message, in the types that ecCodes gives them.
func Coded(h *keys.Handle) mapping.Coded { return handleKeys{h} }

type handleKeys struct{ *keys.Handle }

func (c handleKeys) Text(key string) (string, bool) {
	v, err := c.String(key)
	return v, err == nil
}

func (c handleKeys) Int(key string) (int64, bool) {
	v, err := c.Handle.Int(key)
	return v, err == nil
}

func (c handleKeys) Real(key string) (float64, bool) {
	v, err := c.Float(key)
	return v, err == nil
}

func (c handleKeys) Value(key string) (any, bool) {
	v, err := c.Get(key)
	if err != nil || !mars.Present(v) {
		return nil, false
	}
	return mapping.Decoded(v), true
}

// laterKeys are the keys of a message that is read when one of them is asked for.
type laterKeys struct {
	keys    readers
	message func() ([]byte, error)
}

// ask calls read with the keys. It reports false if the message cannot be read.
func ask[T any](l laterKeys, read func(handleKeys) (T, bool)) (v T, ok bool) {
	message, err := l.message()
	if err != nil {
		return v, false
	}
	reader := l.keys.take()
	defer l.keys.give(reader)
	h, err := reader.Handle(message, nil)
	if err != nil {
		return v, false
	}
	return read(handleKeys{h})
}

func (l laterKeys) Text(key string) (string, bool) {
	return ask(l, func(h handleKeys) (string, bool) { return h.Text(key) })
}

func (l laterKeys) Int(key string) (int64, bool) {
	return ask(l, func(h handleKeys) (int64, bool) { return h.Int(key) })
}

func (l laterKeys) Real(key string) (float64, bool) {
	return ask(l, func(h handleKeys) (float64, bool) { return h.Real(key) })
}

func (l laterKeys) Value(key string) (any, bool) {
	return ask(l, func(h handleKeys) (any, bool) { return h.Value(key) })
}

// Coded returns the keys of ecCodes that an entry's sections say, nil if it keeps none. Keys of the bitmap and of
// the values are not among them.
func (e *Entries) Coded(entry mapping.Entry) mapping.Coded {
	message, base := entry.Maps()
	if kept, _ := base[mapping.KeyGRIB].(map[string]any); kept[mapping.GRIBSections] == nil {
		return nil
	}
	return laterKeys{e.keys, func() ([]byte, error) {
		header, err := headerOf(base, func() map[string]any { return message })
		if err != nil {
			return nil, err
		}
		return header.Message()
	}}
}

// Known returns the description of a field for clauses; the field must not change while it is used. Its Place is
// left to the caller.
func (l *Learned) Known(h *keys.Handle, f *grib.Field) *mapping.Known {
	c := &codedField{source: &Source{Learned: l}, keys: h, field: f}
	stored := func(key string) (any, bool) { return Stored(Coded(h), key) }
	return &mapping.Known{Lookup: c.lookup, Coded: Coded(h), Array: c.array, Stored: stored}
}

// Stored returns the encoding of a field in listings: its packing.
func Stored(coded mapping.Coded, key string) (any, bool) {
	if key != "encoding" {
		return nil, false
	}
	return coded.Text("packingType")
}

// A codedField makes of a field the metadata that it is asked for: most clauses are about keys of ecCodes, and few
// fields match them.
type codedField struct {
	source *Source
	keys   *keys.Handle
	field  *grib.Field
	entry  *mapping.Entry // nil before it is asked for
}

// labelSources are the keys of the message from which a label is made.
var labelSources = map[string][]string{
	mapping.KeyStep: {"endStep", "stepUnits"}, mapping.KeyStepUnits: {"endStep", "stepUnits"}, mapping.KeyNumber: mars.MemberKeys(),
	mapping.KeyLevelType: {"typeOfLevel"}, mapping.KeyReferenceTime: mars.LabelKeys(), mapping.KeyValidTime: mars.LabelKeys(),
}

// lookup is [mapping.Entry.Lookup] with the labels, without the keys that ecCodes has under the same name.
func (c *codedField) lookup(key string) (any, bool) {
	switch key {
	case mapping.KeyName:
		return nameOf(c.keys, c.field), true
	case mapping.KeyLevel:
		v, err := c.keys.Level(key)
		return mapping.Number(v), err == nil && v != keys.MissingFloat
	case mapping.KeyLongName, mapping.KeyStandardName:
		id, err := c.keys.Int("paramId")
		p, ok := mars.LookupParam(int(id))
		if key == mapping.KeyStandardName {
			return p.CFName, err == nil && ok && p.CFName != ""
		}
		return p.Name, err == nil && ok && p.Name != ""
	case mapping.KeyGeometry, mapping.KeyMARS, mapping.KeyProduct, mapping.KeyReproduction, mapping.MARSGrid, mapping.MARSArea,
		mapping.KeyTop, mapping.KeyBottom, mapping.KeyDims:
		return c.whole().Lookup(key)
	}
	if strings.Contains(key, ".") {
		return c.whole().Lookup(key)
	}
	sources := labelSources[key]
	if sources == nil {
		return nil, false
	}
	attrs := new(mapping.Attributes)
	for _, name := range sources {
		if err := setNative(attrs, c.keys, name); err != nil {
			return nil, false
		}
	}
	labels := mars.Labels(attrs)
	v, ok := labels.Map()[key]
	return v, ok
}

// whole is the entry that a conversion would write.
func (c *codedField) whole() mapping.Entry {
	if c.entry == nil {
		e := c.readEntry()
		c.entry = &e
	}
	return *c.entry
}

// readEntry makes the entry.
func (c *codedField) readEntry() mapping.Entry {
	attrs, err := c.source.attributes(c.keys, c.field)
	if err != nil {
		return mapping.Entry{}
	}
	labels := mars.Labels(attrs)
	g := c.grid()
	if g != nil {
		labels.Geometry = g.geometry
	}
	extras := labels.Map()
	describe(extras, c.keys)
	base, err := mapping.Base(nameOf(c.keys, c.field), attrs, extras, c.source.namespaces(nil)...)
	if err != nil {
		return mapping.Entry{}
	}
	if g != nil {
		base[mapping.KeyDims] = g.dims
	}
	return mapping.Read(mapping.Decoded(base).(map[string]any))
}

// grid is the grid of the field, nil if the number of its points is not known.
func (c *codedField) grid() *grid {
	points, err := c.field.NumberOfDataPoints()
	if err != nil {
		return nil
	}
	return c.source.grids.of(c.field, points)
}

// dtypeOf is the type of the elements that the values become.
func dtypeOf(f *grib.Field) tgm.DType {
	if f.SingleFloats() {
		return tgm.Float32
	}
	return tgm.Float64
}

func (c *codedField) array() mapping.ArrayKeys {
	a := mapping.ArrayKeys{DType: dtypeOf(c.field).String()}
	if g := c.grid(); g != nil {
		a.Dims = g.dims
		for _, n := range g.shape {
			a.Shape = append(a.Shape, uint64(n))
		}
	}
	return a
}
