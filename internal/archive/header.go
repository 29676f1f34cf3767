package archive

import (
	"context"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
)

// AlongRows answers [dataset.Options] AlongRows by the header of an object.
func (a *Archive) AlongRows(ctx context.Context) func(ref int) (along, known bool) {
	return func(ref int) (along, known bool) {
		header, _, err := a.Header(ctx, ref)
		known = err == nil && header != nil
		return known && header.UVRelativeToGrid(), known
	}
}

// Header returns the header of the GRIB message that an object was, and the metadata of the object. In a
// Tensogram file these may have been edited since. The header is nil if there is none.
func (a *Archive) Header(ctx context.Context, ref int) (h grib.Header, entry mapping.Entry, err error) {
	e := a.Catalog.Entry(ref)
	if part, ok := e.Part(); ok {
		source, ok := a.sources[a.formatOf(&e)].(*fromgrib.Source)
		if !ok {
			return nil, entry, nil
		}
		err = a.readChecked(ctx, ref, func(*catalog.Entry) error {
			h, err = source.Header(ctx, part)
			return err
		})
		return h, entry, a.Located(ref, err)
	}
	object, err := a.Object(ref)
	if err != nil || object == nil || a.formatOf(&e) != importers.FormatTensogram {
		return nil, entry, err
	}
	shared, err := object.Message().SharedMetadata()
	if err != nil {
		return nil, entry, a.Located(ref, err)
	}
	base, err := object.Message().StoredBase(object.Index())
	if err != nil {
		return nil, entry, a.Located(ref, err)
	}
	entry = mapping.ReadIn(shared.Extra, base)
	sections, err := entry.Sections()
	if err != nil || sections == nil {
		return nil, entry, a.Located(ref, err)
	}
	return sections.Header, entry, nil
}
