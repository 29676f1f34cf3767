package tgm

import (
	"bytes"
	"errors"
	"fmt"
)

// metadataFrames checks the CBOR of all frames and its statements about the objects.
func (v *validator) metadataFrames() error {
	if ok, err := v.checkMetadata(); !ok || err != nil {
		return err
	}
	for _, f := range v.framesOf(frameHeaderIndex, frameFooterIndex) {
		if err := v.checkIndex(f); err != nil {
			return err
		}
	}
	for _, f := range v.framesOf(frameHeaderHash, frameFooterHash) {
		if err := v.checkHashFrame(f); err != nil {
			return err
		}
	}
	if err := v.checkPreceders(); err != nil {
		return err
	}
	for j, s := range v.spans {
		if err := v.checkDescriptor(j, s); err != nil {
			return err
		}
	}
	return nil
}

// checkMetadata checks the metadata frames. After an unreadable frame, the later checks make no
// sense.
func (v *validator) checkMetadata() (ok bool, err error) {
	frames := v.framesOf(frameHeaderMetadata, frameFooterMetadata)
	for i, f := range frames {
		// The header of a streamed message has the caller's metadata; the encoder's part comes
		// with the footer.
		if err := v.checkMetadataFrame(f, i == len(frames)-1); err != nil {
			return false, v.frameError(err)
		}
	}
	return true, nil
}

// checkMetadataFrame checks a metadata frame, one base entry after the other. It returns an error
// that makes the frame unreadable.
func (v *validator) checkMetadataFrame(f frame, complete bool) error {
	l, err := v.scanMetadata(f, len(v.spans))
	if err != nil {
		return err
	}
	if v.canonical {
		canonical, err := l.allCanonical(v.src)
		if err != nil {
			return err
		}
		if !canonical {
			v.warn(levelMetadata, "metadata_cbor_non_canonical", -1, l.at.Offset, "metadata is not canonical CBOR")
		}
	}
	if complete && l.count > len(v.spans) { // the header of a streamed message may announce more
		v.add(levelMetadata, SeverityError, "base_count_exceeds_objects", -1, l.at.Offset, fmt.Sprintf("base has %d entries for %d objects", l.count, len(v.spans)))
	}
	if _, err := l.shared(v.src); err != nil {
		return err
	}
	for j := range len(l.entries) - 1 {
		entry, err := l.written(v.src, j)
		if err != nil {
			return err
		}
		if err := l.check(v.src, entry); err != nil {
			v.add(levelMetadata, SeverityError, "base_entry_contradicts_itself", j, l.entries[j], err.Error())
		}
		v.checkReserved(j, entry, l.at.Offset, complete)
	}
	return nil
}

// frameError records a problem of a frame as a whole. The structure level has reported
// missing end markers.
func (v *validator) frameError(err error) error {
	var framing *FramingError
	if errors.As(err, &framing) && framing.Code == "missing_end_marker" {
		return nil
	}
	return v.errorAt(levelMetadata, err)
}

func (v *validator) checkCanonical(b []byte, code string, object int, offset int64, what string) {
	if v.canonical && !isCanonical(b) {
		v.warn(levelMetadata, code, object, offset, what+" is not canonical CBOR")
	}
}

func (v *validator) checkReserved(j int, entry map[string]any, offset int64, complete bool) {
	reserved, present := entry[keyReserved]
	m, isMap := reserved.(map[string]any)
	if present && !isMap {
		v.add(levelMetadata, SeverityError, "reserved_not_a_map", j, offset, fmt.Sprintf("%s is %s, expected a map", keyReserved, cborKind(reserved)))
		return
	}
	if _, ok := m["tensor"]; !ok && complete {
		v.warn(levelMetadata, "reserved_missing_tensor", j, offset, "base entry does not describe its tensor")
	}
}

func (v *validator) checkIndex(f frame) error {
	at := v.at(-1, v.offset+f.offset)
	b, err := v.content(f)
	if err != nil {
		return v.frameError(err)
	}
	spans, err := parseIndex(b, at)
	if err != nil {
		return v.errorAt(levelMetadata, err)
	}
	if len(spans) != len(v.spans) {
		v.add(levelMetadata, SeverityError, "index_count_mismatch", -1, at.Offset, fmt.Sprintf("index has %d objects, message has %d", len(spans), len(v.spans)))
		return nil
	}
	for j, s := range spans {
		if s != v.spans[j] {
			v.add(levelMetadata, SeverityError, "index_offset_mismatch", j, at.Offset,
				fmt.Sprintf("index has %d bytes at %d, found %d at %d", s.length, s.offset, v.spans[j].length, v.spans[j].offset))
		}
	}
	return nil
}

func (v *validator) checkHashFrame(f frame) error {
	at := v.at(-1, v.offset+f.offset)
	b, err := v.content(f)
	if err != nil {
		return v.frameError(err)
	}
	h, err := parseHashes(b, at)
	if err != nil {
		return v.errorAt(levelMetadata, err)
	}
	if len(h.digests) != len(v.spans) {
		v.add(levelMetadata, SeverityError, "hash_frame_count_mismatch", -1, at.Offset, fmt.Sprintf("%d hashes for %d objects", len(h.digests), len(v.spans)))
	}
	return nil
}

func (v *validator) checkPreceders() error {
	object := 0
	for _, f := range v.frames {
		switch f.kind {
		case frameData:
			object++
		case framePreceder:
			b, err := v.content(f)
			if err == nil {
				v.checkCanonical(b, "preceder_cbor_non_canonical", object, v.offset+f.offset, "preceder metadata")
				_, err = parsePreceder(b, v.at(object, v.offset+f.offset))
			}
			var metadata *MetadataError
			if errors.As(err, &metadata) && metadata.Code == "metadata_cbor_parse_failed" {
				metadata.Code = "preceder_cbor_parse_failed"
			}
			if err := v.frameError(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDescriptor reads the descriptor of an object.
func (v *validator) checkDescriptor(j int, s span) error {
	o, err := v.readObject(j, s, nil)
	v.readable = append(v.readable, err == nil)
	if err != nil {
		return v.frameError(err)
	}
	if len(v.objects) == j && j < keptObjects {
		v.objects = append(v.objects, o)
	}
	v.checkCanonical(o.cbor, "descriptor_cbor_non_canonical", j, o.Offset(), "descriptor")
	if !bytes.Contains(o.cbor, []byte(keyByteOrder)) {
		v.warn(levelMetadata, "byte_order_missing", j, o.Offset(), "descriptor has no byte_order, read as little")
	}
	v.readable[j] = v.knowsStages(o)
	return nil
}

// knowsStages reports whether the stages of an object belong to the format.
func (v *validator) knowsStages(o *Object) bool {
	known := true
	for i, name := range [3]string{o.desc.Encoding, o.desc.Filter, o.desc.Compression} {
		kind := StageKind(i)
		if _, ok := findStage(kind, name); !ok {
			v.add(levelMetadata, SeverityError, "unknown_"+kind.String(), o.index, o.Offset(), fmt.Sprintf("%s %q is none of %v", kind, name, StageNames(kind)))
			known = false
		}
	}
	return known
}
