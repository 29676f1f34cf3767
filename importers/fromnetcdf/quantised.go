package fromnetcdf

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// fewestPacked is how many elements there must be for simple_packing: its parameters take
// more than it saves of fewer.
const fewestPacked = 16

// Packed implements importers.Values: it keeps the packed integers where simple_packing
// decodes them to exactly the values that unpacking gives, for every point.
//
// simple_packing computes reference + step·q with q ≥ 0 and step = 2^E·10^-D, unpacking v·scale +
// offset. These agree for v ≥ 0 with q = v when the scale is a power of two or of ten; for negative
// v the reference takes the least value up, and only a check of every value can report whether the
// roundings agree.
func (v *values) Packed(ctx context.Context, scratch *importers.Scratch) (*tgm.Packed, error) {
	few := v.count() < fewestPacked
	if v.packed == nil || v.packed.single || v.v.kind.class.IsFloat() || v.v.kind.inner != nil || few {
		return nil, nil
	}
	p := new(tgm.Packed)
	var ok bool
	if p.Params.BinaryScale, p.Params.DecimalScale, ok = stepOf(v.packed.scale); !ok {
		return nil, nil
	}
	if err := v.read(ctx, scratch, v.storedSize()); err != nil {
		return nil, err
	}
	switch v.v.kind.class {
	case netcdf.Byte:
		ok = quantise[int8](v, p)
	case netcdf.Short:
		ok = quantise[int16](v, p)
	case netcdf.Int:
		ok = quantise[int32](v, p)
	case netcdf.UByte:
		ok = quantise[uint8](v, p)
	case netcdf.UShort:
		ok = quantise[uint16](v, p)
	case netcdf.UInt:
		ok = quantise[uint32](v, p)
	default:
		ok = false
	}
	if !ok {
		return nil, nil // the numbers are read AsStored next, and are there
	}
	return p, nil
}

// largestDecimal is the largest power of ten that a float64 holds exactly.
const largestDecimal = 22

// stepOf writes scale as 2^e or as 10^-d with the very value that decoding computes, if it can.
func stepOf(scale float64) (e, d int, ok bool) {
	if scale <= 0 || math.IsInf(scale, 0) || math.IsNaN(scale) {
		return 0, 0, false
	}
	if fraction, exponent := math.Frexp(scale); fraction == 0.5 && exponent > -250 && exponent < 250 {
		return exponent - 1, 0, true
	}
	power := 1.0
	for d := 1; d <= largestDecimal; d++ {
		power *= 10
		if scale == 1/power {
			return 0, d, true
		}
	}
	return 0, 0, false
}

// quantise replaces the elements that were read by integers if these decode to the unpacked values. It works
// in their memory, and reports whether it did. If not, the elements are unchanged.
func quantise[T int8 | int16 | int32 | uint8 | uint16 | uint32](v *values, p *tgm.Packed) bool {
	fills := fillsOf[T](v.fills)
	low, high, any := rangeOf(v.raw, fills)
	if !any {
		return false
	}
	base := int64(0)
	p.Params.Reference = v.packed.offset
	if low < 0 {
		base, p.Params.Reference = int64(low), v.packed.unpack(float64(low))
	}
	if math.IsNaN(p.Params.Reference) || math.IsInf(p.Params.Reference, 0) {
		return false
	}
	// No wider than the elements, whose range must fit.
	p.Params.Bits = wholeBytes(uint64(int64(high) - base))
	exact := true
	eachBlock(v.raw, func(_ int, block []T) {
		for _, x := range block {
			if !exact {
				return
			}
			q := float64(int64(x) - base)
			exact = slices.Contains(fills, x) || p.Params.Reference+float64(v.packed.scale*q) == v.packed.unpack(float64(x))
		}
	})
	if !exact {
		return false
	}
	missing := newMissing(v.count())
	last := uint32(0) // repeated at missing points, where it costs least
	out := v.raw
	eachBlock(v.raw, func(first int, block []T) {
		for i, x := range block {
			if k := slices.Index(fills, x); k >= 0 {
				missing.set(first+i, k)
			} else {
				last = uint32(int64(x) - base)
			}
			block[i] = T(last)
		}
		out = putIntegers(out, block, p.Params.Bits/8)
	})
	p.Bits = v.raw[:len(v.raw)-len(out)]
	missing.values = elementBytes(fills, len(fills) < len(v.fills))
	p.Missing, v.holes = missing.mask, missing.holes
	return true
}

// putIntegers writes the integers in size bytes each, most significant first, and returns the rest of dst.
func putIntegers[T int8 | int16 | int32 | uint8 | uint16 | uint32](dst []byte, block []T, size int) []byte {
	switch size {
	case 1:
		for i, x := range block {
			dst[i] = byte(x)
		}
	case 2:
		for i, x := range block {
			binary.BigEndian.PutUint16(dst[2*i:], uint16(x))
		}
	case 3:
		for i, x := range block {
			q := uint32(x)
			dst[3*i], dst[3*i+1], dst[3*i+2] = byte(q>>16), byte(q>>8), byte(q)
		}
	default:
		for i, x := range block {
			binary.BigEndian.PutUint32(dst[4*i:], uint32(x))
		}
	}
	return dst[size*len(block):]
}

// rangeOf returns the least and the largest element that is no fill value; any says whether there
// is one.
func rangeOf[T element](raw []byte, fills []T) (low, high T, any bool) {
	eachBlock(raw, func(_ int, block []T) {
		for _, x := range block {
			switch {
			case slices.Contains(fills, x):
			case !any:
				low, high, any = x, x, true
			default:
				low, high = min(low, x), max(high, x)
			}
		}
	})
	return low, high, any
}

// wholeBytes is the least width of 8, 16, 24, 32 or more bits that holds q.
func wholeBytes(q uint64) int {
	bits := 8
	for q >= 1<<bits {
		bits += 8
	}
	return bits
}
