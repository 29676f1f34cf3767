package fromnetcdf

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// values reads the elements of a variable, or of one record.
type values struct {
	importers.Plain
	v      *variable
	slab   slab
	fills  []any    // int64, uint64 or float64: elements that mean a missing point
	packed *packing // nil when the elements are the values
	raw    []byte   // the elements, when they have been read already, at the end of out
	out    []byte   // room for the values
	shape  []int    // of the field
	kept   bool     // the packed numbers were kept
	holes  *holes   // the missing points found, when they have been looked for
	piece  bool     // the values are a part of others, which have the holes

	source *Source
	at     *importers.Part // where to find the variable again
}

func newValues(v *variable, s slab) (*values, []string) {
	vals := &values{v: v, slab: s}
	notes := attrNotes("", v.attrs)
	if v.kind.class == 0 {
		return vals, notes
	}
	var note string
	vals.packed, note = packingOf(v)
	if note != "" {
		notes = append(notes, note)
	}
	if !v.member && (vals.packed != nil || v.kind.class.IsFloat()) {
		for _, name := range []string{cf.AttrFillValue, cf.AttrMissingValue} {
			if a := vals.attr(name); a != nil {
				vals.fills = appendFills(vals.fills, a, v.kind.class)
			}
		}
	}
	return vals, notes
}

// attr returns an attribute as it describes the elements, or nil.
func (v *values) attr(name string) *netcdf.Attr { return findAttr(v.v.described(), name) }

