package tgm

import (
	"context"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// rangeBytes is about the fewest bytes that are decoded of an object that has ranges. Parts are
// whole rows, because elements that are far from each other take as many blocks of the codec.
const rangeBytes = 64 << 10

// Array returns the object as an array that is read in parts. The elements of a bitmask are 0 and 1,
// of type Uint8.
//
// The hash of the object is compared when all elements are read. Before a part is read, check is
// called, such as [Object.CheckHash]. With nil, no hash is compared.
func (o *Object) Array(check func() error) array.Array {
	a := &objectArray{o: o, check: check, info: array.Info{Shape: o.desc.Shape, DType: o.desc.DType}}
	if a.info.DType == Bitmask {
		a.info.DType = Uint8
	}
	a.inParts = o.HasRanges()
	a.info.Fits = a.fits
	if a.inParts {
		a.info.Block = nd.Rows(a.info.Shape, uint64(a.info.DType.Size()), rangeBytes)
	} else {
		a.info.Block = array.WholeBlock(a.info.Shape)
	}
	return a
}

type objectArray struct {
	o     *Object
	check func() error
	info  array.Info

	inParts bool
}

func (a *objectArray) Info() *array.Info { return &a.info }

// fits compares a size with the limits of the file, and with the payload.
func (a *objectArray) fits(bytes uint64) error {
	p, err := newPayloadDecoder(a.o.desc, a.o.payload, a.o.msg.limits)
	switch {
	case err != nil:
	case a.inParts:
		err = p.checkExpansionFrom(constantFloor, int64(min(bytes, math.MaxInt64)), a.o.payload, a.o.msg)
	default: // it is decoded as a whole
		err = p.checkExpansion(int64(p.size), a.o.payload, a.o.msg)
	}
	return locate(err, a.o.where())
}

// Read implements [array.Array].
func (a *objectArray) Read(ctx context.Context, r array.Region, dst []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var read *Array
	var err error
	if slices.Equal(r.Count, a.info.Shape) {
		read, err = a.o.Decode(DecodeOptions{ByteOrder: LittleEndian, SkipHash: a.check == nil, Dst: dst})
	} else if err = a.checked(); err == nil {
		axes := make([]Slice, len(r.Count))
		for i, n := range r.Count {
			axes[i] = Slice{Start: r.Start[i], Stop: r.Start[i] + n}
		}
		read, err = a.o.DecodeSlice(axes, DecodeOptions{ByteOrder: LittleEndian, SkipHash: true, Dst: dst})
	}
	switch {
	case err != nil:
		return err
	case read.DType == Bitmask:
		for i := len(dst) - 1; i >= 0; i-- { // from the last on: the bits lie where the first elements go
			dst[i] = read.Data[i/8] >> (7 - i%8) & 1
		}
	case &read.Data[0] != &dst[0]: // the array was larger than its elements for a while
		copy(dst, read.Data)
	}
	return nil
}

// Pick implements [array.Array].
func (a *objectArray) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	if err := ctx.Err(); err != nil || !a.inParts {
		return false, err
	}
	if err := a.checked(); err != nil {
		return false, err
	}
	return true, locate(a.o.pick(dst, at), a.o.where())
}

func (a *objectArray) checked() error {
	if a.check == nil {
		return nil
	}
	return a.check()
}

// Single implements [array.Array].
func (a *objectArray) Single() array.Array { return nil }

// Coded implements [array.Array].
func (a *objectArray) Coded(ctx context.Context, buffer []uint32) (*array.Coded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q, err := a.o.Packed()
	if err == ErrNotPacked || err == nil && (q.Params.Bits == 0 || q.Params.Bits > 32 || q.Missing.Any()) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	n := int(a.info.Whole().Elements())
	if cap(buffer) < n {
		buffer = make([]uint32, n)
	}
	buffer = buffer[:n]
	switch {
	case q.AEC != nil:
		err = aec.DecodeUint32(buffer, q.AEC.Data, q.AEC.Params(q.Params.Bits))
	case q.Samples != nil:
		copy(buffer, q.Samples)
	default:
		err = packing.UnpackUint32(buffer, q.Bits, q.Params.Bits)
	}
	values := func(dst []float64, integers []uint32) {
		for i, k := range integers {
			dst[i] = q.Params.Value(uint64(k))
		}
	}
	return &array.Coded{Integers: buffer, Bits: q.Params.Bits, Values: values}, locate(err, a.o.where())
}

// Packing implements [array.Array].
func (a *objectArray) Packing(context.Context, array.Region) (*array.Packing, error) {
	return a.o.desc.Packing(), nil
}
