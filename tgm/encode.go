package tgm

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Array is a decoded array, or one to encode.
type Array struct {
	Shape     []uint64 // C order; empty for a scalar
	DType     DType
	ByteOrder ByteOrder // of Data
	Data      []byte    // elements in C order; ceil(N/8) bytes for Bitmask
	// Missing marks points without a value. Encoding stores them as the NaN mask and ignores the
	// elements of Data there; it must not mark any point of a type that has no NaN. Decoding sets
	// it to the NaN mask, if any.
	Missing *Mask
	// Disposable lets the encoder use Data, up to its capacity, as working memory. Large arrays
	// then need little memory besides. The content of Data is undefined afterwards. The encoded
	// object may refer to it, so it must not be changed until the object is written. A spare
	// capacity of 1/4096 of the length plus 64 bytes saves a copy of data that do not compress.
	Disposable bool
}

// EncodedObject is a data frame ready to be written.
type EncodedObject struct {
	desc    Descriptor
	payload []byte
	masks   []byte // follows the payload
	cbor    []byte
	hash    uint64
	hashed  bool
	pooled  *payloadMemory // of the payload, if it came from the pool
	file    *payloadFile   // that has the payload, if it is not in memory
}

// Descriptor returns the descriptor; it must not be changed.
func (o *EncodedObject) Descriptor() *Descriptor { return &o.desc }

// SetParams replaces the parameters of the descriptor, and computes the hash again. The new
// parameters must describe the payload; this is not checked.
func (o *EncodedObject) SetParams(params map[string]any) error {
	if _, ok := params[keyReserved]; ok {
		return encodingError(errReserved, "descriptor")
	}
	o.desc.Params = params
	return o.seal()
}

// Size returns the bytes of the frame, without padding.
func (o *EncodedObject) Size() int64 {
	return frameHeaderSize + o.payloadSize() + int64(len(o.masks)) + int64(len(o.cbor)) + dataFooterSize
}

func (o *EncodedObject) payloadSize() int64 {
	if o.file != nil {
		return o.file.size
	}
	return int64(len(o.payload))
}

// Release gives the memory of the payload back for later objects. It removes the temporary file of
// [EncodePieces]. Only objects of EncodePieces must be released. The object must not be used
// afterwards.
func (o *EncodedObject) Release() {
	if o.pooled != nil {
		o.pooled.close()
		o.pooled, o.payload = nil, nil
	}
	if o.file != nil {
		o.file.close()
		o.file = nil
	}
}

// seal completes the descriptor with the properties of the masks and computes the hash.
func (o *EncodedObject) seal() error {
	var err error
	if o.cbor, err = o.desc.marshal(); err != nil {
		return encodingError(err, "descriptor")
	}
	if o.hashed {
		o.hash, err = o.computeHash()
	}
	return err
}

func (o *EncodedObject) computeHash() (uint64, error) {
	var h xxh3.Hasher
	if o.file != nil {
		if err := o.file.hashTo(&h); err != nil {
			return 0, err
		}
	}
	h.Write(o.payload)
	h.Write(o.masks)
	h.Write(o.cbor)
	return h.Sum64(), nil
}

// EncodeArray encodes an array. It may be called from several goroutines. It changes nothing it is
// given, except for data that are Disposable. Without encoding, filter, compression and masks the
// result refers to a.Data, which must not change until the result is written.
//
// Errors are *EncodingError, *CompressionError or *UnsupportedError.
func EncodeArray(a Array, p Pipeline) (*EncodedObject, error) {
	w, err := newEncoder(a.Shape, a.DType, a.ByteOrder, p)
	if err != nil {
		return nil, err
	}
	d := &w.object.desc
	size, ok := d.DecodedSize()
	if !ok || a.DType.Size() == 0 && a.DType != Bitmask {
		return nil, encodingError(nil, "shape %v of %s cannot be stored", a.Shape, a.DType)
	}
	if uint64(len(a.Data)) != size {
		return nil, encodingError(nil, "%d bytes given for shape %v of %s, expected %d", len(a.Data), a.Shape, a.DType, size)
	}
	n, _ := d.Elements()
	s, masks, err := splitNonFinite(&a, int(n), &w.pipeline, 0)
	if err != nil {
		return nil, err
	}
	w.masks = masks
	return w.run(s, w.stages[:])
}

// encoder takes one array through the stages of its pipeline.
type encoder struct {
	object   *EncodedObject
	pipeline Pipeline
	stages   [3]*stage
	masks    nonFinite
}

