package tgm

import "iter"

// Sizes in bytes: of arrays that are decoded in parts, and of a part.
const (
	blocksFloor = 16 << 20
	blockBytes  = 4 << 20
)

// InParts reports whether the object is best decoded part by part, with [Object.DecodeRange]. It
// is so for arrays larger than 16 MiB if [Object.HasRanges] reports true. It makes the checks
// that [Object.Decode] makes of the whole object: the limits, and the hash as opts say.
func (o *Object) InParts(opts DecodeOptions) (bool, error) {
	// Decode gives the error of an array whose size cannot be counted.
	if size, _ := o.desc.DecodedSize(); size <= blocksFloor || !o.HasRanges() {
		return false, nil
	}
	return true, locate(o.checkParts(opts), o.where())
}

func (o *Object) checkParts(opts DecodeOptions) error {
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil {
		return err
	}
	if !p.constant() {
		if err := p.checkExpansionFrom(p.partsFloor(o.payload), int64(p.size), o.payload, o.msg); err != nil {
			return err
		}
	}
	switch {
	case opts.VerifyHash:
		return o.VerifyHash()
	case !opts.SkipHash && o.msg.hashes:
		return o.CheckHash()
	}
	return nil
}

// Blocks yields the elements of the object in C order, in arrays that follow each other. They are
// parts of about 4 MiB, of one dimension, if [Object.InParts] reports true, else the whole array.
// An array is valid until the next is asked for, because they share memory.
func (o *Object) Blocks(opts DecodeOptions) iter.Seq2[*Array, error] {
	return func(yield func(*Array, error) bool) {
		parts, err := o.InParts(opts)
		if err != nil {
			yield(nil, err)
			return
		}
		if !parts {
			yield(o.Decode(opts))
			return
		}
		n, _ := o.desc.Elements() // counted by InParts
		part := uint64(blockBytes / o.desc.DType.Size())
		opts.VerifyHash, opts.SkipHash = false, true
		for first := uint64(0); first < n; first += part {
			a, err := o.DecodeRange(first, min(part, n-first), opts)
			if !yield(a, err) || err != nil {
				return
			}
			opts.Dst = a.Data
		}
	}
}

// Constant returns the value of all elements, and true, if the descriptor says that all are equal.
// It says so by simple_packing of 0 bits without masks. The array may have any size.
func (o *Object) Constant() (float64, bool) {
	if o.desc.Masks.Any() || o.desc.Encoding != nameSimplePacking {
		return 0, false
	}
	p, err := newPayloadDecoder(o.desc, o.payload, o.msg.limits)
	if err != nil || !p.constant() || p.n == 0 {
		return 0, false
	}
	a, err := o.DecodeRange(0, 1, DecodeOptions{ByteOrder: LittleEndian, SkipHash: true})
	if err != nil {
		return 0, false
	}
	return a.DType.Number()(a.Data), true
}
