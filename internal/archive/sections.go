package archive

import (
	"context"
	"fmt"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/mapping"
)

// KeepSections adds the header of its first GRIB message to the attributes of each variable of fields. The
// attribute is [mapping.AttrSections], from which to-grib takes the keys and the packing again.
func (a *Archive) KeepSections(ctx context.Context) error {
	for _, g := range a.Set.Groups {
		if !g.OfFields() {
			continue
		}
		for _, v := range g.Variables {
			if v.Coordinate || v.Computed() {
				continue
			}
			header, err := a.FirstHeader(ctx, v)
			if err != nil {
				return fmt.Errorf("variable %s: %w", v.Name, err)
			}
			if header != nil {
				v.Attrs = append(v.Attrs, dataset.Attribute{Key: mapping.AttrSections, Value: mapping.HeaderText(header)})
				if runs := fieldRuns(v); len(runs) > 1 {
					v.Attrs = append(v.Attrs, dataset.Attribute{Key: mapping.AttrFieldRuns, Value: runs})
				}
			}
		}
	}
	return nil
}

// FirstHeader returns the header of the message that the first chunk of a variable was, nil if there is none.
func (a *Archive) FirstHeader(ctx context.Context, v *dataset.Variable) (grib.Header, error) {
	for _, r := range v.Refs() {
		ref := int(r)
		if ref < 0 || a.Presence(ref) != dataset.There {
			continue
		}
		for parts := a.Set.Parts(ref); len(parts) > 0; parts = a.Set.Parts(ref) {
			ref = parts[0].Ref
		}
		header, _, err := a.Header(ctx, ref)
		return header, err
	}
	return nil, nil
}

// fieldRuns are the lengths of runs of positions with and without a field, in turns. It is nil if a chunk is not a field.
func fieldRuns(v *dataset.Variable) (runs []int64) {
	whole := len(v.Shape)
	for whole > 0 && v.Chunk[whole-1] == v.Shape[whole-1] {
		whole--
	}
	for _, n := range v.Chunk[:whole] {
		if n != 1 {
			return nil
		}
	}
	for _, ref := range v.Refs() {
		if len(runs) == 0 {
			runs = append(runs, 0)
		}
		if (ref >= 0) != (len(runs)%2 == 1) {
			runs = append(runs, 0)
		}
		runs[len(runs)-1]++
	}
	return runs
}
