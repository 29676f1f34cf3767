package tgm

import (
	"encoding/binary"
	"fmt"
	"math"
)

// WireVersion is the version of the message format that this package reads and writes.
const WireVersion = 3

// Wire constants, all integers big-endian.
const (
	messageMagic = "TENSOGRM"
	messageEnd   = "39277777"
	frameMagic   = "FR"
	frameEnd     = "ENDF"

	preambleSize    = 8 + 2 + 2 + 4 + 8 // magic, version, flags, reserved, total length
	postambleSize   = 8 + 8 + 8         // offset of the first footer frame, total length, end magic
	frameHeaderSize = 2 + 2 + 2 + 2 + 8 // magic, type, version, flags, total length
	frameFooterSize = 8 + 4             // hash, end marker
	dataFooterSize  = 8 + 8 + 4         // offset of the descriptor, hash, end marker

	alignment = 8 // frames start at multiples of this from the start of the message
)

// Preamble flags.
const (
	flagHeaderMetadata = 1 << iota
	flagFooterMetadata
	flagHeaderIndex
	flagFooterIndex
	flagHeaderHashes
	flagFooterHashes
	flagPreceders
	flagHashesPresent
)

// Frame flags.
const (
	frameFlagCBORAfter = 1 << iota // the descriptor follows the payload
	frameFlagHash                  // the hash slot is filled; releases before 0.21 left it unset
)

// frameType names the content of a frame.
type frameType uint16

const (
	frameHeaderMetadata frameType = 1
	frameHeaderIndex    frameType = 2
	frameHeaderHash     frameType = 3
	frameFooterHash     frameType = 5
	frameFooterIndex    frameType = 6
	frameFooterMetadata frameType = 7
	framePreceder       frameType = 8
	frameData           frameType = 9
)

var frameNames = map[frameType]string{
	frameHeaderMetadata: "header metadata",
	frameHeaderIndex:    "header index",
	frameHeaderHash:     "header hash",
	frameFooterHash:     "footer hash",
	frameFooterIndex:    "footer index",
	frameFooterMetadata: "footer metadata",
	framePreceder:       "preceder metadata",
	frameData:           "data",
}

// String names the type for error messages.
func (t frameType) String() string {
	if name, ok := frameNames[t]; ok {
		return name
	}
	return fmt.Sprintf("type %d", uint16(t))
}

// phase is the place of a frame in a message: header frames, then the body, then footer frames.
func (t frameType) phase() int {
	switch t {
	case frameHeaderMetadata, frameHeaderIndex, frameHeaderHash:
		return 0
	case framePreceder, frameData:
		return 1
	}
	return 2
}

// footerSize returns the bytes after the content of a frame.
func (t frameType) footerSize() int64 {
	if t == frameData {
		return dataFooterSize
	}
	return frameFooterSize
}

// preamble is the first 24 bytes of a message.
type preamble struct {
	flags uint16
	total uint64 // 0 for a message that was streamed and never patched
}

// parsePreamble reads the first preambleSize bytes of b.
func parsePreamble(b []byte, at Location) (preamble, error) {
	if len(b) < preambleSize {
		return preamble{}, framingError("buffer_too_short", at, "%d bytes are less than a preamble of %d", len(b), preambleSize)
	}
	if string(b[:8]) != messageMagic {
		return preamble{}, framingError("invalid_magic", at, "found %q, expected %q", b[:8], messageMagic)
	}
	if v := binary.BigEndian.Uint16(b[8:]); v != WireVersion {
		return preamble{}, framingError("preamble_parse_failed", at, "wire version %d, expected %d", v, WireVersion)
	}
	p := preamble{flags: binary.BigEndian.Uint16(b[10:]), total: binary.BigEndian.Uint64(b[16:])}
	if p.total != 0 && p.total < preambleSize+postambleSize {
		return p, framingError("total_length_too_small", at, "message length %d, expected at least %d", p.total, preambleSize+postambleSize)
	}
	return p, nil
}

