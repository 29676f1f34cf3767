package dataset

import "github.com/tgmconv/tgmconv/internal/catalog"

// BuildCatalog builds a dataset of all entries of a catalogue. Refs are the numbers of the entries.
// The catalogue must not change while the dataset is in use.
func BuildCatalog(c *catalog.Catalog, opts Options) (*Dataset, error) {
	b := newBuilder(&opts)
	b.report.locate = func(ref int) string { e := c.Entry(ref); return e.Where() }
	b.report.fates = make([]fate, 0, c.Len())
	kinds := make([]*entryKind, c.Kinds())
	for ref, e := range c.All() {
		k := kinds[e.Kind]
		if k == nil {
			k = &entryKind{role: roleOf(e.Base)}
			kinds[e.Kind] = k
		}
		b.addEntry(ref, &e, k)
	}
	for _, f := range c.Files() {
		for _, message := range f.Bare {
			b.bare = append(b.bare, bareFile{f.Name, message})
		}
	}
	return b.finish()
}

// An entryKind tells how entries of a kind are used.
type entryKind struct {
	role   role
	common *common // of fields; nil before the first
}

func (b *builder) addEntry(ref int, e *catalog.Entry, k *entryKind) {
	b.report.add(ref)
	object := func() Object {
		return Object{Ref: ref, File: e.File, Message: e.Message, Index: e.Object, Base: e.Base, Shape: e.Shape, DType: e.DType, record: e.Record}
	}
	switch {
	case k.role == roleCoordinate:
		b.report.computed(ref)
	case k.role == roleNetCDF:
		b.netcdf = append(b.netcdf, object())
	case k.role == roleOther:
		b.addOther(object())
	case k.role == rolePlain && !e.Labels.ReferenceTime.Known:
		b.plain = append(b.plain, object())
	default:
		if k.common == nil {
			k.common = b.maker.common(e.Base, e.Shape, e.DType)
		}
		b.addField(b.maker.field(ref, k.common, &e.Labels))
	}
}
