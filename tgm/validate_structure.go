package tgm

import (
	"bytes"
	"fmt"
)

const (
	levelStructure = "structure"
	levelMetadata  = "metadata"
	levelIntegrity = "integrity"
	levelFidelity  = "fidelity"
)

// structure walks the frames and checks their order, ends and padding. It keeps the frames for
// the later levels, which see the frames before the first unreadable frame.
func (v *validator) structure() error {
	w := walker{src: v.src, base: v.offset, pos: preambleSize, limit: v.framesEnd(), message: v.index}
	end := int64(preambleSize)
	for {
		f, ok, err := w.next()
		if err != nil {
			if err := v.errorAt(levelStructure, err); err != nil {
				return err
			}
			break
		}
		next := v.framesEnd()
		if ok {
			next = f.offset
		}
		if err := v.checkPadding(end, next); err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := v.checkFrame(f); err != nil {
			return err
		}
		end = f.end()
	}
	v.checkOrder()
	v.checkPreamble()
	return nil
}

// checkPadding looks at the bytes between two frames.
func (v *validator) checkPadding(from, to int64) error {
	if from >= to {
		return nil
	}
	if to-from >= alignment {
		v.warn(levelStructure, "non_zero_padding", -1, v.offset+from, fmt.Sprintf("%d bytes between frames, expected less than %d", to-from, alignment))
		return nil
	}
	var b [alignment]byte
	if err := v.src.readAt(b[:to-from], v.offset+from); err != nil {
		return err
	}
	if !bytes.Equal(b[:to-from], zeros[:to-from]) {
		v.warn(levelStructure, "non_zero_padding", -1, v.offset+from, fmt.Sprintf("bytes % x between frames, expected zeros", b[:to-from]))
	}
	return nil
}

// checkFrame looks at the end of a frame and keeps the frame.
func (v *validator) checkFrame(f frame) error {
	footer := make([]byte, f.kind.footerSize())
	if err := v.src.readAt(footer, v.offset+f.contentEnd()); err != nil {
		return err
	}
	object := -1
	if f.kind == frameData {
		object = len(v.spans)
	}
	at := v.at(object, v.offset+f.offset)
	if end := footer[len(footer)-len(frameEnd):]; string(end) != frameEnd {
		v.add(levelStructure, SeverityError, "missing_end_marker", object, at.Offset, fmt.Sprintf("%s frame ends with %q, expected %q", f.kind, end, frameEnd))
	}
	value, present := hashSlot(footer, f, v.pre.flags)
	v.hashSlots = append(v.hashSlots, hashValue{value, present})
	if f.kind == frameData {
		v.spans = append(v.spans, span{f.offset, f.length})
		v.slots = append(v.slots, hashValue{value, present})
		if err := v.checkDescriptorPlace(f, footer, at); err != nil {
			return err
		}
	}
	v.frames = append(v.frames, f)
	return nil
}

// checkDescriptorPlace checks that the descriptor lies in its frame and, before a payload, that its
// end can be found.
func (v *validator) checkDescriptorPlace(f frame, footer []byte, at Location) error {
	cborAt, err := cborOffset(footer, f, at)
	if err != nil {
		return v.errorAt(levelStructure, err)
	}
	if f.flags&frameFlagCBORAfter != 0 {
		return nil
	}
	n := min(f.length-dataFooterSize-cborAt, v.limits.item())
	b := make([]byte, n)
	if err := v.src.readAt(b, v.offset+f.offset+cborAt); err != nil {
		return err
	}
	if _, _, err := decodeMap(modes.decode, b); err != nil {
		v.add(levelStructure, SeverityError, "cbor_before_boundary_unknown", at.Object, at.Offset, "descriptor before the payload: "+err.Error())
	}
	return nil
}

// checkOrder checks that header frames come first and footer frames last, and that preceders stand
// before objects.
func (v *validator) checkOrder() {
	phase := 0
	var metadata frameType // of the last metadata frame, 0 if there is none
	for i, f := range v.frames {
		at := v.offset + f.offset
		if f.kind.phase() < phase {
			v.add(levelStructure, SeverityError, "frame_order_violation", -1, at, fmt.Sprintf("%s frame after later ones", f.kind))
		}
		phase = max(phase, f.kind.phase())
		if f.kind == frameHeaderMetadata || f.kind == frameFooterMetadata {
			if f.kind == metadata {
				v.add(levelStructure, SeverityError, "frame_order_violation", -1, at, fmt.Sprintf("a second %s frame", f.kind))
			}
			metadata = f.kind
		}
		if f.kind != framePreceder {
			continue
		}
		switch {
		case i+1 == len(v.frames):
			v.add(levelStructure, SeverityError, "dangling_preceder", -1, at, "preceder metadata is the last frame")
		case v.frames[i+1].kind != frameData:
			v.add(levelStructure, SeverityError, "preceder_not_followed_by_object", -1, at, fmt.Sprintf("preceder metadata before a %s frame", v.frames[i+1].kind))
		}
	}
	if metadata == 0 {
		v.add(levelStructure, SeverityError, "no_metadata_frame", -1, v.offset, "message has no metadata frame")
	}
}

// checkPreamble compares the flags and the footer offset with the frames found.
func (v *validator) checkPreamble() {
	flagOf := map[frameType]uint16{
		frameHeaderMetadata: flagHeaderMetadata, frameFooterMetadata: flagFooterMetadata,
		frameHeaderIndex: flagHeaderIndex, frameFooterIndex: flagFooterIndex,
		frameHeaderHash: flagHeaderHashes, frameFooterHash: flagFooterHashes, framePreceder: flagPreceders,
	}
	var found uint16
	footer := v.framesEnd()
	objects := false
	for _, f := range v.frames {
		found |= flagOf[f.kind]
		objects = objects || f.kind == frameData
		if f.kind.phase() == 2 {
			footer = min(footer, f.offset)
		}
	}
	declared := v.pre.flags &^ flagHashesPresent
	if !objects { // a stream's preamble cannot tell that no objects will come
		declared &^= (flagFooterHashes | flagPreceders) &^ found
	}
	if declared != found {
		description := fmt.Sprintf("preamble flags %#02x, frames found make %#02x", declared, found)
		if declared&^found&flagFooterMetadata != 0 {
			// A reader refuses the message: later metadata may replace the metadata in the header.
			v.add(levelStructure, SeverityError, "flag_mismatch", -1, v.offset, description)
		} else {
			v.warn(levelStructure, "flag_mismatch", -1, v.offset, description)
		}
	}
	if v.post.firstFooter != uint64(footer) {
		v.warn(levelStructure, "footer_offset_mismatch", -1, v.offset+v.framesEnd(), fmt.Sprintf("first footer frame at %d, found at %d", v.post.firstFooter, footer))
	}
}

// framesOf yields the frames of the given kinds in their order.
func (v *validator) framesOf(kinds ...frameType) (found []frame) {
	for _, f := range v.frames {
		for _, k := range kinds {
			if f.kind == k {
				found = append(found, f)
			}
		}
	}
	return found
}
