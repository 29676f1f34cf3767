package tgm

import (
	"math"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// PackingParams are the parameters of simple packing: Reference, BinaryScale, DecimalScale and Bits, as WMO defines
// them. Its method Value makes a number of an integer.
type PackingParams = packing.Params

// Packed is an array of quantised values: integers and the parameters that make numbers of them.
// Exactly one of Bits, Samples and AEC holds the integers; all are empty when Params.Bits is 0.
// At missing points they are 0.
type Packed struct {
	Shape   []uint64
	Params  PackingParams
	Bits    []byte      // MSB first, without gaps
	Samples []uint32    // one per element
	AEC     *aec.Stream // CCSDS 121.0-B-3, samples of Params.Bits bits
	Missing *Mask
}

// EncodePacked stores quantised values as they are, as simple_packing of float64. It may be called
// from several goroutines.
//
// An empty p.Compression means szip. Integers of 8, 16, 24 and 32 bits are copied untouched; so is
// an AEC stream of such integers when it goes to szip, with its own block size, interval and flags.
// With szip and with shuffle other widths are widened to the next of these, because readers lose
// bits of all others; the values stay the same, and an AEC stream keeps its parameters and nearly
// all of its blocks. Without integers (Params.Bits 0) every value is Params.Reference and nothing
// is stored. p.Encoding, p.Bits and p.DecimalScale are not used.
//
// Integers copied untouched are not copied in memory: the result refers to q.Bits or q.AEC.Data,
// which must not change until it is written.
func EncodePacked(q Packed, p Pipeline) (*EncodedObject, error) {
	p.Encoding = nameSimplePacking
	if p.Compression == "" {
		p.Compression = nameSzip
	}
	n, err := q.check()
	if err != nil {
		return nil, err
	}
	if q.Params.Bits == 0 || n == 0 {
		p.Filter, p.Compression = nameNone, nameNone
	}
	w, err := newEncoder(q.Shape, Float64, LittleEndian, p)
	if err != nil {
		return nil, err
	}
	if q.Missing.Any() {
		w.masks[kindNaN] = q.Missing
	}
	width := q.Params.Bits
	if w.wholeBytes() {
		width = widened(width)
	}
	setPacking(&w.object.desc, q.Params, width)
	filter, compression := w.stages[1], w.stages[2]
	if compression.integers != nil && filter.encode == nil {
		s, err := compression.integers(w, &q, n, width)
		if err != nil {
			return nil, err
		}
		return w.run(s, nil)
	}
	s, err := q.integers(n, width)
	if err != nil {
		return nil, err
	}
	return w.run(s, w.stages[1:])
}

// check returns the number of elements.
func (q *Packed) check() (int, error) {
	n, ok := elements(q.Shape)
	if !ok || n > math.MaxInt/8 {
		return 0, encodingError(nil, "shape %v cannot be stored", q.Shape)
	}
	if err := q.Params.Validate(); err != nil {
		return 0, encodingError(err, "quantised values")
	}
	if q.Missing != nil && uint64(q.Missing.N) != n {
		return 0, encodingError(nil, "missing points of %d elements given for %d", q.Missing.N, n)
	}
	given := 0
	for _, is := range []bool{q.Bits != nil, q.Samples != nil, q.AEC != nil} {
		if is {
			given++
		}
	}
	if given > 1 || given == 0 && q.Params.Bits != 0 && n != 0 {
		return 0, encodingError(nil, "integers of %d bits given in %d forms, expected 1", q.Params.Bits, given)
	}
	if q.Params.Bits > 32 && q.Bits == nil && given == 1 {
		return 0, encodingError(nil, "integers of %d bits can only be given packed", q.Params.Bits)
	}
	if q.Bits != nil {
		if need, ok := packing.Size(int(n), q.Params.Bits); !ok || len(q.Bits) < need {
			return 0, encodingError(nil, "%d bytes given for %d integers of %d bits, expected %d", len(q.Bits), n, q.Params.Bits, need)
		}
	}
	if q.Samples != nil {
		return int(n), q.checkSamples(int(n))
	}
	return int(n), nil
}

func (q *Packed) checkSamples(n int) error {
	if len(q.Samples) != n {
		return encodingError(nil, "%d integers given for %d elements", len(q.Samples), n)
	}
	var all uint32
	for _, v := range q.Samples {
		all |= v
	}
	if uint64(all)>>q.Params.Bits != 0 {
		return encodingError(nil, "integers given for %d bits have more", q.Params.Bits)
	}
	return nil
}

// encodeAEC appends the stream of the integers to dst. With widen, q.AEC has the same
// parameters except for fewer bits a sample.
func (q *Packed) encodeAEC(dst []byte, n, width int, params aec.Params, widen bool) ([]byte, []uint64, error) {
	if widen {
		out, offsets, err := aec.Widen(dst, q.AEC.Data, q.AEC.Params(q.Params.Bits), width, n)
		return out, offsets, wrapCompression(err, nameSzip)
	}
	if q.Bits != nil && width == q.Params.Bits {
		need, _ := packing.Size(n, width)
		out, offsets, err := aec.Encode(dst, q.Bits[:need], szipMemory(params, true))
		return out, offsets, wrapCompression(err, nameSzip)
	}
	samples, free, err := q.samples(n)
	if err != nil {
		return dst, nil, err
	}
	defer free()
	out, offsets, err := aec.EncodeUint32(dst, samples, params)
	return out, offsets, wrapCompression(err, nameSzip)
}

// storable reports whether szip can hold the stream: its readers know fewer parameters than GRIB.
func storable(s *aec.Stream, width int) bool {
	p := s.Params(width)
	return p.Flags&aec.Signed == 0 && p.Validate() == nil
}

// samples returns the integers one by one, and a function that gives their memory back.
func (q *Packed) samples(n int) (samples []uint32, free func(), err error) {
	if q.Samples != nil {
		return q.Samples, func() {}, nil
	}
	buf := getSamples(n)
	free = func() { putSamples(buf) }
	if q.AEC != nil {
		err = wrapCompression(aec.DecodeUint32(*buf, q.AEC.Data, q.AEC.Params(q.Params.Bits)), nameSzip)
		if err == nil && q.AEC.Flags&uint8(aec.Signed) != 0 {
			err = (&Packed{Samples: *buf, Params: q.Params}).checkSamples(n)
		}
	} else if err = packing.UnpackUint32(*buf, q.Bits, q.Params.Bits); err != nil {
		err = encodingError(err, "integers")
	}
	if err != nil {
		free()
		return nil, nil, err
	}
	return *buf, free, nil
}

// integers returns the integers packed with the given width.
func (q *Packed) integers(n, width int) (stored, error) {
	s := stored{form: formOf(Float64, n)}
	need, ok := packing.Size(n, width)
	s.form = s.form.quantised(width, need)
	switch {
	case !ok:
		return s, encodingError(nil, "%d integers of %d bits are more than can be counted", n, width)
	case n == 0 || q.Params.Bits == 0:
		return s, nil
	case q.Bits != nil && width == q.Params.Bits:
		s.data = q.Bits[:need]
		return s, nil
	case width > 32:
		return s, encodingError(nil, "filter %s takes integers of up to 32 bits, not %d", nameShuffle, q.Params.Bits)
	}
	samples, free, err := q.samples(n)
	if err != nil {
		return s, err
	}
	defer free()
	s.owned = getBuffer(need)
	s.data = packing.PackUint32((*s.owned)[:0], samples, width)
	*s.owned = s.data
	return s, nil
}
