package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/hyperslab"
	"github.com/tgmconv/tgmconv/tgm"
)

// parts are the rows of objects that a ref of the dataset stands for; nil for that of an object.
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
		fmt.Fprintf(h, "%q %d %d %d", version, p.First, p.Rows, p.Width)
		if p.Unpack != nil {
			fmt.Fprintf(h, " %+v", *p.Unpack)
		}
		fmt.Fprintln(h)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// readParts reads parts one after the other.
func (a *Archive) readParts(ctx context.Context, parts []dataset.Part, buffer []byte) (*tgm.Array, error) {
	shape := slices.Clone(a.Catalog.Entry(parts[0].Ref).Shape)
	if len(shape) == 0 { // a record that is one number
		array, err := a.Read(ctx, parts[0].Ref, buffer)
		return a.shown(parts[0], array, err)
	}
	shape[0] = 0
	for _, p := range parts {
		shape[0] += p.Rows
		shape[len(shape)-1] = max(shape[len(shape)-1], p.Width)
	}
	return a.readBlocks(ctx, parts, make([]uint64, len(shape)), shape, buffer)
}

// readBlocks reads a block of the array that parts are, one after the other.
func (a *Archive) readBlocks(ctx context.Context, parts []dataset.Part, start, count []uint64, buffer []byte) (*tgm.Array, error) {
	var all *tgm.Array
	at, end := uint64(0), start[0]+count[0] // rows of the parts
	for _, p := range parts {
		from, to := max(at, start[0]), min(at+p.Rows, end)
		if from < to {
			first, n := slices.Clone(start), slices.Clone(count)
			first[0], n[0] = p.First+from-at, to-from
			into := buffer
			if all != nil || n[0] < count[0] {
				into = nil
			}
			array, err := a.readPart(ctx, p.Ref, first, n, into)
			array, err = a.shown(p, array, err)
			switch {
			case err != nil:
				return nil, err
			case all == nil && into != nil:
				all = array
			case all == nil:
				all = &tgm.Array{Shape: slices.Clone(array.Shape), DType: array.DType, Data: append(buffer[:0], array.Data...)}
			case array.DType != all.DType || !slices.Equal(array.Shape[1:], all.Shape[1:]):
				return nil, a.Located(p.Ref, fmt.Errorf("elements of shape %v and type %s, expected those of %v and %s as in the file before", array.Shape, array.DType, all.Shape, all.DType))
			default:
				all.Shape[0] += array.Shape[0]
				all.Data = append(all.Data, array.Data...)
			}
		}
		at += p.Rows
	}
	if all == nil {
		return nil, fmt.Errorf("archive: a block of %d records from %d on, of %d", count[0], start[0], at)
	}
	return all, nil
}

// shown makes what was read of a part what its variable shows.
func (a *Archive) shown(p dataset.Part, array *tgm.Array, err error) (*tgm.Array, error) {
	if err == nil && p.Width > 0 {
		array, err = widened(array, p.Width)
		err = a.Located(p.Ref, err)
	}
	if err == nil && p.Unpack != nil {
		array, err = p.Unpack.Values(array)
		err = a.Located(p.Ref, err)
	}
	return array, err
}

// readPart reads a block of an object at the least cost, in the memory of buffer if it has room.
func (a *Archive) readPart(ctx context.Context, ref int, start, count []uint64, buffer []byte) (*tgm.Array, error) {
	shape := a.Catalog.Entry(ref).Shape
	whole := true
	for i, n := range shape {
		if start[i] > n || start[i] == n && n > 0 {
			return nil, a.Located(ref, fmt.Errorf("a block from %d on along axis %d, which has %d", start[i], i, n))
		}
		count[i] = min(count[i], n-start[i])
		whole = whole && count[i] == n
	}
	if whole {
		array, err := a.Read(ctx, ref, buffer)
		return a.checked(ref, array, shape, err)
	}
	rows := slices.Clone(shape)
	rows[0] = count[0]
	object, err := a.Object(ref)
	if err != nil {
		return nil, err
	}
	if object != nil {
		array, err := a.readRows(ref, object, start[0], rows, buffer)
		if err != nil {
			return nil, err
		}
		return trimmed(array, start, count), nil
	}
	block, err := a.BlockShape(ctx, ref)
	if err != nil {
		return nil, err
	}
	if block != nil {
		array, err := a.ReadBlock(ctx, ref, start, count, buffer)
		return a.checked(ref, array, count, err)
	}
	array, err := a.Read(ctx, ref, buffer)
	if array, err = a.checked(ref, array, shape, err); err != nil {
		return nil, err
	}
	row := len(array.Data) / int(shape[0])
	array = &tgm.Array{Shape: rows, DType: array.DType, Data: array.Data[row*int(start[0]) : row*int(start[0]+count[0])]}
	return trimmed(array, start, count), nil
}

