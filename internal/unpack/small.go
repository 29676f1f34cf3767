package unpack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/storage"
)

// Bytes that a member may unpack to in memory, and that all of them may have there.
const (
	smallBytes = 64 << 10
	smallTotal = 16 << 20
)

// smallCost is the memory of a kept member beside its bytes.
const smallCost = 256

// small keeps unpacked members in memory, so that they are not unpacked again by all who look at
// them: to list an archive, to detect the format, to read. The zero value is ready.
type small struct {
	mu   sync.Mutex
	data map[string][]byte
	held int
}

func (s *small) get(key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.data[key]
	return b, ok
}

func (s *small) put(key string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cost := len(key) + len(b) + smallCost
	if s.held+cost > smallTotal || s.data == nil {
		s.data, s.held = make(map[string][]byte), 0
	}
	if _, ok := s.data[key]; !ok {
		s.data[key] = b
		s.held += cost
	}
}

// keepSmall unpacks n to memory, unless it has more bytes than it claims. A member that cannot be unpacked
// stays as it is: its reader gets the error.
func (n *node) keepSmall(ctx context.Context) {
	if !n.small {
		return
	}
	n.small = false
	b, ok := n.client.files.small.get(n.key)
	if !ok {
		var err error
		if b, err = n.readSmall(ctx); err != nil || len(b) > smallBytes {
			return
		}
		n.client.files.small.put(n.key, b)
	}
	n.blob, n.stream = inMemory(b), nil
}

// readSmall reads the bytes to be kept, and a byte more if there is one.
func (n *node) readSmall(ctx context.Context) ([]byte, error) {
	r, err := n.stream(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out bytes.Buffer
	_, err = io.Copy(&out, io.LimitReader(r, smallBytes+1))
	return out.Bytes(), err
}

// inMemory is a blob in memory.
type inMemory []byte

// ReadAt implements storage.Blob.
func (b inMemory) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	if off >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Size implements storage.Blob.
func (b inMemory) Size() int64 { return int64(len(b)) }

// ETag implements storage.Blob.
func (b inMemory) ETag() string { return "" }

// Close implements storage.Blob.
func (b inMemory) Close() error { return nil }

var _ storage.Blob = inMemory(nil)
