package tgm

import (
	"errors"

	"github.com/tgmconv/tgmconv/codec/aec"
)

// ErrNotPacked says that an object holds values and not the integers of simple_packing.
var ErrNotPacked = errors.New("values are not stored as packed integers")

// Packed returns the integers of an object that went through simple_packing, with their parameters.
// It is the opposite of EncodePacked. An szip stream is not decoded, and comes back in AEC;
// integers come in Bits. The frame is compared with its hash if it has one.
//
// The error is ErrNotPacked for objects with another encoding or with masks of infinities, else as
// Decode returns it.
func (o *Object) Packed() (*Packed, error) { return o.PackedIn(nil) }

// PackedIn is Packed with a buffer for the payload, which is used if it is large enough. The result
// may refer to it.
func (o *Object) PackedIn(buffer []byte) (*Packed, error) {
	q, err := o.packed(buffer)
	if err == ErrNotPacked {
		return nil, err
	}
	return q, locate(err, o.where())
}

func (o *Object) packed(buffer []byte) (*Packed, error) {
	d := o.desc
	if d.Encoding != nameSimplePacking || d.DType != Float64 || d.Masks.PosInf != nil || d.Masks.NegInf != nil {
		return nil, ErrNotPacked
	}
	p, err := newPayloadDecoder(d, o.payload, o.msg.limits)
	if err == nil {
		err = p.checkExpansion(int64(p.size), o.payload, o.msg)
	}
	if err != nil {
		return nil, err
	}
	q := &Packed{Shape: d.Shape}
	if q.Params, err = d.packing(); err != nil {
		return nil, err
	}
	rest, err := o.readRest()
	if err != nil {
		return nil, err
	}
	payload := sized(buffer, int(o.payload))
	if err := o.readVerified(payload, rest, &DecodeOptions{}); err != nil {
		return nil, err
	}
	masks, err := p.masks(rest, uint64(o.payload))
	if err != nil {
		return nil, err
	}
	q.Missing = masks[kindNaN]
	if q.Params.Bits == 0 || p.n == 0 {
		return q, nil
	}
	if d.Filter == nameNone && d.Compression == nameSzip {
		params, err := d.szipParams(q.Params.Bits)
		q.AEC = &aec.Stream{Data: payload, BlockSize: params.BlockSize, RSI: params.RSI, Flags: uint8(params.Flags)}
		return q, wrapCompression(err, nameSzip)
	}
	q.Bits, err = p.unfiltered(payload)
	return q, err
}

// unfiltered undoes all stages but the first.
func (p *payloadDecoder) unfiltered(payload []byte) ([]byte, error) {
	for i := len(p.layers) - 1; i > 0; i-- {
		out := make([]byte, p.layers[i].in.bytes)
		if err := p.layers[i].decode(out, payload); err != nil {
			return nil, err
		}
		payload = out
	}
	return payload, checkPacked(len(payload), p.layers[0].out.bytes)
}
