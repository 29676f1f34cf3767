package tgm

import (
	"encoding/binary"
	"maps"
	"math"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

const nameSimplePacking = "simple_packing"

// simplePackingStage is the encoding simple_packing: float64 values as integers of a fixed width.
func simplePackingStage() stage {
	return stage{
		kind: EncodingStage,
		name: nameSimplePacking,
		params: []Param{
			{Name: packingKeys[3], Kind: IntParam, Min: 1, Max: packing.MaxBits, Usage: "bits of one integer, 16 if not given"},
			{Name: packingKeys[2], Kind: IntParam, Min: -400, Max: 400, Usage: "power of ten that values are multiplied by before packing, 0 if not given"},
		},
		sample: map[string]any{packingKeys[3]: 8},
		lossy:  true,
		takes:  func(in form) error { return expectType(in, Float64) },
		encode: packValues,
		open:   openPacking,
	}
}

// expectType returns an error unless the input is an array of the type as it is.
func expectType(in form, d DType) error {
	switch {
	case in.dtype != d:
		return takesNot(d.String(), in.dtype.String())
	case !in.raw:
		return takesNot("the array as it is", "what another stage made of it")
	}
	return nil
}

// packValues quantises float64 values; points of masks become 0. It takes over s.
func packValues(w *encoder, s stored) (stored, error) {
	width := w.pipeline.Bits
	if width == 0 {
		width = 16
	}
	width = w.intParam(packingKeys[3], width)
	values, scratch := float64sOf(s.data, w.object.desc.ByteOrder)
	if scratch == nil && w.masks.any() {
		// With masks the data are a copy of the caller's already.
		scratch = values
	}
	w.masks.fillFrom(scratch)
	params, err := packing.Compute(values, width, w.intParam(packingKeys[2], w.pipeline.DecimalScale))
	if err != nil {
		s.release()
		return stored{}, encodingError(err, "encoding %s", nameSimplePacking)
	}
	for _, m := range w.masks {
		for i := range m.Indices() {
			scratch[i] = params.Reference
		}
	}
	return w.quantise(s, values, params)
}

// quantise packs the values that s holds with the given parameters, in integers as wide as the
// later stages need. It takes over s.
func (w *encoder) quantise(s stored, values []float64, params packing.Params) (stored, error) {
	width := params.Bits
	if w.wholeBytes() {
		width = widened(width)
	}
	wide := params
	wide.Bits = width
	out := s
	var err error
	if s.inPlace() {
		// Integers are no wider than the values, and each is written when its value has been read.
		out.data, err = packing.Encode(s.data[:0], values, wide)
	} else {
		out.owned, out.disposable = getBuffer(0), false
		out.data, err = packing.Encode((*out.owned)[:0], values, wide)
		*out.owned = out.data
		s.release()
	}
	if err != nil {
		out.release()
		return stored{}, encodingError(err, "encoding %s", nameSimplePacking)
	}
	setPacking(&w.object.desc, params, width)
	out.form = s.form.quantised(width, len(out.data))
	return out, nil
}

// quantised returns the form of the array's values as packed integers.
func (f form) quantised(width, size int) form {
	f.bits, f.element, f.packed, f.raw, f.bytes = width, (width+7)/8, true, false, size
	return f
}

// widened returns the next width at which szip and shuffle see whole samples.
func widened(bits int) int {
	switch {
	case bits <= 8:
		return 8
	case bits <= 16:
		return 16
	case bits <= 24:
		return 24
	case bits <= 32:
		return 32
	}
	return 64
}

// fillFrom replaces masked values by a value that is not masked. They then do not count in the
// range of values.
func (m *nonFinite) fillFrom(values []float64) {
	if !m.any() {
		return
	}
	fill := 0.0
	for i, v := range values {
		if !m[0].Get(i) && !m[1].Get(i) && !m[2].Get(i) {
			fill = v
			break
		}
	}
	for _, mask := range m {
		for i := range mask.Indices() {
			values[i] = fill
		}
	}
}

// The parameters of simple_packing, and the names that releases before 0.19 knew them by.
var (
	packingKeys    = [4]string{"sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor", "sp_bits_per_value"}
	oldPackingKeys = [4]string{"reference_value", "binary_scale_factor", "decimal_scale_factor", "bits_per_value"}
)

// addOldPackingKeys adds the parameters to a descriptor under their old names, so that every
// release can read the descriptor.
func addOldPackingKeys(m map[string]any) {
	for i, key := range packingKeys {
		if v, ok := m[key]; ok {
			m[oldPackingKeys[i]] = v
		}
	}
}

// dropOldPackingKeys removes the keys that addOldPackingKeys added.
func dropOldPackingKeys(m map[string]any) {
	for i, key := range packingKeys {
		switch v := m[key].(type) {
		case int64, float64: // others cannot be compared, and are no parameters
			if m[oldPackingKeys[i]] == v {
				delete(m, oldPackingKeys[i])
			}
		}
	}
}

// renamedPackingKeys returns the parameters without old names.
func renamedPackingKeys(params map[string]any) map[string]any {
	if _, old := params[oldPackingKeys[3]]; !old {
		return params
	}
	out := maps.Clone(params)
	for i, key := range oldPackingKeys {
		if _, ok := out[packingKeys[i]]; !ok {
			out[packingKeys[i]] = out[key]
		}
		delete(out, key)
	}
	return out
}

// setPacking records the parameters, with the width that is stored.
func setPacking(d *Descriptor, p packing.Params, width int) {
	d.Params[packingKeys[0]] = p.Reference
	d.Params[packingKeys[1]] = p.BinaryScale
	d.Params[packingKeys[2]] = p.DecimalScale
	d.Params[packingKeys[3]] = width
}

// Packing returns the parameters of the integers that simple_packing keeps in place of the values.
// It returns nil if an object has none, or infinities beside them.
func (d *Descriptor) Packing() *array.Packing {
	if d.Encoding != nameSimplePacking || d.DType != Float64 || d.Masks.PosInf != nil || d.Masks.NegInf != nil {
		return nil
	}
	p, err := d.packing()
	if err != nil {
		return nil
	}
	return (*array.Packing)(&p)
}

// packing returns the parameters of simple_packing, whichever names they have.
func (d *Descriptor) packing() (p packing.Params, err error) {
	keys := packingKeys
	if _, ok := d.Params[keys[3]]; !ok {
		if _, old := d.Params[oldPackingKeys[3]]; old {
			keys = oldPackingKeys
		}
	}
	reference, ok, err := d.floatParam(keys[0])
	if err == nil && !ok {
		err = encodingError(nil, "%s is missing", keys[0])
	}
	p.Reference = reference
	if err == nil {
		p.BinaryScale, err = d.intRange(keys[1], math.MinInt32, math.MaxInt32)
	}
	if err == nil {
		p.DecimalScale, err = d.intRange(keys[2], math.MinInt32, math.MaxInt32)
	}
	if err == nil {
		p.Bits, err = d.intRange(keys[3], 0, packing.MaxBits)
	}
	if err == nil {
		err = p.Validate()
	}
	return p, err
}

// openPacking undoes simple_packing. Releases up to 0.17 packed every type of eight bytes, and the
// output is float64 all the same.
func openPacking(d *Descriptor, in form) (layer, error) {
	if in.dtype.Size() != 8 {
		return layer{}, encodingError(nil, "encoding %s of %s, expected float64", nameSimplePacking, in.dtype)
	}
	params, err := d.packing()
	if err != nil {
		return layer{}, encodingError(err, "encoding %s", nameSimplePacking)
	}
	size, ok := packing.Size(in.n, params.Bits)
	if !ok {
		return layer{}, encodingError(nil, "%d integers of %d bits are more than can be counted", in.n, params.Bits)
	}
	return layer{
		in:        in,
		out:       in.quantised(params.Bits, size),
		hostOrder: true,
		decode:    func(dst, src []byte) error { return unpackValues(dst, src, params) },
		fits:      func(n int) error { return checkPacked(n, size) },
		readAt: func(dst []byte, off int64, src section) error {
			return unpackRange(dst, off, src, params)
		},
		grain: func(bytes int64, _ section) int64 { return bytes * 64 / int64(max(params.Bits, 1)) },
		values: func(dst []byte, samples []uint32) {
			for i, q := range samples { // signed ones have copies of their sign above
				q := uint64(q) & (1<<params.Bits - 1)
				binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(params.Value(q)))
			}
		},
	}, nil
}

