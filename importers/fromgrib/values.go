package fromgrib

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/narrow"
	"github.com/tgmconv/tgmconv/tgm"
)

// values reads the values of a field in the order of its grid.
type values struct {
	importers.Plain
	field  *grib.Field
	grid   *grid
	points int
	dtype  tgm.DType
}

// Info implements importers.Values. GRIB decodes to float32 at once.
func (v *values) Info(form importers.Form) *array.Info {
	switch {
	case form == importers.AsValues:
	case form == importers.AsSingle && v.dtype == tgm.Float64:
		return importers.WholeInfo(v.grid.shape, tgm.Float32)
	default:
		return nil
	}
	info := importers.WholeInfo(v.grid.shape, v.dtype)
	info.Fits = func(uint64) error { return v.field.CheckDecode() }
	return info
}

// Read implements importers.Values.
func (v *values) Read(_ context.Context, form importers.Form, _ array.Region, scratch *importers.Scratch) (importers.Elements, error) {
	if err := v.field.CheckDecode(); err != nil {
		return importers.Elements{}, err
	}
	if form == importers.AsSingle {
		return v.singles(scratch)
	}
	if v.dtype != tgm.Float32 && !v.grid.reorders() {
		return v.float64s(scratch.Data(8 * v.points))
	}
	decoded, missing, err := ordered(v, scratch.Floats(v.points), v.field.Decode)
	if err != nil {
		return importers.Elements{}, err
	}
	out := importers.Elements{Data: scratch.Data(v.dtype.Size() * len(decoded)), Missing: missing}
	narrow.Put(out.Data, decoded, v.dtype == tgm.Float32)
	return out, nil
}

// singles decodes to float32.
func (v *values) singles(scratch *importers.Scratch) (importers.Elements, error) {
	data := scratch.Data(4 * v.points)
	memory, err := tgm.Values[float32](&tgm.Array{DType: tgm.Float32, ByteOrder: tgm.LittleEndian, Data: data})
	if err != nil {
		return importers.Elements{}, err
	}
	decoded, missing, err := ordered(v, memory, v.field.DecodeFloat32)
	if err != nil {
		return importers.Elements{}, err
	}
	return importers.Elements{Data: inPlace(data, decoded, putFloat32s), Missing: missing}, nil
}

// ordered decodes values to dst and puts them into the order of rows.
func ordered[T any](v *values, dst []T, decode func([]T) ([]T, *tgm.Mask, error)) ([]T, *tgm.Mask, error) {
	decoded, missing, err := decode(dst)
	if err != nil || !v.grid.reorders() {
		return decoded, missing, err
	}
	if decoded, err = geometry.Reorder(v.grid.Grid, decoded); err != nil {
		return nil, nil, err
	}
	missing, err = v.reorderMask(missing)
	return decoded, missing, err
}

// float64s decodes straight to data, which has room for all points.
func (v *values) float64s(data []byte) (importers.Elements, error) {
	memory, err := tgm.Values[float64](&tgm.Array{DType: tgm.Float64, ByteOrder: tgm.LittleEndian, Data: data})
	if err != nil {
		return importers.Elements{}, err
	}
	decoded, missing, err := v.field.Decode(memory)
	if err != nil {
		return importers.Elements{}, err
	}
	return importers.Elements{Data: inPlace(data, decoded, putFloat64s), Missing: missing}, nil
}

// inPlace returns decoded values as bytes: data if they were decoded there, else data or larger
// memory, to which put writes them.
func inPlace[T float32 | float64](data []byte, decoded []T, put func(data []byte, values []T)) []byte {
	// Where the order of bytes or the number of values is another, they are not in data yet.
	array := tgm.ArrayOf(decoded)
	if len(array.Data) > len(data) {
		data = make([]byte, len(array.Data))
	}
	data = data[:len(array.Data)]
	if len(data) > 0 && (array.ByteOrder != tgm.LittleEndian || &array.Data[0] != &data[0]) {
		put(data, decoded)
	}
	return data
}

func putFloat32s(data []byte, values []float32) {
	for i, x := range values {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(x))
	}
}

func putFloat64s(data []byte, values []float64) { narrow.Put(data, values, false) }

func (v *values) reorderMask(missing *tgm.Mask) (*tgm.Mask, error) {
	if missing == nil {
		return nil, nil
	}
	bits, err := v.grid.ReorderBits(missing.Bits)
	return &tgm.Mask{N: missing.N, Bits: bits}, err
}

// largestScale bounds tgm's binary scale factor in either direction.
const largestScale = 256

