package tgm

import (
	"bytes"
	"sync"
)

// An ObjectReader reads the objects of a file one after the other, in less time than a message does by itself. It reads small
// objects that lie side by side at once, and decodes descriptors with the same bytes once. Objects are the state of the file when
// the reader first came near them, so a reader is for one pass over the file. It is safe for concurrent use.
type ObjectReader struct {
	mu     sync.Mutex
	buf    []byte // frames
	start  int64  // of buf in the file
	next   int64  // where the frame after the last one that was asked for begins in the file, if it is small
	parsed map[string]parsedDescriptor
}

// A parsedDescriptor is a descriptor with what a frame says about it.
type parsedDescriptor struct {
	*Descriptor
	ndim uint64
}

const (
	aheadBytes       = 64 << 10 // of frames that are read at once
	knownDescriptors = 64       // that are kept
	longDescriptor   = 1 << 10  // from which on none is kept
)

// NewObjectReader returns a reader.
func NewObjectReader() *ObjectReader {
	return &ObjectReader{parsed: make(map[string]parsedDescriptor)}
}

// Stored is [Message.Stored].
func (r *ObjectReader) Stored(m *Message, j int) (*Object, error) { return m.storedBy(r, j) }

// ObjectWith is [Message.ObjectWith].
func (r *ObjectReader) ObjectWith(m *Message, j int, base map[string]any) (*Object, error) {
	return m.objectBy(r, j, base)
}

// frame returns the frame of object j of a message, which is small. If the frame before was asked for last, the small frames
// that follow are read as well.
func (r *ObjectReader) frame(m *Message, j int, objects []span) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := objects[j]
	start := m.offset + s.offset
	at := start - r.start
	inOrder := start == r.next
	r.next = start + s.length + padding(s.length)
	if at < 0 || at+s.length > int64(len(r.buf)) {
		n := s.length
		if inOrder {
			n = endOfSmall(objects[j:]) - s.offset
		}
		r.start, at = start, 0
		r.buf = sized(r.buf, int(n))
		if err := m.src.readAt(r.buf, r.start); err != nil {
			r.buf = r.buf[:0]
			return nil, err
		}
	}
	return bytes.Clone(r.buf[at : at+s.length]), nil
}

// isSmall reports whether a frame is read as a whole.
func (s span) isSmall() bool { return frameHeaderSize < s.length && s.length <= descriptorChunk }

// endOfSmall is the end of the small frames that lie side by side from the first on, as far as they are read at once.
func endOfSmall(objects []span) int64 {
	first := objects[0].offset
	end := first + objects[0].length
	for _, s := range objects[1:] {
		if !s.isSmall() || s.offset != end+padding(end) || s.offset+s.length-first > aheadBytes {
			break
		}
		end = s.offset + s.length
	}
	return end
}

// descriptor is [parseDescriptor] of exactly these bytes.
func (r *ObjectReader) descriptor(coded []byte, at Location) (*Descriptor, uint64, error) {
	r.mu.Lock()
	known, ok := r.parsed[string(coded)]
	r.mu.Unlock()
	if ok {
		return known.Descriptor, known.ndim, nil
	}
	d, ndim, _, err := parseDescriptor(coded, at)
	if err == nil && len(coded) < longDescriptor {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.parsed) >= knownDescriptors {
			clear(r.parsed)
		}
		r.parsed[string(coded)] = parsedDescriptor{d, ndim}
	}
	return d, ndim, err
}