// checkPacked returns an error if the packed integers are too few. Integers cannot be wrong
// otherwise.
func checkPacked(n, size int) error {
	if n < size {
		return encodingError(nil, "encoding %s: %d bytes, expected %d", nameSimplePacking, n, size)
	}
	return nil
}

// unpackValues fills dst with the values of packed integers, in host order.
func unpackValues(dst, packed []byte, params packing.Params) error {
	values, ok := float64View(dst)
	if !ok {
		values = make([]float64, len(dst)/8)
	}
	if err := packing.Decode(values, packed, params); err != nil {
		return encodingError(err, "encoding %s", nameSimplePacking)
	}
	if !ok {
		copy(dst, bytesOf(values))
	}
	return nil
}

// unpackRange fills dst with the values whose bytes begin at off. It reads from a multiple of eight
// integers on, which is a whole byte at any width.
func unpackRange(dst []byte, off int64, src section, params packing.Params) error {
	first, end := off/8, (off+int64(len(dst))+7)/8
	from := first &^ 7
	n := int(end - from)
	need, ok := packing.Size(n, params.Bits)
	if !ok {
		return encodingError(nil, "%d integers of %d bits are more than can be counted", n, params.Bits)
	}
	buf := getBuffer(need)
	defer putBuffer(buf)
	if err := readFull(src, *buf, from/8*int64(params.Bits)); err != nil {
		return err
	}
	if off == 8*from && len(dst) == 8*n {
		return unpackValues(dst, *buf, params)
	}
	values := make([]float64, n)
	if err := unpackValues(bytesOf(values), *buf, params); err != nil {
		return err
	}
	copy(dst, bytesOf(values)[off-8*from:])
	return nil
}