func appendPreamble(dst []byte, p preamble) []byte {
	dst = append(dst, messageMagic...)
	dst = binary.BigEndian.AppendUint16(dst, WireVersion)
	dst = binary.BigEndian.AppendUint16(dst, p.flags)
	dst = binary.BigEndian.AppendUint32(dst, 0)
	return binary.BigEndian.AppendUint64(dst, p.total)
}

// postamble is the last 24 bytes of a message.
type postamble struct {
	firstFooter uint64 // from the start of the message; the postamble's own offset if there are no footer frames
	total       uint64 // as in the preamble, or 0
}

// parsePostamble reads postambleSize bytes; ok is false if they do not end with the end magic.
func parsePostamble(b []byte) (p postamble, ok bool) {
	if len(b) < postambleSize || string(b[16:24]) != messageEnd {
		return postamble{}, false
	}
	return postamble{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, true
}

func appendPostamble(dst []byte, p postamble) []byte {
	dst = binary.BigEndian.AppendUint64(dst, p.firstFooter)
	dst = binary.BigEndian.AppendUint64(dst, p.total)
	return append(dst, messageEnd...)
}

// frame is a frame header and where it stands in its message.
type frame struct {
	kind   frameType
	flags  uint16
	offset int64 // from the start of the message
	length int64 // header, content and footer, without padding
}

// contentEnd returns the offset of the frame's footer.
func (f frame) contentEnd() int64 { return f.offset + f.length - f.kind.footerSize() }

// end returns the offset after the frame, before padding.
func (f frame) end() int64 { return f.offset + f.length }

// isFrame reports whether b starts like a frame.
func isFrame(b []byte) bool { return len(b) >= 2 && string(b[:2]) == frameMagic }

// parseFrameHeader reads a frame header at offset in a message whose frames end before limit.
func parseFrameHeader(b []byte, offset, limit int64, at Location) (frame, error) {
	if len(b) < frameHeaderSize || limit-offset < frameHeaderSize {
		return frame{}, framingError("truncated_frame_header", at, "%d bytes left for a frame header of %d", min(int64(len(b)), limit-offset), frameHeaderSize)
	}
	kind := frameType(binary.BigEndian.Uint16(b[2:]))
	if !isFrame(b) || frameNames[kind] == "" {
		return frame{}, framingError("invalid_frame_header", at, "found %q and %s, expected %q and a known frame type", b[:2], kind, frameMagic)
	}
	length := binary.BigEndian.Uint64(b[8:])
	switch least := uint64(frameHeaderSize + kind.footerSize()); {
	case length > math.MaxUint64-uint64(offset):
		return frame{}, framingError("frame_length_overflow", at, "%s frame of %d bytes", kind, length)
	case length < least:
		return frame{}, framingError("frame_too_small", at, "%s frame of %d bytes, expected at least %d", kind, length, least)
	case length > uint64(limit-offset):
		return frame{}, framingError("frame_exceeds_message", at, "%s frame of %d bytes where %d are left", kind, length, limit-offset)
	}
	return frame{kind, binary.BigEndian.Uint16(b[6:]), offset, int64(length)}, nil
}

func appendFrameHeader(dst []byte, kind frameType, flags uint16, length uint64) []byte {
	dst = append(dst, frameMagic...)
	dst = binary.BigEndian.AppendUint16(dst, uint16(kind))
	dst = binary.BigEndian.AppendUint16(dst, 1)
	dst = binary.BigEndian.AppendUint16(dst, flags)
	return binary.BigEndian.AppendUint64(dst, length)
}

// hashSlot returns the hash at the end of a frame and whether it counts as present. Releases from
// 0.21 say so in the frame's flags, earlier releases only in the preamble.
func hashSlot(footer []byte, f frame, messageFlags uint16) (uint64, bool) {
	h := binary.BigEndian.Uint64(footer[len(footer)-frameFooterSize:])
	return h, f.flags&frameFlagHash != 0 || messageFlags&flagHashesPresent != 0 && h != 0
}

// padding returns the zero bytes that follow n bytes.
func padding(n int64) int64 { return -n & (alignment - 1) }

// zeros are for padding.
var zeros [alignment]byte

func framingError(code string, at Location, format string, args ...any) error {
	return &FramingError{Problem{at, fmt.Sprintf(format, args...), nil}, code}
}
