package tgm

// payloadDecoder undoes the stages of one object. Sizes come from the descriptor and are checked
// against the limits before memory is taken.
type payloadDecoder struct {
	d      *Descriptor
	n      int     // elements
	size   int     // bytes of the decoded array
	layers []layer // in the order of encoding; none that do nothing
}

// newPayloadDecoder checks the stages and sizes a descriptor states for a payload of the given
// bytes.
func newPayloadDecoder(d *Descriptor, payload int64, limits Limits) (*payloadDecoder, error) {
	size, ok := d.DecodedSize()
	n, _ := d.Elements()
	if !ok || n > 1<<62 {
		return nil, encodingError(nil, "shape %v of %s is more than can be counted", d.Shape, d.DType)
	}
	if limits.Decoded > 0 && size > uint64(limits.Decoded) {
		return nil, encodingError(nil, "array of %d bytes from a payload of %d is beyond the limit of %d", size, payload, limits.Decoded)
	}
	p := &payloadDecoder{d: d, n: int(n), size: int(size)}
	var err error
	p.layers, err = d.layers(int(n))
	return p, err
}

// checkExpansion returns an error if size, the bytes to be decoded, is very much larger than
// the payload. The whole array takes as much memory again for each layer.
func (p *payloadDecoder) checkExpansion(size, payload int64, m *Message) error {
	return p.checkExpansionFrom(arrayFloor, size, payload, m)
}

// checkExpansionFrom is checkExpansion with the size that any array may have.
func (p *payloadDecoder) checkExpansionFrom(floor, size, payload int64, m *Message) error {
	switch decoded := m.limits.Decoded; {
	case decoded > 0: // the array was checked; ranges can repeat parts of it
		if size > max(int64(p.size), decoded) {
			return encodingError(nil, "%d bytes of ranges are beyond the limit of %d", size, decoded)
		}
		return nil
	case p.d.DType == Bitmask:
		floor = bitmaskFloor
	case p.constant():
		floor = max(floor, constantFloor)
	}
	if limit := max(floor, m.budget.expanded.Load(), maxExpansion*min(payload, 1<<50)); size > limit {
		return encodingError(&ExpansionError{size, payload, limit}, "decoded size")
	}
	return nil
}

// constant reports whether all values are the reference value of simple_packing, which is finite,
// and no payload is needed.
func (p *payloadDecoder) constant() bool {
	return len(p.layers) == 1 && p.layers[0].out.packed && p.layers[0].out.bytes == 0
}

const (
	arrayFloor    = 64 << 20
	constantFloor = 208 << 20 // a field of float64 on the O2560 grid takes 201 MiB
	bitmaskFloor  = 4 << 20
	maxExpansion  = 1024
)

// layers opens the stages of an array of n elements.
func (d *Descriptor) layers(n int) ([]layer, error) {
	list, err := pipelineStages(d.Encoding, d.Filter, d.Compression)
	if err != nil {
		return nil, err
	}
	var layers []layer
	at := formOf(d.DType, n)
	for _, s := range list {
		if s.open == nil {
			continue
		}
		l, err := s.open(d, at)
		if err != nil {
			return nil, err
		}
		layers, at = append(layers, l), l.out
	}
	return layers, nil
}

func (l Limits) metadata() int64 {
	if l.Metadata > 0 {
		return l.Metadata
	}
	return defaultMetadataLimit
}

// item is the limit on the bytes of CBOR that are decoded at once.
func (l Limits) item() int64 {
	if l.Item > 0 {
		return min(l.Item, l.metadata())
	}
	return min(defaultItemLimit, l.metadata())
}

const (
	defaultMetadataLimit = 1 << 30
	defaultItemLimit     = 64 << 20
)

// plain reports whether the payload is the array itself.
func (p *payloadDecoder) plain() bool { return len(p.layers) == 0 }

// checkPlain compares the length of a payload that is the array itself with the descriptor.
func (p *payloadDecoder) checkPlain(payload int64) error {
	if payload != int64(p.size) {
		return encodingError(nil, "payload of %d bytes, shape %v of %s takes %d", payload, p.d.Shape, p.d.DType, p.size)
	}
	return nil
}

// decode returns the array in the order asked for, in dst's memory if that is large enough. The
// payload went through at least one stage.
func (p *payloadDecoder) decode(payload, dst []byte, order ByteOrder) ([]byte, error) {
	out := sized(dst, p.size)
	if p.takesInPlace() {
		if err := p.layers[1].decode(out, payload); err != nil {
			return nil, err
		}
		if err := p.layers[0].inPlace(out); err != nil {
			return nil, err
		}
		p.reorder(out, order)
		return out, nil
	}
	for i := len(p.layers) - 1; i > 0; i-- {
		buf := getBuffer(p.layers[i].in.bytes)
		defer putBuffer(buf)
		if err := p.layers[i].decode(*buf, payload); err != nil {
			return nil, err
		}
		payload = *buf
	}
	if err := p.layers[0].decode(out, payload); err != nil {
		return nil, err
	}
	p.reorder(out, order)
	return out, nil
}

// takesInPlace reports whether the array is large and the second of two stages gives its bytes in
// another order.
func (p *payloadDecoder) takesInPlace() bool {
	return len(p.layers) == 2 && p.size >= inPlaceBytes && p.layers[0].inPlace != nil && p.layers[1].in.bytes == p.size
}

// reorder changes the byte order of decoded elements.
func (p *payloadDecoder) reorder(data []byte, order ByteOrder) {
	if order != p.order() {
		swapBytes(data, p.d.DType.Component())
	}
}

// order is the byte order that elements are decoded to.
func (p *payloadDecoder) order() ByteOrder {
	if len(p.layers) > 0 && p.layers[0].hostOrder {
		return hostOrder
	}
	return p.d.ByteOrder
}

// ranges reports whether every stage can decode a part alone.
func (p *payloadDecoder) ranges() bool {
	for i := range p.layers {
		if p.layers[i].readAt == nil {
			return false
		}
	}
	return true
}

// section gives the decoded array, reading the bytes that it needs from the payload. It needs
// ranges.
func (p *payloadDecoder) section(payload section) section {
	for i := len(p.layers) - 1; i >= 0; i-- {
		payload = layerSection{p.layers[i], payload}
	}
	return payload
}

// sized returns n bytes, dst's if it has as many.
func sized(dst []byte, n int) []byte {
	if cap(dst) >= n {
		return dst[:n]
	}
	return make([]byte, n)
}

// masks reads the masks of an object from the bytes after its payload. They begin at start in the
// payload region. Masks of integers mean nothing and are left out.
func (p *payloadDecoder) masks(rest []byte, start uint64) (masks nonFinite, err error) {
	if !p.d.Masks.Any() || p.d.DType.IsInteger() {
		return masks, nil
	}
	if p.d.DType == Bitmask {
		return masks, encodingError(nil, "%s with masks of non-finite values", p.d.DType)
	}
	for kind := range maskKinds {
		info := *maskKinds[kind].of(&p.d.Masks)
		if info == nil {
			continue
		}
		// The descriptor was checked when it was read: masks lie in the region, at or after
		// start.
		blob := rest[info.Offset-start:][:info.Length]
		if masks[kind], err = decodeMask(blob, info, p.n); err != nil {
			return masks, encodingError(err, "mask %s", maskKinds[kind].name)
		}
	}
	return masks, nil
}
