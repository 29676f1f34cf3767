package compress

import (
	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// zstdFrame is one of several independent frames, and where its content goes.
type zstdFrame struct {
	src        []byte
	first, end int
}

// decodeZstdFrames decodes independent frames at the same time. ok is false if there are not
// several, or if anything is wrong with them: decodeZstdAll then has the error.
func decodeZstdFrames(dst, src []byte, want int) (out []byte, ok bool) {
	frames := splitZstd(src, want)
	if len(frames) < 2 {
		return nil, false
	}
	out = room(dst, want)
	err := parallel.Pieces(len(frames), 1, 1, func(first, end int) error {
		for _, f := range frames[first:end] {
			if _, err := decodeZstdAll(out[f.first:f.end:f.end], f.src, f.end-f.first); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err == nil
}

// maxFrames bounds the memory that the list of frames takes.
const maxFrames = 1 << 16

// splitZstd returns the frames of src if their headers say that they hold want bytes in all.
func splitZstd(src []byte, want int) (frames []zstdFrame) {
	done := 0
	for len(src) > 0 {
		var h zstd.Header
		if h.Decode(src) != nil || h.Skippable || !h.HasFCS || h.FrameContentSize > uint64(want-done) || len(frames) == maxFrames {
			return nil
		}
		size, ok := zstdFrameBytes(src, &h)
		if !ok {
			return nil
		}
		end := done + int(h.FrameContentSize)
		frames = append(frames, zstdFrame{src[:size:size], done, end})
		src, done = src[size:], end
	}
	if done != want {
		return nil
	}
	return frames
}

// IsZstdFrame reports whether src is one frame that says it holds want bytes, with blocks up to its end. What is in
// these is not looked at.
func IsZstdFrame(src []byte, want int) bool { return len(splitZstd(src, want)) == 1 }

// The header of a block is three bytes, little-endian: one bit that says it is the last, two of its
// kind, and its size.
const (
	zstdBlockHeader = 3
	zstdRepeated    = 1 // kind of a block that is one byte, repeated
	zstdReserved    = 3
	zstdChecksum    = 4 // bytes
)

// zstdFrameBytes returns the length of the frame that src begins with.
func zstdFrameBytes(src []byte, h *zstd.Header) (size int, ok bool) {
	at := h.HeaderSize
	for {
		if len(src)-at < zstdBlockHeader {
			return 0, false
		}
		b := int(src[at]) | int(src[at+1])<<8 | int(src[at+2])<<16
		n := b >> 3
		switch b >> 1 & 3 {
		case zstdReserved:
			return 0, false
		case zstdRepeated:
			n = 1
		}
		at += zstdBlockHeader
		if n > len(src)-at {
			return 0, false
		}
		if at += n; b&1 != 0 {
			break
		}
	}
	if h.HasCheckSum {
		at += zstdChecksum
	}
	return at, at <= len(src)
}
