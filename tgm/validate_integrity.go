package tgm

import (
	"errors"
	"fmt"
	"iter"
)

// hashes compares the frames with their hashes, and the hashes of data frames with the lists in
// hash frames.
func (v *validator) hashes() error {
	verified, object := len(v.spans) > 0, 0
	for i, f := range v.frames {
		slot, j := v.hashSlots[i], -1
		if f.kind == frameData {
			j = object
			object++
		}
		if !slot.present {
			verified = verified && f.kind != frameData
			continue
		}
		computed, err := v.hashFrame(f)
		if err != nil {
			return err
		}
		if computed != slot.value {
			verified = false
			v.add(levelIntegrity, SeverityError, "hash_mismatch", j, v.offset+f.offset,
				fmt.Sprintf("%s frame has hash %s, expected %s", f.kind, hashText(computed), hashText(slot.value)))
		}
	}
	listed, err := v.compareHashFrames()
	if err != nil {
		return err
	}
	if !listed && !v.anySlot() && len(v.spans) > 0 {
		v.warn(levelIntegrity, "no_hash_available", -1, v.offset, "message has no hashes")
	}
	v.report.HashVerified = verified
	return nil
}

func (v *validator) anySlot() bool {
	for _, s := range v.slots {
		if s.present {
			return true
		}
	}
	return false
}

// compareHashFrames compares the lists of hash frames with the data frames; any is false if
// there are no lists.
func (v *validator) compareHashFrames() (any bool, err error) {
	for _, f := range v.framesOf(frameHeaderHash, frameFooterHash) {
		b, err := v.content(f)
		if err != nil {
			if err := v.frameError(err); err != nil {
				return any, err
			}
			continue
		}
		at := v.at(-1, v.offset+f.offset)
		h, err := parseHashes(b, at)
		if err != nil {
			if v.level == LevelChecksum {
				if err := v.errorAt(levelIntegrity, err); err != nil {
					return any, err
				}
			}
			continue
		}
		if h.algorithm != hashAlgorithm {
			v.warn(levelIntegrity, "unknown_hash_algorithm", -1, at.Offset, fmt.Sprintf("hash algorithm %q, expected %q", h.algorithm, hashAlgorithm))
			continue
		}
		any = true
		for j, digest := range h.digests[:min(len(h.digests), len(v.slots))] {
			if slot := v.slots[j]; slot.present && digest != hashText(slot.value) {
				v.add(levelIntegrity, SeverityError, "hash_mismatch", j, at.Offset,
					fmt.Sprintf("%s frame has %s, the object's frame %s", f.kind, digest, hashText(slot.value)))
			}
		}
	}
	return any, nil
}

// payloads decodes every object; at the full level it looks at the values too.
func (v *validator) payloads() error {
	for j, readable := range v.readable {
		if !readable {
			continue
		}
		o, err := v.objectAgain(j)
		if err == nil {
			err = v.checkPayload(o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// objectAgain returns an object whose descriptor was read before.
func (v *validator) objectAgain(j int) (*Object, error) {
	if j < len(v.objects) {
		return v.objects[j], nil
	}
	return v.readObject(j, v.spans[j], nil)
}

func (v *validator) checkPayload(o *Object) error {
	p, err := newPayloadDecoder(o.desc, o.payload, v.limits)
	if err != nil {
		return v.payloadError(o, levelIntegrity, "pipeline_config_failed", err)
	}
	full := v.level == LevelFull
	if err := p.checkPlain(o.payload); p.plain() && err != nil {
		return v.payloadError(o, levelOf(full), pick(full, "decoded_size_mismatch", "decode_pipeline_failed"), err)
	}
	if !full || p.constant() {
		err = o.checkDecoding(p)
		return v.payloadError(o, levelIntegrity, "decode_pipeline_failed", err)
	}
	floor := int64(arrayFloor)
	if o.HasRanges() {
		floor = p.partsFloor(o.payload)
	}
	if err := p.checkExpansionFrom(floor, int64(p.size), o.payload, v.Message); err != nil {
		return v.payloadError(o, levelFidelity, "decode_object_failed", err)
	}
	opts, first := DecodeOptions{KeepZeros: true, SkipHash: true}, 0
	for a, err := range v.blocks(o, p, opts) {
		if err != nil {
			return v.payloadError(o, levelFidelity, "decode_object_failed", err)
		}
		if !v.checkValues(o, a, first) {
			break
		}
		first += len(a.Data) / max(1, a.DType.Size())
	}
	return nil
}

// blocks yields the elements of an object: part by part if it is very much larger than its payload.
func (v *validator) blocks(o *Object, p *payloadDecoder, opts DecodeOptions) iter.Seq2[*Array, error] {
	if p.expands(o.payload) {
		return o.Blocks(opts)
	}
	return func(yield func(*Array, error) bool) {
		defer v.budget.hold(p.memory(o.payload))()
		yield(o.decodeWith(p, opts))
	}
}

// levelOf names the level at which a payload is decoded.
func levelOf(full bool) string { return pick(full, levelFidelity, levelIntegrity) }

func pick(full bool, a, b string) string {
	if full {
		return a
	}
	return b
}

// payloadError records a problem of a payload, or returns an error of reading.
func (v *validator) payloadError(o *Object, level, code string, err error) error {
	var encoding *EncodingError
	var compression *CompressionError
	var missing *UnsupportedError
	text := ""
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		v.warn(level, "unsupported_codec", o.index, o.Offset(), missing.Feature+" cannot be decoded here")
		return nil
	case errors.As(err, &compression):
		text = compression.description()
	case errors.As(err, &encoding):
		text = encoding.description()
	default:
		return err
	}
	v.add(level, SeverityError, code, o.index, o.Offset(), text)
	return nil
}

// checkValues looks for values that are not finite, and returns true if all are finite. Masked
// values are zeros here. first is the number of the first element.
func (v *validator) checkValues(o *Object, a *Array, first int) bool {
	l, isFloat := layoutOf(a.DType)
	if !isFloat || !l.anyNonFinite(a.Data, a.ByteOrder) {
		return true
	}
	size := a.DType.Size()
	for i := 0; (i+1)*size <= len(a.Data); i++ {
		kind, _ := l.classifyElement(a.Data[i*size:(i+1)*size], a.ByteOrder)
		if kind == finite {
			continue
		}
		code := "inf_detected"
		if kind == kindNaN {
			code = "nan_detected"
		}
		v.add(levelFidelity, SeverityError, code, o.index, o.Offset(), fmt.Sprintf("element %d is %s", first+i, maskKinds[kind].name))
		return false
	}
	return true
}
