package compress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdStreamWindow is the largest window with which StreamZstd decodes piece by piece: the window
// of the default level of all encoders.
const zstdStreamWindow = 8 << 20

// StreamZstd writes the bytes to w that DecodeZstd returns, without keeping them. Frames that need
// a large window are decoded as a whole.
func StreamZstd(w io.Writer, src []byte, want int) error {
	if want/zstdMaxBlock > len(src)/zstdMinBlock {
		return sizeError("zstd", fmt.Sprintf("at most %d", len(src)/zstdMinBlock*zstdMaxBlock), want)
	}
	dec, err := zstd.NewReader(bytes.NewReader(src), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdStreamWindow))
	if err != nil {
		return fmt.Errorf("compress: zstd: %w", err)
	}
	defer dec.Close()
	// One byte more than there should be is asked for, to see that there is none.
	n, err := io.Copy(w, io.LimitReader(dec, int64(want)+1))
	if errors.Is(err, zstd.ErrWindowSizeExceeded) && n == 0 {
		out, err := DecodeZstd(nil, src, want)
		if err == nil {
			_, err = w.Write(out)
		}
		return err
	}
	if err != nil {
		return fmt.Errorf("compress: zstd: %w: %w", ErrCorrupt, err)
	}
	if n != int64(want) {
		return sizeError("zstd", n, want)
	}
	return nil
}

// Of an LZ4 block: the distance of the furthest match, and the shortest match.
const (
	lz4Window   = 64 << 10
	lz4MinMatch = 4
)

// StreamLZ4 writes the bytes to w that DecodeLZ4 returns, without holding more than 128 KiB of
// them.
func StreamLZ4(w io.Writer, src []byte, want int) error {
	if len(src) < lz4Prefix {
		return fmt.Errorf("compress: lz4: %w: %d bytes are less than the length prefix", ErrCorrupt, len(src))
	}
	if stored := binary.LittleEndian.Uint32(src); uint64(stored) != uint64(want) {
		return sizeError("lz4", stored, want)
	}
	if want == 0 {
		_, err := DecodeLZ4(nil, src, want)
		return err
	}
	s := lz4Stream{w: w, src: src[lz4Prefix:], left: want}
	if err := s.run(); err != nil {
		return err
	}
	return s.flush(0)
}

// lz4Stream decodes a block: sequences of
//
//	token: 4 bits length of literals, 4 bits length of a match - 4; 15: bytes to add follow
//	literals
//	uint16: how far back the match begins, and its further length; not after the last literals
type lz4Stream struct {
	w    io.Writer
	src  []byte
	left int // bytes of the result to come

	// buf has the last decoded bytes; the first written ones are in w.
	buf     []byte
	written int
}

func (s *lz4Stream) run() error {
	for len(s.src) > 0 {
		token := s.src[0]
		s.src = s.src[1:]
		n, ok := s.length(int(token >> 4))
		if !ok || n > len(s.src) {
			return s.corrupt("literals end beyond the block")
		}
		if err := s.literals(s.src[:n]); err != nil {
			return err
		}
		if s.src = s.src[n:]; len(s.src) == 0 {
			if token&15 != 0 {
				return s.corrupt("a match ends beyond the block")
			}
			break
		}
		if len(s.src) < 2 {
			return s.corrupt("an offset ends beyond the block")
		}
		offset := int(binary.LittleEndian.Uint16(s.src))
		s.src = s.src[2:]
		if n, ok = s.length(int(token & 15)); !ok {
			return s.corrupt("a match ends beyond the block")
		}
		if err := s.match(offset, n+lz4MinMatch); err != nil {
			return err
		}
	}
	if s.left != 0 {
		return s.corrupt("bytes are missing")
	}
	return nil
}

func (s *lz4Stream) corrupt(text string) error {
	return fmt.Errorf("compress: lz4: %w: %s: %d bytes to come", ErrCorrupt, text, s.left)
}

// length returns a length whose four bits are given. It is at most the number of bytes left, and 15.
func (s *lz4Stream) length(n int) (int, bool) {
	if n < 15 {
		return n, true
	}
	for i, b := range s.src {
		if n += int(b); b != 255 {
			s.src = s.src[i+1:]
			return n, true
		}
		if n-15 > s.left {
			return 0, false
		}
	}
	return 0, false
}

func (s *lz4Stream) literals(b []byte) error {
	if len(b) > s.left {
		return s.corrupt("too many literals")
	}
	s.left -= len(b)
	for len(b) > 0 {
		n := min(len(b), lz4Window)
		s.buf = append(s.buf, b[:n]...)
		b = b[n:]
		if err := s.flush(lz4Window); err != nil {
			return err
		}
	}
	return nil
}

func (s *lz4Stream) match(offset, n int) error {
	if offset == 0 || offset > len(s.buf) || n > s.left {
		return s.corrupt(fmt.Sprintf("match of %d bytes %d back", n, offset))
	}
	s.left -= n
	for n > 0 {
		from := s.buf[len(s.buf)-offset:]
		// Bytes before the match and as many as it has repeat with the period of offset.
		part := min(n, len(from), lz4Window)
		s.buf = append(s.buf, from[:part]...)
		if n -= part; n > 0 && offset < lz4Window/2 && part == offset {
			offset *= 2
		}
		if err := s.flush(lz4Window); err != nil {
			return err
		}
	}
	return nil
}

// flush writes the buffered bytes, once these are more than twice keep, but keeps the last ones. Matches may
// go back to these.
func (s *lz4Stream) flush(keep int) error {
	if keep > 0 && len(s.buf) <= 2*keep {
		return nil
	}
	if _, err := s.w.Write(s.buf[s.written:]); err != nil {
		return err
	}
	s.buf = s.buf[:copy(s.buf, s.buf[len(s.buf)-min(keep, len(s.buf)):])]
	s.written = len(s.buf)
	return nil
}
