package tgm

import "io"

// DecodeOptions say how an object is decoded. The zero value gives little-endian elements with NaN
// and infinities put back, and compares the frame with its hash if it has one.
type DecodeOptions struct {
	ByteOrder  ByteOrder // of the result
	KeepZeros  bool      // leave zeros where masks say NaN or infinity
	VerifyHash bool      // a frame without a hash is an error
	SkipHash   bool      // do not check the frame's hash
	Dst        []byte    // used for the result if it is large enough
}

// Decode returns the array. Everything the descriptor claims is checked against the payload and the
// limits of the file before memory is taken.
//
// Errors are *HashError, *EncodingError, *CompressionError or *UnsupportedError, or about reading.
func (o *Object) Decode(opts DecodeOptions) (*Array, error) {
	a, err := o.decode(opts)
	return a, locate(err, o.where())
}

func (o *Object) decode(opts DecodeOptions) (*Array, error) {
	if opts.VerifyHash && !o.hasHash {
		return nil, o.VerifyHash()
	}
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, err
	}
	if o.msg.file != 0 && p.size > arrayFloor && p.expands(o.payload) && o.HasRanges() {
		return o.decodeExpanding(p, opts)
	}
	if err := p.checkExpansion(int64(p.size), o.payload, o.msg); err != nil {
		return nil, err
	}
	defer o.msg.budget.hold(p.memory(o.payload))()
	return o.decodeWith(p, opts)
}

// decodeExpanding is decode of an array that comes from pieces. It takes the memory of the array and
// no more.
func (o *Object) decodeExpanding(p *payloadDecoder, opts DecodeOptions) (*Array, error) {
	if err := p.checkExpansionFrom(constantFloor, int64(p.size), o.payload, o.msg); err != nil {
		return nil, err
	}
	arrays, err := o.decodeRanges([]Range{{0, uint64(p.n)}}, opts)
	if err != nil {
		return nil, err
	}
	arrays[0].Shape = o.desc.Shape
	return arrays[0], nil
}

// decodeWith is decode of an array that was found to fit into memory.
func (o *Object) decodeWith(p *payloadDecoder, opts DecodeOptions) (*Array, error) {
	d, err := o.readDecoded(p, &opts)
	if err != nil {
		return nil, err
	}
	a := &Array{Shape: o.desc.Shape, DType: o.desc.DType, ByteOrder: opts.ByteOrder, Data: d.data, Missing: d.masks[kindNaN]}
	for kind, m := range d.masks {
		if m != nil && !opts.KeepZeros {
			restore(a.Data, m, &maskKinds[kind], a.DType, a.ByteOrder)
		}
	}
	return a, nil
}

// readDecoded decodes elements and masks.
func (o *Object) readDecoded(p *payloadDecoder, opts *DecodeOptions) (d decoded, err error) {
	rest, err := o.readRest()
	if err != nil {
		return d, err
	}
	if p.plain() {
		d.data, err = o.readPlain(p, rest, opts)
	} else {
		d.data, err = o.readPayload(p, rest, opts)
	}
	if err == nil {
		d.masks, err = p.masks(rest, uint64(o.payload))
	}
	return d, err
}

// readPlain reads a payload that is the array itself straight to its destination.
func (o *Object) readPlain(p *payloadDecoder, rest []byte, opts *DecodeOptions) ([]byte, error) {
	if err := p.checkPlain(o.payload); err != nil {
		return nil, err
	}
	out := sized(opts.Dst, p.size)
	if err := o.readVerified(out, rest, opts); err != nil {
		return nil, err
	}
	p.reorder(out, opts.ByteOrder)
	return out, nil
}

func (o *Object) readPayload(p *payloadDecoder, rest []byte, opts *DecodeOptions) ([]byte, error) {
	buf := getBuffer(int(o.payload))
	defer putBuffer(buf)
	if err := o.readVerified(*buf, rest, opts); err != nil {
		return nil, err
	}
	return p.decode(*buf, opts.Dst, opts.ByteOrder)
}

// readVerified reads the payload and compares the frame with its hash. rest is the bytes after
// the payload.
func (o *Object) readVerified(payload, rest []byte, opts *DecodeOptions) error {
	if err := o.msg.src.readAt(payload, o.PayloadOffset()); err != nil {
		return err
	}
	if !o.hasHash || opts.SkipHash || !o.msg.hashes && !opts.VerifyHash {
		return nil
	}
	if o.frame.flags&frameFlagCBORAfter == 0 {
		return o.VerifyHash()
	}
	return o.compareHash(o.hashOf(payload, rest))
}

// readRest reads the masks, which follow the payload in its region.
func (o *Object) readRest() ([]byte, error) {
	rest := make([]byte, o.region.length-o.payload)
	return rest, o.msg.src.readAt(rest, o.PayloadOffset()+o.payload)
}

// checkDecoding decodes the payload and the masks without keeping more than it must.
func (o *Object) checkDecoding(p *payloadDecoder) error {
	if err := o.checkPayload(p); err != nil || !o.desc.Masks.Any() {
		return err
	}
	_, err := o.readMasks(p)
	return err
}

func (o *Object) checkPayload(p *payloadDecoder) error {
	if p.plain() {
		return p.checkPlain(o.payload)
	}
	last := len(p.layers) - 1
	for i := range p.layers[:last] {
		if err := p.layers[i].fits(p.layers[i+1].in.bytes); err != nil {
			return err
		}
	}
	l := p.layers[last]
	if l.fits != nil {
		return l.fits(int(o.payload))
	}
	buf := getBuffer(int(o.payload))
	defer putBuffer(buf)
	if err := o.msg.src.readAt(*buf, o.PayloadOffset()); err != nil {
		return err
	}
	switch {
	case l.check != nil:
		return l.check(*buf)
	case p.expands(o.payload):
		return l.stream(io.Discard, *buf)
	}
	if err := p.checkExpansion(int64(p.size), o.payload, o.msg); err != nil {
		return err
	}
	defer o.msg.budget.hold(int64(l.in.bytes))()
	out := getBuffer(l.in.bytes)
	defer putBuffer(out)
	return l.decode(*out, *buf)
}

// readMasks reads the masks after the payload.
func (o *Object) readMasks(p *payloadDecoder) (nonFinite, error) {
	rest, err := o.readRest()
	if err != nil {
		return nonFinite{}, err
	}
	return p.masks(rest, uint64(o.payload))
}

// Masks returns the masks of NaN, positive and negative infinity. Masks that the object does not
// have are nil.
func (o *Object) Masks() (nan, posInf, negInf *Mask, err error) {
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, nil, nil, locate(err, o.where())
	}
	masks, err := o.readMasks(p)
	return masks[kindNaN], masks[kindPosInf], masks[kindNegInf], locate(err, o.where())
}
