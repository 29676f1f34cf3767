package grib

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/narrow"
)

// ccsds is CCSDS packing (template 5.42): the integers of simple packing through the adaptive
// entropy coder.
type ccsds struct {
	packing
	data   []byte
	params aec.Params
}

// readCCSDS reads octets 22 to 25 of section 5: flags, block size, reference sample interval(2).
func readCCSDS(f *Field, k packing, data []byte) (coded, error) {
	b := f.sections[5].Data
	c := ccsds{k, data, aec.Params{BitsPerSample: k.bits, Flags: aec.Flags(b[21]), BlockSize: int(b[22]), RSI: be16(b, 23)}}
	if k.bits == 0 {
		return c, nil
	}
	if err := c.params.Validate(); err != nil {
		return nil, err
	}
	// A block costs at least an identifier bit or a share of a run of zero blocks. No stream holds
	// more blocks than 64 to a bit.
	if blocks := k.n / c.params.BlockSize; blocks/64/8 > len(data) {
		return nil, fmt.Errorf("%d values do not fit %d bytes of data", k.n, len(data))
	}
	return c, nil
}

func (c ccsds) decode(dst []float64) (*bitmask.Mask, error) {
	if v, ok := c.constant(); ok {
		fill(dst, v)
		return nil, nil
	}
	scale := c.scale()
	return nil, aec.DecodePieces(len(dst), c.data, c.params, func(samples []uint32) {
		scale.Uint32s(dst[:len(samples)], samples)
		dst = dst[len(samples):]
	})
}

// decodeFloat32 fills dst with the values of decode, rounded.
func (c ccsds) decodeFloat32(dst []float32) error {
	if v, ok := c.constant(); ok {
		fill(dst, float32(v))
		return nil
	}
	scale := c.scale()
	var values [pieceValues]float64
	return aec.DecodePieces(len(dst), c.data, c.params, func(samples []uint32) {
		for len(samples) > 0 {
			piece := values[:min(len(values), len(samples))]
			scale.Uint32s(piece, samples)
			narrow.Float32s(dst[:len(piece)], piece)
			dst, samples = dst[len(piece):], samples[len(piece):]
		}
	})
}

func (c ccsds) integers(dst []uint32) (*bitmask.Mask, error) {
	return nil, aec.DecodeUint32(dst, c.data, c.params)
}

func (c ccsds) raw(q *Quantised) bool {
	if c.params.Flags&aec.Signed != 0 {
		return false
	}
	q.AEC = &aec.Stream{Data: c.data, BlockSize: c.params.BlockSize, RSI: c.params.RSI, Flags: uint8(c.params.Flags)}
	return true
}
