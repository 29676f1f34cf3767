package zarr

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// mostStreams is how many streams of an array wait for the next rows. Each has 1 MiB of it and about the window of its
// chunk, 8 MiB at most levels, in memory.
const mostStreams = 4

// smallWindow is the window that every decoder of zstd must have.
const smallWindow = 8 << 20

// zstdStreams reads rows of chunks of an array that zstd compressed, and no filter changed. A frame can only
// be decoded from its beginning on, so a stream that was read goes on where the next rows follow.
type zstdStreams struct {
	mu   sync.Mutex
	idle []*zstdStream // least recently used first
}

// A zstdStream decodes one chunk.
type zstdStream struct {
	key, etag string
	stored    io.ReaderAt // which is opened again for each read
	next      int64       // byte of stored that follows ahead
	ahead     []byte      // stored bytes that were read already
	room      []byte      // the memory of ahead
	size      int64       // of stored
	decoder   *zstd.Decoder
	at        int64 // byte of the elements
}

// rows implements rowsDecoder.
func (z *zstdStreams) rows(dst []byte, c storedChunk, size, skip int64) error {
	s, err := z.take(c, size, skip)
	if err == nil {
		err = s.read(dst, size, skip)
	}
	if err != nil {
		return fmt.Errorf("codec zstd: %w", err)
	}
	z.put(s, size)
	return nil
}

// take returns the stream of a chunk that is the furthest before a byte, or a new one.
func (z *zstdStreams) take(c storedChunk, size, skip int64) (*zstdStream, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	best := -1
	for i, s := range z.idle {
		if s.key == c.key && s.etag == c.etag && s.at <= skip && (best < 0 || s.at > z.idle[best].at) {
			best = i
		}
	}
	if best >= 0 {
		s := z.idle[best]
		z.idle = slices.Delete(z.idle, best, best+1)
		s.stored = c.stored
		return s, nil
	}
	s := &zstdStream{key: c.key, etag: c.etag, stored: c.stored, size: c.size}
	var err error
	s.decoder, err = zstd.NewReader(s, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow(size)))
	return s, err
}

// put keeps a stream that has more to read.
func (z *zstdStreams) put(s *zstdStream, size int64) {
	if s.stored = nil; s.at == size {
		s.decoder.Close()
		return
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.idle = append(z.idle, s); len(z.idle) > mostStreams {
		z.idle[0].decoder.Close()
		z.idle = slices.Delete(z.idle, 0, 1)
	}
}

// zstdWindow is the largest window of a frame with content of a size: a frame that claims more is an error,
// and takes no memory.
func zstdWindow(size int64) uint64 {
	return min(zstd.MaxWindowSize, max(smallWindow, uint64(1)<<bits.Len64(uint64(size))))
}

// Read implements io.Reader: it gives the stored bytes.
func (s *zstdStream) Read(p []byte) (int, error) {
	if len(s.ahead) == 0 {
		n := min(readAhead, s.size-s.next)
		if n == 0 {
			return 0, io.EOF
		}
		s.room = roomFor(s.room, int(n))
		if _, err := s.stored.ReadAt(s.room, s.next); err != nil {
			return 0, err
		}
		s.ahead, s.next = s.room, s.next+n
	}
	n := copy(p, s.ahead)
	s.ahead = s.ahead[n:]
	return n, nil
}

// read reads elements from a byte on, and looks for the end after the last of them.
func (s *zstdStream) read(dst []byte, size, skip int64) error {
	n, err := io.CopyN(io.Discard, s.decoder, skip-s.at)
	s.at += n
	if err == nil {
		var m int
		m, err = io.ReadFull(s.decoder, dst)
		s.at += int64(m)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%d bytes, expected %d", s.at, size)
	}
	if err != nil {
		return fmt.Errorf("after %d bytes: %w", s.at, err)
	}
	if s.at < size {
		return nil
	}
	switch n, err := io.ReadFull(s.decoder, make([]byte, 1)); {
	case n > 0:
		return fmt.Errorf("more than the expected %d bytes", size)
	case err != io.EOF:
		return fmt.Errorf("after %d bytes: %w", s.at, err)
	}
	return nil
}