// Packed implements importers.Values. GRIB computes (reference + q·2^E)·10^-D, Tensogram
// reference' + 2^E·10^-D·q: the same value, bit for bit when D is 0 and rounded in other places
// when it is not.
func (v *values) Packed(_ context.Context, _ *importers.Scratch) (*tgm.Packed, error) {
	read := v.field.Quantised
	if v.grid.reorders() {
		read = v.field.Integers
	}
	q, err := read()
	if err == nil && q.Samples == nil && q.Bits > 0 && stepError(q) != 0 {
		q, err = v.field.Integers() // referenceShift asks for the largest
	}
	if errors.Is(err, grib.ErrNotQuantised) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reference := float64(q.Reference * decimalPower(-q.DecimalScale)) // rounded before anything is added
	if max(q.BinaryScale, -q.BinaryScale, q.DecimalScale, -q.DecimalScale) > largestScale || math.IsNaN(reference) || math.IsInf(reference, 0) {
		return nil, nil
	}
	p := &tgm.Packed{Missing: q.Missing}
	p.Params.Reference = reference + referenceShift(q)
	if q.Bits == 0 {
		if v.grid.reorders() {
			p.Missing, err = v.reorderMask(q.Missing)
		}
		return p, err
	}
	p.Params.BinaryScale, p.Params.DecimalScale, p.Params.Bits = q.BinaryScale, q.DecimalScale, q.Bits
	if v.grid.reorders() {
		return p, v.reorderIntegers(p, q)
	}
	switch {
	case q.Packed != nil:
		p.Bits = q.Packed
	case q.AEC != nil:
		p.AEC = q.AEC
	default:
		p.Samples = q.Samples
		repeatAtMissing(p.Samples, q.Missing)
		v.dropZeroBits(p)
	}
	return p, nil
}

// reorderIntegers puts the integers into the order of rows.
func (v *values) reorderIntegers(p *tgm.Packed, q *grib.Quantised) (err error) {
	if p.Samples, err = geometry.Reorder(v.grid.Grid, q.Samples); err != nil {
		return err
	}
	if p.Missing, err = v.reorderMask(q.Missing); err != nil {
		return err
	}
	repeatAtMissing(p.Samples, p.Missing)
	v.dropZeroBits(p)
	return nil
}

// recoded reports whether to-grib codes the values in another packing than the source did: complex,
// JPEG 2000, PNG, second order and other packings that it does not write.
func (v *values) recoded() bool { return !v.field.Header().Rebuilds() }

// storedBytes is the size of the data in the source. It is 0 for data that to-grib makes again from
// the integers: these are copied or take fewer bytes than in the source.
func (v *values) storedBytes() int64 {
	if !v.recoded() {
		return 0
	}
	return int64(len(v.field.Data()))
}

// dropZeroBits drops the lowest bits of the integers where they are 0 in all of them. The integers become
// shorter, and the scale as much larger. No value changes: a power of two scales without rounding, unless the
// result is too small or too large for a float64, which the limit of the decimal scale excludes.
func (v *values) dropZeroBits(p *tgm.Packed) {
	if !v.recoded() || max(p.Params.DecimalScale, -p.Params.DecimalScale) > largestScale/2 {
		return
	}
	all := uint32(0)
	for _, q := range p.Samples {
		all |= q
	}
	drop := bits.TrailingZeros32(all)
	if all == 0 || drop == 0 || p.Params.BinaryScale+drop > largestScale {
		return
	}
	for i := range p.Samples {
		p.Samples[i] >>= drop
	}
	p.Params.Bits -= drop
	p.Params.BinaryScale += drop
}

// referenceShift makes up for the powers of ten. ecCodes divides by ten again and again, which for
// D from 6 on gives up to two units in the last place more than the 10^-D of a Tensogram decoder,
// an error that grows with q. Half of the largest error, added to the reference, leaves each value
// with no more than that half.
func referenceShift(q *grib.Quantised) float64 {
	if q.Bits == 0 || q.Samples == nil {
		return 0
	}
	return float64(stepError(q) * float64(slices.Max(q.Samples)) / 2)
}

// stepError is the excess of the step between two values for ecCodes over the step for a Tensogram decoder.
// Powers of ten above 1 are the same for both.
func stepError(q *grib.Quantised) float64 {
	if q.DecimalScale <= 0 {
		return 0
	}
	theirs, ours := decimalPower(-q.DecimalScale), 1/decimalPower(q.DecimalScale)
	return math.Ldexp(theirs, q.BinaryScale) - math.Ldexp(ours, q.BinaryScale)
}

// decimalPower is 10^n as ecCodes computes it, one multiplication or division after the other.
func decimalPower(n int) float64 {
	p := 1.0
	for ; n > 0; n-- {
		p *= 10
	}
	for ; n < 0; n++ {
		p /= 10
	}
	return p
}

// repeatAtMissing gives missing points the integer of the point before, which costs next to nothing
// when differences are coded. The integers at missing points mean nothing.
func repeatAtMissing(samples []uint32, missing *tgm.Mask) {
	if missing == nil {
		return
	}
	last := uint32(0)
	for i := range samples {
		if missing.Bits[i>>3]&(0x80>>(i&7)) != 0 {
			samples[i] = last
		} else {
			last = samples[i]
		}
	}
}
