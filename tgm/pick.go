package tgm

// pick fills dst with single elements, little-endian, by their numbers, which ascend and lie within
// the array. Only the bytes that hold them are read, and the masks, if there are any. The object has
// ranges.
func (o *Object) pick(dst []byte, at []uint64) error {
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return err
	}
	each := func(add func(run) error) error {
		for i, n := range at {
			if err := add(run{first: int(n), count: 1, at: i}); err != nil {
				return err
			}
		}
		return nil
	}
	parts := []part{{shape: []uint64{uint64(len(at))}, n: uint64(len(at))}}
	opts := DecodeOptions{ByteOrder: LittleEndian, SkipHash: true, Dst: dst}
	if !p.picks() {
		arrays, err := o.decodeParts(parts, opts, each)
		if err == nil {
			copy(dst, arrays[0].Data)
		}
		return err
	}
	if err := p.checkExpansionFrom(constantFloor, int64(len(dst)), o.payload, o.msg); err != nil {
		return err
	}
	samples := getSamples(len(at))
	defer putSamples(samples)
	if err := p.layers[1].pick(*samples, at, payloadSection{o}); err != nil {
		return err
	}
	p.layers[0].values(dst, *samples)
	masks, err := o.keptMasks(p)
	if err != nil || masks == (nonFinite{}) {
		return err
	}
	a := &Array{Shape: parts[0].shape, DType: o.desc.DType, ByteOrder: LittleEndian, Data: dst}
	return restoreRuns([]*Array{a}, parts, masks, &opts, each)
}

// picks reports whether each element is made of one sample that is decoded without most others.
func (p *payloadDecoder) picks() bool {
	return len(p.layers) == 2 && p.layers[0].values != nil && p.layers[1].pick != nil && p.d.DType.Size() == 8
}
