package tgm

import "io"

// HasRanges reports whether DecodeRange reads a part of the object without the rest.
func (o *Object) HasRanges() bool {
	if o.desc.DType == Bitmask {
		return false
	}
	n, ok := o.desc.Elements()
	if !ok || n > 1<<62 {
		return false
	}
	layers, err := o.desc.layers(int(n))
	return err == nil && (&payloadDecoder{layers: layers}).ranges()
}

// DecodeRange returns count elements from first in C order, as an array of one dimension. Only the
// bytes they lie in are read, and the masks, if there are any. Objects for which HasRanges is false
// give an *UnsupportedError. Hashes are left
// alone, unless opts.VerifyHash asks to read the whole frame first.
func (o *Object) DecodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	a, err := o.decodeRange(first, count, opts)
	return a, locate(err, o.where())
}

func (o *Object) decodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	n, ok := o.desc.Elements()
	if !ok || first > n || count > n-first {
		return nil, objectError(nowhere, "elements %d to %d of %d", first, first+count, n)
	}
	if opts.VerifyHash {
		if err := o.VerifyHash(); err != nil {
			return nil, err
		}
	}
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return nil, err
	}
	if o.desc.DType == Bitmask || !p.ranges() {
		return nil, unsupported("ranges of encoding " + o.desc.Encoding + ", filter " + o.desc.Filter + ", compression " + o.desc.Compression)
	}
	a := &Array{Shape: []uint64{count}, DType: o.desc.DType, ByteOrder: opts.ByteOrder}
	a.Data, err = o.rangeOf(p, int(first), int(count), &opts)
	if err != nil || !o.desc.Masks.Any() {
		return a, err
	}
	masks, err := o.readMasks(p)
	if err != nil {
		return nil, err
	}
	for kind := range masks {
		m, err := masks[kind].Slice(int(first), int(count))
		if err != nil {
			return nil, encodingError(err, "mask %s", maskKinds[kind].name)
		}
		if m != nil && !opts.KeepZeros {
			restore(a.Data, m, &maskKinds[kind], o.desc.DType, opts.ByteOrder)
		}
		if kind == kindNaN {
			a.Missing = m
		}
	}
	return a, nil
}

// rangeOf reads and decodes elements.
func (o *Object) rangeOf(p *payloadDecoder, first, count int, opts *DecodeOptions) ([]byte, error) {
	if p.plain() {
		if err := p.checkPlain(o.payload); err != nil {
			return nil, err
		}
	}
	size := o.desc.DType.Size()
	out := sized(opts.Dst, count*size)
	if err := readFull(p.section(payloadSection{o}), out, int64(first)*int64(size)); err != nil {
		return nil, err
	}
	p.reorder(out, opts.ByteOrder)
	return out, nil
}

// payloadSection reads the payload of an object.
type payloadSection struct{ o *Object }

func (s payloadSection) Size() int64 { return s.o.payload }

func (s payloadSection) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || int64(len(b)) > s.o.payload-off {
		return 0, io.ErrUnexpectedEOF
	}
	if err := s.o.msg.src.readAt(b, s.o.PayloadOffset()+off); err != nil {
		return 0, err
	}
	return len(b), nil
}
