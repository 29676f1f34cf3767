package togrib

import (
	"errors"
	"math"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/tgm"
)

// encoding is the packing that the keys of an object without sections give.
type encoding struct {
	packing       Packing
	bits, decimal int
}

// encoding returns the packing that the keys give.
func (b *builder) encoding() *encoding {
	e := &encoding{bits: int(b.integer(0, "bitsPerValue")), decimal: int(b.integer(0, "decimalScaleFactor"))}
	switch b.text("packingType") {
	case "grid_simple", "spectral_simple":
		e.packing = PackSimple
	case "grid_ieee":
		e.packing = PackIEEE
	default:
		e.packing = PackCCSDS
	}
	return e
}

// encoder completes the encoder of a message that is built of keys.
func (k *encoding) encoder(e grib.Encoder, opts *Options, editionOne bool) (grib.Encoder, error) {
	e.DecimalScale = k.decimal
	if opts.Bits == 0 && k.bits > 0 && k.bits <= 32 {
		e.Bits = k.bits
	}
	packing := opts.Packing
	if packing == PackSource {
		packing = k.packing
	}
	f := field{opts: &Options{Packing: packing}}
	if editionOne && opts.Packing == PackSource {
		f.opts.Packing = PackSimple
	}
	return f.choose(e, true, editionOne)
}

// ownIntegers returns the integers of an object that is packed in a way that GRIB can hold, else
// errOther.
func (f *field) ownIntegers() (*grib.Quantised, error) {
	if f.read != nil {
		return f.slicedIntegers()
	}
	packed, err := f.maker.packed(f.object)
	if errors.Is(err, tgm.ErrNotPacked) {
		return nil, errOther
	}
	if err != nil {
		return nil, err
	}
	p := packed.Params
	n, _ := f.object.Descriptor().Elements()
	reference := p.Reference * math.Pow10(p.DecimalScale)
	if p.Bits > 32 || float64(float32(reference)) != reference || p.Bits == 0 && p.DecimalScale != 0 || f.header.Edition() == 1 {
		return nil, errOther
	}
	q := &grib.Quantised{N: int(n), Reference: reference, BinaryScale: p.BinaryScale, DecimalScale: p.DecimalScale, Bits: p.Bits}
	return f.inScanningOrder(q, packed)
}

// slicedIntegers returns the integers that the values of a slice were decoded from, if GRIB can hold them, else errOther.
func (f *field) slicedIntegers() (*grib.Quantised, error) {
	p := f.packing
	if p == nil || p.Bits < 1 || p.Bits > 32 || f.header.Edition() == 1 {
		return nil, errOther
	}
	reference := p.Reference * math.Pow10(p.DecimalScale)
	if float64(float32(reference)) != reference {
		return nil, errOther
	}
	q, err := f.requantise(&grib.Quantised{Reference: reference, BinaryScale: p.BinaryScale, DecimalScale: p.DecimalScale, Bits: p.Bits})
	if err == nil && q.Bits > p.Bits {
		return nil, errOther
	}
	return q, err
}

// inScanningOrder adds the integers of an object and their mask to q, in the order of the message.
func (f *field) inScanningOrder(q *grib.Quantised, packed *tgm.Packed) (*grib.Quantised, error) {
	q.Packed, q.AEC = packed.Bits, packed.AEC
	var err error
	if q.Missing, err = restoreMask(f.grid, packed.Missing); err != nil || q.Bits == 0 || f.grid == nil || !f.grid.NeedsReorder() {
		return q, err
	}
	samples, err := q.Unpacked()
	if err != nil {
		return nil, err
	}
	q.Packed, q.AEC = nil, nil
	q.Samples, err = geometry.Restore(f.grid, samples)
	return q, err
}
