package grib

import (
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
	"github.com/tgmconv/tgmconv/grib/internal/scale"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/narrow"
)

func (k packing) count() int { return k.n }

func (k packing) linear() packing { return k }

func (k packing) scale() scale.Scale { return scale.New(k.r, k.e, k.d) }

// constant returns the value of a field whose integers have no bits. It is the reference value:
// ecCodes does not apply the decimal scale to it.
func (k packing) constant() (float64, bool) { return k.r, k.bits == 0 }

// fill makes every element of dst v.
func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// simple is simple packing: one integer after the other.
type simple struct {
	packing
	data []byte
}

func newSimple(k packing, data []byte) (simple, error) {
	if k.bits > bits.MaxWidth {
		return simple{}, fmt.Errorf("%d bits a value, expected at most %d", k.bits, bits.MaxWidth)
	}
	if !bits.Fits(data, 0, k.n, k.bits) {
		return simple{}, fmt.Errorf("%d values of %d bits do not fit %d bytes of data", k.n, k.bits, len(data))
	}
	return simple{k, data}, nil
}

func (s simple) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := s.constant(); ok {
		fill(dst, v)
	} else {
		s.scale().Packed(dst, s.data, s.bits)
	}
	return nil, nil
}

// decodeFloat32 fills dst with the values of decode, rounded.
func (s simple) decodeFloat32(dst []float32) {
	if v, ok := s.constant(); ok {
		fill(dst, float32(v))
		return
	}
	unpack := s.scale().Unpacker(s.bits, len(dst))
	var values [pieceValues]float64 // of whole bytes
	for data := s.data; len(dst) > 0; {
		piece := values[:min(len(values), len(dst))]
		unpack(piece, data)
		narrow.Float32s(dst[:len(piece)], piece)
		dst, data = dst[len(piece):], data[len(piece)*s.bits/8:]
	}
}

func (s simple) integers(dst []uint32) (*bitmask.Mask, error) {
	if s.bits <= 32 {
		bits.Unpack(dst, s.data, 0, s.bits)
		return nil, nil
	}
	for i := range dst {
		q := bits.Uint(s.data, i*s.bits, s.bits)
		if q > math.MaxUint32 {
			return nil, ErrNotQuantised
		}
		dst[i] = uint32(q)
	}
	return nil, nil
}

func (s simple) raw(q *Quantised) bool {
	if s.bits > 32 {
		return false
	}
	size := (s.n*s.bits + 7) / 8
	q.Packed = s.data[:size:size]
	return true
}
