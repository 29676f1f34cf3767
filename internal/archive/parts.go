package archive

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
)

// parts are the rows of objects that a ref of the dataset stands for. It is nil for the ref of an object.
func (a *Archive) parts(ref int) []dataset.Part {
	if a.Set == nil {
		return nil
	}
	return a.Set.Parts(ref)
}

// partsVersion identifies the state of the files that hold parts; "" if one is not known.
func (a *Archive) partsVersion(parts []dataset.Part) string {
	h := sha256.New()
	for _, p := range parts {
		version := a.Version(p.Ref)
		if version == "" {
			return ""
		}
		fmt.Fprintf(h, "%q %s\n", version, p.Key())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// join is the array that parts are, one after the other.
func (a *Archive) join(ctx context.Context, parts []dataset.Part) (array.Array, error) {
	arrays := make([]array.Array, len(parts))
	for i := range parts {
		p := &parts[i]
		var err error
		if arrays[i] = a.goneRows(p); arrays[i] == nil {
			arrays[i], err = p.Array(ctx, a)
		}
		if err != nil {
			return nil, a.Located(p.Ref, err)
		}
		info, before := arrays[i].Info(), arrays[0].Info()
		if len(info.Shape) == 0 { // a record that is one number
			return arrays[i], nil
		}
		if info.DType != before.DType || len(before.Shape) == 0 || !slices.Equal(info.Shape[1:], before.Shape[1:]) {
			return nil, a.Located(p.Ref, fmt.Errorf("elements of shape %v and type %s, expected shape %v and type %s as in the file before", info.Shape, info.DType, before.Shape, before.DType))
		}
	}
	return array.Join(0, arrays...)
}

// goneRows are the rows of a part that is gone, where NaN can mark them; else nil.
func (a *Archive) goneRows(p *dataset.Part) array.Array {
	if !a.isGone(p.Ref) {
		return nil
	}
	e := a.Catalog.Entry(p.Ref)
	dtype, shape := e.DType, slices.Clone(e.Shape)
	if p.Unpack != nil {
		dtype = p.Unpack.To
	}
	switch {
	case p.Take != nil:
		shape = p.Take.Extent()
	case len(shape) > 0:
		shape[0] = p.Rows
	}
	switch dtype {
	case tgm.Float32:
		return array.Const(shape, dtype, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN()))))
	case tgm.Float64:
		return array.Const(shape, dtype, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN())))
	}
	return nil
}
