package fromnetcdf

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
)

// loaded are elements whose number is not known before they are read: text and sequences.
type loaded struct {
	importers.Plain
	field *importers.Field
	data  []byte
	null  []int64 // which texts are null pointers, see [mapping.NetCDF]
}

// Info implements importers.Values.
func (l *loaded) Info(form importers.Form) *array.Info {
	if form != importers.AsValues && form != importers.AsWritten {
		return nil
	}
	return importers.WholeInfo(l.field.Shape, l.field.DType)
}

// Read implements importers.Values.
func (l *loaded) Read(_ context.Context, _ importers.Form, _ array.Region, scratch *importers.Scratch) (importers.Elements, error) {
	data := scratch.Data(len(l.data))
	copy(data, l.data)
	return importers.Elements{Data: data}, nil
}

// textDim is the name of the dimension of text of a length.
func textDim(length int) string { return fmt.Sprintf("string%d", length) }

// load reads text or sequences, and returns the shape and the names of its dimensions.
func (p *part) load(ctx context.Context, s slab, shape []int, dims []string) (*loaded, []int, []string, error) {
	if p.form == asText {
		texts, err := p.v.ReadTexts(ctx, s.start, s.count)
		if err != nil {
			return nil, nil, nil, cause(err)
		}
		chars, width, err := texts.Chars()
		if err != nil {
			return nil, nil, nil, cause(err)
		}
		return &loaded{data: chars, null: nulls(texts, s.elements)}, append(shape, width), append(dims, textDim(width)), nil
	}
	ragged, err := p.v.ReadRagged(ctx, s.start, s.count)
	if err != nil {
		return nil, nil, nil, cause(err)
	}
	if p.form == asCounts {
		b := make([]byte, 0, 8*len(ragged.Counts))
		for _, n := range ragged.Counts {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		return &loaded{data: b}, shape, dims, nil
	}
	size := p.v.Type.Base.Size
	n := len(ragged.Values) / size
	if n > math.MaxInt/64 {
		return nil, nil, nil, fmt.Errorf("%d values in sequences", n)
	}
	shape, dims = []int{n}, []string{p.v.Name + "_values"}
	for _, inner := range p.kind.inner {
		shape, dims = append(shape, inner), nil
	}
	return &loaded{data: ragged.Values}, shape, dims, nil
}

// nulls lists which of n texts are null pointers, unless the list would be long.
func nulls(texts *netcdf.Texts, n int) []int64 {
	var list []int64
	for i := range n {
		last := len(list) - 2
		switch {
		case !texts.Null(i):
		case last >= 0 && list[last]+list[last+1] == int64(i):
			list[last+1]++
		case len(list) == maxRuns:
			return nil
		default:
			list = append(list, int64(i), 1)
		}
	}
	return list
}