// readRows reads rows of an object of a Tensogram file. Its hash is compared when the first of them
// are read.
func (a *Archive) readRows(ref int, object *tgm.Object, first uint64, rows []uint64, buffer []byte) (*tgm.Array, error) {
	if _, ok := a.hashed.Load(ref); !ok {
		if err := object.CheckHash(); err != nil {
			return nil, a.Located(ref, err)
		}
		a.hashed.Store(ref, true)
	}
	row := uint64(1)
	for _, n := range rows[1:] {
		row *= n // fits, because the object has elements
	}
	array, err := object.DecodeRange(first*row, rows[0]*row, tgm.DecodeOptions{ByteOrder: tgm.LittleEndian, SkipHash: true, Dst: buffer})
	if err != nil {
		return nil, a.Located(ref, err)
	}
	return a.checked(ref, &tgm.Array{DType: array.DType, Data: array.Data}, rows, nil)
}

// checked is what was read of an object, if it has the elements of a shape.
func (a *Archive) checked(ref int, array *tgm.Array, shape []uint64, err error) (*tgm.Array, error) {
	if err != nil {
		return nil, err
	}
	want := uint64(array.DType.Size())
	for _, n := range shape {
		want *= n
	}
	if uint64(len(array.Data)) != want {
		return nil, a.Located(ref, fmt.Errorf("%d bytes, expected %d of shape %v", len(array.Data), want, shape))
	}
	return &tgm.Array{Shape: slices.Clone(shape), DType: array.DType, Data: array.Data}, nil
}

// maxWidened bounds the bytes of an array that is made longer, so that what a damaged file claims
// does not take memory.
const maxWidened = 512 << 20

// widened is an array of bytes with zeros at the end of its last dimension, so that it has that
// length.
func widened(a *tgm.Array, length uint64) (*tgm.Array, error) {
	last := len(a.Shape) - 1
	n := a.Shape[last]
	if n >= length {
		return a, nil
	}
	rows := uint64(1)
	for _, n := range a.Shape[:last] {
		rows *= n // fits, unless n is 0
	}
	if n > 0 && uint64(len(a.Data)) != rows*n || length > maxWidened || rows > maxWidened/length {
		return nil, fmt.Errorf("texts of shape %v, which other texts of %d bytes make larger than %d bytes", a.Shape, length, maxWidened)
	}
	out := &tgm.Array{Shape: slices.Clone(a.Shape), DType: a.DType, Data: make([]byte, rows*length)}
	out.Shape[last] = length
	for i := range rows {
		copy(out.Data[i*length:], a.Data[i*n:(i+1)*n])
	}
	return out, nil
}

// trimmed is a block of whole rows without what lies outside of a smaller one along the axes after
// the first.
func trimmed(rows *tgm.Array, start, count []uint64) *tgm.Array {
	if slices.Equal(rows.Shape[1:], count[1:]) {
		return rows
	}
	out := &tgm.Array{Shape: slices.Clone(count), DType: rows.DType}
	if slices.Contains(count, 0) {
		return out
	}
	size := rows.DType.Size()
	n := uint64(size)
	for _, c := range count {
		n *= c // no more than the rows have
	}
	out.Data = make([]byte, n)
	origin := slices.Clone(start)
	origin[0] = 0
	hyperslab.Copy(hyperslab.At(out.Data, count, make([]uint64, len(count))), hyperslab.At(rows.Data, rows.Shape, origin), count, size)
	return out
}
