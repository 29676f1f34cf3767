package tgm

// DecodeOptions say how an object is decoded. The zero value gives little-endian elements with NaN
// and infinities put back.
type DecodeOptions struct {
	ByteOrder  ByteOrder // of the result
	KeepZeros  bool      // leave zeros where masks say NaN or infinity
	VerifyHash bool      // check the frame's hash first; one that is missing is an error
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
	if opts.VerifyHash {
		if err := o.VerifyHash(); err != nil {
			return nil, err
		}
	}
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, err
	}
	a := &Array{Shape: o.desc.Shape, DType: o.desc.DType, ByteOrder: opts.ByteOrder}
	if p.plain() {
		a.Data, err = o.readPlain(p, &opts)
	} else {
		a.Data, err = o.readPayload(p, &opts)
	}
	if err != nil {
		return nil, err
	}
	if o.desc.Masks.Any() {
		a.Missing, err = o.restoreMasks(p, a.Data, &opts)
	}
	return a, err
}

// readPlain reads a payload that is the array itself straight to where it is wanted.
func (o *Object) readPlain(p *payloadDecoder, opts *DecodeOptions) ([]byte, error) {
	if err := p.checkPlain(o.payload); err != nil {
		return nil, err
	}
	out := sized(opts.Dst, p.size)
	if err := o.msg.src.readAt(out, o.PayloadOffset()); err != nil {
		return nil, err
	}
	p.reorder(out, opts.ByteOrder)
	return out, nil
}

func (o *Object) readPayload(p *payloadDecoder, opts *DecodeOptions) ([]byte, error) {
	buf := getBuffer(int(o.payload))
	defer putBuffer(buf)
	if err := o.msg.src.readAt(*buf, o.PayloadOffset()); err != nil {
		return nil, err
	}
	return p.decode(*buf, opts.Dst, opts.ByteOrder)
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
	if l.check != nil {
		return l.check(*buf)
	}
	out := getBuffer(l.in.bytes)
	defer putBuffer(out)
	return l.decode(*out, *buf)
}

func (o *Object) restoreMasks(p *payloadDecoder, data []byte, opts *DecodeOptions) (*Mask, error) {
	masks, err := o.readMasks(p)
	if err != nil {
		return nil, err
	}
	if !opts.KeepZeros {
		for kind, m := range masks {
			if m != nil {
				restore(data, m, &maskKinds[kind], o.desc.DType, opts.ByteOrder)
			}
		}
	}
	return masks[kindNaN], nil
}

// readMasks reads the masks behind the payload.
func (o *Object) readMasks(p *payloadDecoder) (nonFinite, error) {
	behind := make([]byte, o.region.length-o.payload)
	if err := o.msg.src.readAt(behind, o.PayloadOffset()+o.payload); err != nil {
		return nonFinite{}, err
	}
	return p.masks(behind, uint64(o.payload))
}

// Masks returns the masks of NaN, positive and negative infinity; those the object does not have
// are nil.
func (o *Object) Masks() (nan, posInf, negInf *Mask, err error) {
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, nil, nil, locate(err, o.where())
	}
	masks, err := o.readMasks(p)
	return masks[kindNaN], masks[kindPosInf], masks[kindNegInf], locate(err, o.where())
}
