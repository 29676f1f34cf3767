package tet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

const (
	// A zstd block takes at least 4 bytes and gives at most 128 KiB.
	zstdMaxBlock = 128 << 10
	zstdMinBlock = 4
	// maxZstdWindow is the largest window that a decoder keeps of a chunk that is decoded in pieces.
	maxZstdWindow = 128 << 20
	// readGap is the longest gap, in bytes, that is always read rather than skipped,
	// however short the selected runs are.
	readGap = 64
)

// inMemory is a decoded chunk.
type inMemory []byte

func (m inMemory) fetch(off, n int64) ([]byte, error) { return m[off : off+n], nil }
func (m inMemory) most() int64                        { return math.MaxInt64 }
func (m inMemory) joins(_, _ int64) bool              { return true }

// inFile is a raw chunk that is read in pieces.
type inFile struct {
	src  source
	base int64
	buf  []byte
}

func (f *inFile) fetch(off, n int64) ([]byte, error) {
	if int64(cap(f.buf)) < n {
		f.buf = make([]byte, n)
	}
	f.buf = f.buf[:n]
	return f.buf, f.src.fill(f.buf, f.base+off)
}
func (f *inFile) most() int64 { return windowSize }

// joins reads at most an eighth more than is selected, unless runs are short.
func (f *inFile) joins(run, gap int64) bool { return gap <= max(run/8, readGap) }

// inStream is a compressed chunk that is decoded in pieces.
type inStream struct {
	dec     *zstd.Decoder
	at, raw int64
	buf     []byte
}

// open begins to decode a chunk, with the memory that the chunk before took.
func (s *inStream) open(r io.Reader, raw int64) error {
	s.at, s.raw = 0, raw
	if s.dec != nil {
		return s.dec.Reset(r)
	}
	dec, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	s.dec = dec
	return err
}

// streamBytes is about the memory that decoding a chunk in pieces takes: its window, and a piece.
func (d *Dataset) streamBytes(c Chunk) int64 {
	var head [zstd.HeaderMaxSize]byte
	var h zstd.Header
	n, _ := d.Stored(c).ReadAt(head[:], 0)
	window := int64(maxZstdWindow)
	if h.Decode(head[:n]) == nil && !h.SingleSegment {
		window = int64(min(h.WindowSize, maxZstdWindow))
	}
	return min(window, c.Raw) + windowSize
}

func (s *inStream) fetch(off, n int64) ([]byte, error) {
	skipped, err := io.CopyN(io.Discard, s.dec, off-s.at)
	s.at += skipped
	if err == nil {
		if int64(cap(s.buf)) < n {
			s.buf = make([]byte, n)
		}
		s.buf = s.buf[:n]
		var read int
		read, err = io.ReadFull(s.dec, s.buf)
		s.at += int64(read)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("zstd: holds %d bytes, expected %d", s.at, s.raw)
	}
	if err == nil && s.at == s.raw {
		err = s.atEnd()
	}
	return s.buf, err
}

// atEnd checks that no bytes follow.
func (s *inStream) atEnd() error {
	var more [1]byte
	switch _, err := io.ReadFull(s.dec, more[:]); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("zstd: holds more than the %d bytes expected", s.raw)
}

func (s *inStream) most() int64           { return windowSize }
func (s *inStream) joins(_, _ int64) bool { return true }

// A scratch holds the buffers of one goroutine.
type scratch struct {
	raw, stored []byte
	file        inFile
	stream      inStream
	whole       int64 // compressed chunks up to this size are decoded at once
}

// payload gives a function the bytes of a chunk.
func (d *Dataset) payload(c Chunk, s *scratch, use func(fetcher) error) error {
	src := d.file.layout.source
	var err error
	switch {
	case c.Codec == Raw && src.mem != nil:
		err = use(inMemory(src.mem[c.Offset : c.Offset+c.Raw]))
	case c.Codec == Raw:
		s.file.src, s.file.base = src, c.Offset
		err = use(&s.file)
	case c.Raw <= s.whole && c.Stored <= storedBound(c.Raw):
		if s.raw, err = d.decode(s.raw, c, s); err == nil {
			err = use(inMemory(s.raw))
		}
	default:
		if err = s.stream.open(d.Stored(c), c.Raw); err == nil {
			err = use(&s.stream)
		}
	}
	return err
}

// storedBound is the largest size of a zstd frame that holds raw bytes.
func storedBound(raw int64) int64 { return raw + raw>>7 + 1024 }

// decode decodes a compressed chunk into the memory of dst, if that is large enough.
func (d *Dataset) decode(dst []byte, c Chunk, s *scratch) ([]byte, error) {
	src := d.file.layout.source
	stored := []byte(nil)
	if src.mem != nil {
		stored = src.mem[c.Offset : c.Offset+c.Stored]
	} else {
		if int64(cap(s.stored)) < c.Stored {
			s.stored = make([]byte, c.Stored)
		}
		stored = s.stored[:c.Stored]
		if err := src.fill(stored, c.Offset); err != nil {
			return dst, err
		}
	}
	return compress.DecodeZstd(dst, stored, int(c.Raw))
}

// drain decodes a chunk and forgets it.
func (d *Dataset) drain(c Chunk, s *scratch) error {
	err := d.payload(c, s, func(f fetcher) error {
		step := f.most()
		for at := int64(0); at < c.Raw; at += min(step, c.Raw-at) {
			if _, err := f.fetch(at, min(step, c.Raw-at)); err != nil {
				return err
			}
		}
		return nil
	})
	return d.chunkError(c, err)
}

func (d *Dataset) chunkError(c Chunk, err error) error {
	if err == nil {
		return nil
	}
	return &FormatError{Region: d.chunkRegion(c), Offset: c.Offset, Err: err}
}
