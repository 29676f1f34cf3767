package tgm

import (
	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/codec/packing"
)

// HasRanges reports whether DecodeRange can read a part of the object without the rest: there is no
// filter, and the payload is either uncompressed or an szip stream with the offsets of its
// intervals.
func (o *Object) HasRanges() bool {
	d := o.desc
	if d.Filter != nameNone || d.DType == Bitmask || d.Encoding != nameNone && d.Encoding != nameSimplePacking {
		return false
	}
	_, offsets := d.Params["szip_block_offsets"]
	return d.Compression == nameNone || d.Compression == nameSzip && offsets
}

// DecodeRange returns count elements from first in C order, as an array of one dimension. Only the
// bytes they lie in are read, and the masks, if there are any. Objects for which HasRanges is false
// give an *UnsupportedError. opts.VerifyHash reads the whole frame.
func (o *Object) DecodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	a, err := o.decodeRange(first, count, opts)
	return a, locate(err, o.where())
}

func (o *Object) decodeRange(first, count uint64, opts DecodeOptions) (*Array, error) {
	n, ok := o.desc.Elements()
	if !ok || first > n || count > n-first {
		return nil, objectError(nowhere, "elements %d to %d of %d", first, first+count, n)
	}
	if !o.HasRanges() {
		return nil, unsupported("ranges of encoding " + o.desc.Encoding + ", filter " + o.desc.Filter + ", compression " + o.desc.Compression)
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
	a := &Array{Shape: []uint64{count}, DType: o.desc.DType, ByteOrder: opts.ByteOrder}
	if o.desc.Encoding == nameSimplePacking {
		a.Data, err = o.rangeOfPacked(p, int(first), int(count), &opts)
	} else {
		a.Data, err = o.rangeOfPlain(p, int(first), int(count), &opts)
	}
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

// rangeOfPlain reads elements that are stored as they are, possibly behind szip.
func (o *Object) rangeOfPlain(p *payloadDecoder, first, count int, opts *DecodeOptions) ([]byte, error) {
	size := o.desc.DType.Size()
	out := sized(opts.Dst, count*size)
	if o.desc.Compression == nameSzip {
		if err := o.rangeOfSzip(p, out, first, count, p.n); err != nil {
			return nil, err
		}
	} else {
		if err := p.checkPlain(o.payload); err != nil {
			return nil, err
		}
		if err := o.msg.src.readAt(out, o.PayloadOffset()+int64(first)*int64(size)); err != nil {
			return nil, err
		}
	}
	p.reorder(out, opts.ByteOrder)
	return out, nil
}

// rangeOfPacked decodes packed integers. The range is begun at a multiple of eight elements, which
// is a whole byte at any width.
func (o *Object) rangeOfPacked(p *payloadDecoder, first, count int, opts *DecodeOptions) ([]byte, error) {
	lead := first % 8
	from, n := first-lead, count+lead
	need, ok := packing.Size(n, p.params.Bits)
	if !ok {
		return nil, encodingError(nil, "%d integers of %d bits are more than can be counted", n, p.params.Bits)
	}
	buf := getBuffer(need)
	defer putBuffer(buf)
	if o.desc.Compression == nameSzip && p.params.Bits > 0 {
		if err := o.rangeOfSzip(p, *buf, from, n, p.n); err != nil {
			return nil, err
		}
	} else {
		at := int64(from/8) * int64(p.params.Bits)
		if at+int64(need) > o.payload {
			return nil, encodingError(nil, "payload of %d bytes, %d integers of %d bits take %d", o.payload, p.n, p.params.Bits, p.encoded)
		}
		if err := o.msg.src.readAt(*buf, o.PayloadOffset()+at); err != nil {
			return nil, err
		}
	}
	out, err := unpackValues(opts.Dst, *buf, n, p.params, opts.ByteOrder)
	if err != nil {
		return nil, err
	}
	return out[8*lead:], nil
}

// rangeOfSzip decodes samples of the stream, of which there are total, reading only the intervals
// they lie in.
func (o *Object) rangeOfSzip(p *payloadDecoder, out []byte, first, count, total int) error {
	if count == 0 {
		return nil
	}
	offsets, err := o.desc.szipOffsets(p.szip, total, int(o.payload))
	if err != nil {
		return wrapCompression(err, nameSzip)
	}
	return o.decodeIntervals(out, p.szip, offsets, first, count)
}

// decodeIntervals reads and decodes the intervals that hold the samples [first, first+count).
func (o *Object) decodeIntervals(out []byte, params aec.Params, offsets []uint64, first, count int) error {
	interval := params.RSI * params.BlockSize
	head, tail := first/interval, (first+count-1)/interval
	start, end := int64(offsets[head]/8), o.payload
	if tail+1 < len(offsets) {
		end = int64(offsets[tail+1]+7) / 8
	}
	buf := getBuffer(int(end - start))
	defer putBuffer(buf)
	if err := o.msg.src.readAt(*buf, o.PayloadOffset()+start); err != nil {
		return err
	}
	local := make([]uint64, tail-head+1)
	for i := range local {
		local[i] = offsets[head+i] - 8*uint64(start)
	}
	return wrapCompression(aec.DecodeRange(out, *buf, params, local, first-head*interval, count), nameSzip)
}
