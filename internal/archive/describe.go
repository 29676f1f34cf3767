package archive

import (
	"context"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// Sizes in bytes: up to which no field is read in blocks, and up to which a field is read without asking
// whether its file can hold it.
const (
	wholeField = 4 << 20
	freeField  = 64 << 20
)

// describe is the description of the array of a field of a source, read in a form. The array has no type
// if the source does not have that form.
func (a *Archive) describe(ctx context.Context, ref int, form importers.Form) (array.Info, error) {
	e := a.Catalog.Entry(ref)
	info := array.Info{Shape: e.Shape, DType: e.DType, Block: array.WholeBlock(e.Shape)}
	if e.Coordinate || form == importers.AsValues && (array.Region{Count: info.Block}).Elements() <= wholeField/16 { // whatever its type
		return info, nil
	}
	if x, known, err := a.knownIndex(ref); known || err != nil {
		if form == importers.AsSingle {
			info.DType = tgm.Float32
		}
		if x != nil {
			info.Block = nd.Rows(info.Shape, uint64(max(1, info.DType.Size())), rowBytes)
		}
		info.Fits = func(bytes uint64) error { // not asked before the array is read as a whole
			if bytes <= freeField {
				return nil
			}
			of, err := a.described(ctx, ref, form)
			if err == nil && of.Fits != nil {
				err = of.Fits(bytes)
			}
			return err
		}
		return info, err
	}
	return a.described(ctx, ref, form)
}

// described is describe from the description in the file.
func (a *Archive) described(ctx context.Context, ref int, form importers.Form) (array.Info, error) {
	e := a.Catalog.Entry(ref)
	info := array.Info{Shape: e.Shape, DType: e.DType, Block: array.WholeBlock(e.Shape)}
	err := a.readChecked(ctx, ref, func(e *catalog.Entry) error {
		part, _ := e.Part()
		source := a.sources[a.formatOf(e)]
		if source == nil {
			return gone(e.Where())
		}
		for f, err := range source.Read(ctx, part, nil) {
			if err != nil {
				return err
			}
			of := f.Values.Info(form)
			if of == nil {
				info = array.Info{}
				return nil
			}
			info.DType = of.DType
			if len(of.Block) == len(info.Block) {
				info.Block = of.Block
			}
			if fromgrib.HasParts(f) {
				info.Block = nd.Rows(info.Shape, uint64(max(1, info.DType.Size())), rowBytes)
			}
			if of.Fits != nil {
				info.Fits = func(bytes uint64) error {
					if bytes <= freeField {
						return nil
					}
					return a.Located(ref, of.Fits(bytes))
				}
			}
			return nil
		}
		return gone(e.Where())
	})
	return info, err
}

// formatOf is the format of the file of an entry.
func (a *Archive) formatOf(e *catalog.Entry) importers.Format {
	return importers.Format(a.states[e.File].Format)
}