func newEncoder(shape []uint64, dtype DType, order ByteOrder, p Pipeline) (*encoder, error) {
	p = p.withDefaults()
	w := &encoder{pipeline: p}
	var err error
	if w.stages, err = pipelineStages(p.Encoding, p.Filter, p.Compression); err != nil {
		return nil, err
	}
	if err := checkParams(p.Params, w.stages); err != nil {
		return nil, err
	}
	for _, s := range w.stages {
		// Later stages are checked again with the output of the stages before.
		if err := s.check(formOf(dtype, 0)); err != nil && (s.kind == EncodingStage || p.Encoding == nameNone && p.Filter == nameNone) {
			return nil, err
		}
	}
	w.object = &EncodedObject{
		desc: Descriptor{
			Type: "ntensor", Shape: slices.Clone(shape), Strides: nd.Strides(shape, uint64(1)), DType: dtype, ByteOrder: order,
			Encoding: p.Encoding, Filter: p.Filter, Compression: p.Compression, Params: map[string]any{},
		},
		hashed: !p.NoHash,
	}
	return w, nil
}

// set records a parameter in the descriptor.
func (w *encoder) set(name string, v any) { w.object.desc.Params[name] = v }

// param returns the caller's value of a parameter, or fallback.
func param[T any](w *encoder, name string, fallback T) T {
	if v, ok := w.pipeline.Params[name]; ok {
		if t, ok := v.(T); ok {
			return t
		}
	}
	return fallback
}

// intParam returns the caller's value of an integer parameter, or fallback.
func (w *encoder) intParam(name string, fallback int) int {
	return int(param(w, name, int64(param(w, name, fallback))))
}

// floatParam returns the caller's value of a number parameter; ok is false if there is none.
func (w *encoder) floatParam(name string) (x float64, ok bool) {
	switch v := w.pipeline.Params[name].(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// wholeBytes reports whether packed integers must be 8, 16, 24 or 32 bits wide.
func (w *encoder) wholeBytes() bool { return w.stages[1].wholeBytes || w.stages[2].wholeBytes }

// run takes s through some of the stages, appends the masks and seals the object. It takes over s.
func (w *encoder) run(s stored, list []*stage) (*EncodedObject, error) {
	o := w.object
	for _, st := range list {
		if st.encode == nil {
			continue
		}
		err := st.check(s.form)
		if err == nil {
			s, err = st.encode(w, s)
		} else {
			s.release()
		}
		if err != nil {
			return nil, err
		}
	}
	if o.payload = s.data; s.owned != nil {
		o.pooled = (&payloadMemory{buffer: s.owned}).share()
	}
	err := w.appendMasks()
	if err == nil {
		err = o.seal()
	}
	if err != nil {
		o.Release()
		return nil, err
	}
	return o, nil
}

func (w *encoder) appendMasks() error {
	o := w.object
	for kind, m := range w.masks {
		if m == nil {
			continue
		}
		start := len(o.masks)
		blob, info, err := w.pipeline.Masks.encodeMask(o.masks, m, kind)
		if err != nil {
			return err
		}
		o.masks = blob
		info.Offset = uint64(o.payloadSize()) + uint64(start)
		*maskKinds[kind].of(&o.desc.Masks) = info
	}
	return nil
}

// stored is the output of one stage and its properties that the next stage must know.
type stored struct {
	form
	data       []byte
	owned      *[]byte // pooled memory of data, nil if it is the caller's
	disposable bool    // the caller's, but may be overwritten
}

func (s *stored) release() {
	if s.owned != nil {
		putBuffer(s.owned)
	}
}

// inPlaceBytes is the size from which stages work in the memory of their input, if they may. This
// takes them a little longer; the bytes are the same.
const inPlaceBytes = 16 << 20

func (s *stored) inPlace() bool {
	return (s.disposable || s.owned != nil) && len(s.data) >= inPlaceBytes
}

// rest returns the memory after the data, if it is at least as large as the data. After packing
// in place, most of the memory of the values is there.
func (s *stored) rest() ([]byte, bool) {
	n := len(s.data)
	return s.data[n:n], s.inPlace() && cap(s.data) >= 2*n
}

// compressed runs a compression that appends to dst, and takes over s.
func (s stored) compressed(name string, encode func(dst []byte, s *stored) ([]byte, error)) (stored, error) {
	buf := s.owned
	dst, here := s.rest()
	if !here {
		buf = getBuffer(0)
		dst = (*buf)[:0]
	}
	out, err := encode(dst, &s)
	if !here {
		*buf = out
		s.release()
	}
	s = stored{data: out, owned: buf}
	if err != nil {
		s.release()
		return stored{}, compressionError(err, "%s", name)
	}
	return s, nil
}