func findAttr(list []netcdf.Attr, name string) *netcdf.Attr {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// appendFills adds the values of a that an element of class c can have, as such an element.
func appendFills(fills []any, a *netcdf.Attr, c netcdf.Class) []any {
	switch v := a.Value.(type) {
	case []int64:
		for _, x := range v {
			fills = appendFill(fills, float64(x), x, x >= 0, uint64(x), c)
		}
	case []uint64:
		for _, x := range v {
			fills = appendFill(fills, float64(x), int64(x), true, x, c)
		}
	case []float64:
		for _, x := range v {
			switch {
			case c.IsFloat():
				fills = appendFill(fills, x, 0, false, 0, c)
			case x == math.Trunc(x) && math.Abs(x) < 1<<53:
				fills = appendFill(fills, x, int64(x), x >= 0, uint64(int64(x)), c)
			}
		}
	}
	return fills
}

// appendFill adds one fill value: f as a float, i as a signed integer and, if natural, u as an unsigned
// integer.
func appendFill(fills []any, f float64, i int64, natural bool, u uint64, c netcdf.Class) []any {
	switch {
	case c == netcdf.Float:
		return append(fills, float64(float32(f)))
	case c.IsFloat():
		return append(fills, f)
	case c.Signed():
		if natural && i < 0 { // an unsigned number beyond int64
			return fills
		}
		return append(fills, i)
	case natural:
		return append(fills, u)
	}
	return fills
}

func (v *values) dtype() tgm.DType {
	if v.packed != nil {
		return v.packed.dtype()
	}
	return v.v.kind.dtype
}

// unpacked reports whether scale and offset are applied to the values.
func (v *values) unpacked() bool { return v.packed != nil && !v.kept }

// read stores the elements as the file has them at the end of size bytes of memory, for the values:
// unpacking goes from the beginning to the end, and never overwrites elements it has not read yet.
func (v *values) read(ctx context.Context, scratch *importers.Scratch, size int) error {
	opened, err := v.source.files.Acquire(ctx, v.at.Input)
	if err != nil {
		return err
	}
	defer opened.Release()
	p, err := opened.Parsed.find(v.at)
	if err != nil {
		return err
	}
	ours := v.v.v
	if p.v != ours && (p.v.Type.Size != ours.Type.Size || !slices.Equal(p.v.Shape(), ours.Shape())) {
		return errors.New("the file was opened again and has changed")
	}
	n := v.storedSize()
	v.out = scratch.Data(size)
	raw := v.out[size-n:]
	opened.Parsed.expect(p.v, v.slab)
	if p.reader != nil && p.reader.step > 0 {
		err = p.reader.read(ctx, raw, p.record)
	} else {
		err = p.v.Read(ctx, raw, v.slab.start, v.slab.count)
	}
	if err != nil {
		return cause(err)
	}
	v.raw = raw
	return nil
}

// storedSize is the bytes of the elements as the file has them.
func (v *values) storedSize() int { return v.slab.elements * v.v.v.Type.Size }

// keeps reports whether the packed numbers can be stored instead of the values. Floating-point
// numbers of two bytes, which netCDF does not have, and array types of others are unpacked.
func (v *values) keeps() bool {
	if v.packed == nil || !v.v.kind.class.IsFloat() {
		return v.packed != nil
	}
	return v.v.kind.class != netcdf.Half && v.v.kind.inner == nil
}

// stored reads the packed numbers, which the attributes of the variable describe.
func (v *values) stored(ctx context.Context, scratch *importers.Scratch) (importers.Elements, error) {
	if v.raw == nil {
		if err := v.read(ctx, scratch, v.storedSize()); err != nil {
			return importers.Elements{}, err
		}
	}
	v.kept = true
	out := importers.Elements{Data: v.raw}
	if v.v.kind.class.IsFloat() {
		missing := v.missing()
		v.convert(v.raw, nil, missing)
		out.Missing = missing.mask
	}
	return out, nil
}

// count is the number of numbers: the elements, and the numbers within each of them.
func (v *values) count() int {
	n := v.slab.elements
	for _, inner := range v.v.kind.inner {
		n *= inner
	}
	return n
}

// elements reads the values.
func (v *values) elements(ctx context.Context, scratch *importers.Scratch) (importers.Elements, error) {
	size := v.storedSize()
	if v.packed != nil {
		size = v.packed.size() * v.count()
	}
	if v.raw == nil || len(v.out) < size {
		if err := v.read(ctx, scratch, size); err != nil {
			return importers.Elements{}, err
		}
	}
	out, raw := importers.Elements{Data: v.out}, v.raw
	if v.packed == nil && len(v.fills) == 0 && !hasUnusualNaN(raw, v.v.kind.class) {
		return out, nil
	}
	missing := v.missing()
	v.convert(raw, out.Data, missing)
	out.Missing = missing.mask
	return out, nil
}

// missing begins to collect missing points.
func (v *values) missing() *missing {
	m := newMissing(v.count())
	if v.piece {
		m.holes = v.holes
	} else {
		v.holes = m.holes
	}
	return m
}

// convert marks the fill values of raw elements. For a packed variable it writes the unpacked values to dst,
// at whose end raw may lie.
func (v *values) convert(raw, dst []byte, missing *missing) {
	switch v.v.kind.class {
	case netcdf.Byte:
		convert[int8](v, raw, dst, missing)
	case netcdf.Short:
		convert[int16](v, raw, dst, missing)
	case netcdf.Int:
		convert[int32](v, raw, dst, missing)
	case netcdf.Int64:
		convert[int64](v, raw, dst, missing)
	case netcdf.UByte:
		convert[uint8](v, raw, dst, missing)
	case netcdf.UShort:
		convert[uint16](v, raw, dst, missing)
	case netcdf.UInt:
		convert[uint32](v, raw, dst, missing)
	case netcdf.UInt64:
		convert[uint64](v, raw, dst, missing)
	case netcdf.Float:
		convert[float32](v, raw, dst, missing)
	case netcdf.Double:
		convert[float64](v, raw, dst, missing)
	case netcdf.Half:
		convertHalf(v, raw, dst, missing)
	}
}

// element is a type of number that Go has too.
type element interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// blockLen is how many elements are converted at a time.
const blockLen = 2048

// convert marks the fill values of raw. Where the packed numbers are not kept, it writes the unpacked values
// to dst, at whose end raw may lie.
func convert[T element](v *values, raw, dst []byte, missing *missing) {
	fills := fillsOf[T](v.fills)
	missing.values = elementBytes(fills, len(fills) < len(v.fills))
	nan := slices.IndexFunc(fills, func(x T) bool { return x != x && floatBits(x) == missing.values.nan() })
	if nan < 0 {
		nan = len(fills) // not a fill value, and missing all the same
	}
	eachBlock(raw, func(first int, block []T) {
		for i, x := range block {
			if x != x {
				missing.set(first+i, missing.nanKind(floatBits(x), nan))
				continue
			}
			for k, fill := range fills {
				if x == fill {
					kind := k
					if bits := floatBits(x); bits != floatBits(fill) { // -0
						kind = missing.otherKind(bits, k)
					}
					missing.set(first+i, kind)
					break
				}
			}
		}
		if !v.unpacked() {
			return
		}
		for i, x := range block {
			v.packed.put(dst, first+i, float64(x))
		}
	})
}

// eachBlock hands the elements of raw to do, a block at a time with the index of its first.
func eachBlock[T element](raw []byte, do func(first int, block []T)) {
	var buf [blockLen]T
	size := binary.Size(buf[0])
	for first := 0; len(raw) > 0; first += blockLen {
		block := buf[:min(blockLen, len(raw)/size)]
		n := len(block) * size
		// There are exactly as many bytes as the block takes: fewer would be an error, and of more
		// Decode stores all in an []int8.
		_, _ = binary.Decode(raw[:n], binary.LittleEndian, block)
		raw = raw[n:]
		do(first, block)
	}
}

func fillsOf[T element](list []any) []T {
	fills := make([]T, 0, len(list))
	for _, f := range list {
		switch x := f.(type) {
		case int64:
			if v := T(x); int64(v) == x {
				fills = append(fills, v)
			}
		case uint64:
			if v := T(x); uint64(v) == x {
				fills = append(fills, v)
			}
		case float64:
			fills = append(fills, T(x))
		}
	}
	return fills
}

// convertHalf is convert for floats of two bytes, which Go does not have.
func convertHalf(v *values, raw, dst []byte, missing *missing) {
	for i := range len(raw) / 2 {
		x := half.Float64(binary.LittleEndian.Uint16(raw[2*i:]))
		for _, f := range v.fills {
			if fill, ok := f.(float64); ok && (x == fill || x != x && fill != fill) {
				missing.set(i, 0)
				break
			}
		}
		if v.packed != nil {
			v.packed.put(dst, i, x)
		}
	}
}
