package zarr

import "sync"

// keptBuffers bounds the memory for chunks that is kept to be used again: about ten fields of 0.25°,
// which is how many a client asks for at a time.
const keptBuffers = 96 << 20

// smallBuffer is a size below which memory is left to the collector.
const smallBuffer = 64 << 10

// buffers keeps the memory of chunks that have been sent, for those that are decoded next. The zero
// value is ready to use.
type buffers struct {
	mu   sync.Mutex
	free [][]byte // the one given back last at the end
	size int      // of all
}

// take returns memory with room for n bytes and not for many more, nil if there is none.
func (b *buffers) take(n int64) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.free) - 1; i >= 0; i-- {
		buffer := b.free[i]
		if room := int64(cap(buffer)); room >= n && room/4 <= n {
			b.remove(i)
			return buffer
		}
	}
	return nil
}

// put gives memory back that nobody uses.
func (b *buffers) put(buffer []byte) {
	if cap(buffer) < smallBuffer || cap(buffer) > keptBuffers {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buffer[:0])
	b.size += cap(buffer)
	for b.size > keptBuffers {
		b.remove(0)
	}
}

func (b *buffers) remove(i int) {
	b.size -= cap(b.free[i])
	last := len(b.free) - 1
	copy(b.free[i:], b.free[i+1:])
	b.free[last] = nil
	b.free = b.free[:last]
}
