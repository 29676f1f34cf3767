// Package reuse keeps memory of elements that nobody uses any more, for later elements. The collector would
// give it back too, but later than it is needed where much is allocated.
package reuse

import "sync"

// Most bounds the memory that is kept to be used again: about ten fields of 0.25°, which is how
// many a client of a server asks for at a time.
const Most = 96 << 20

// small is a size below which memory is left to the collector.
const small = 64 << 10

// Buffers are memory that is kept, up to 96 MiB. The zero value is ready to use; several goroutines
// may use it.
type Buffers struct {
	mu   sync.Mutex
	free [][]byte // last returned at the end
	size int      // of all
}

// Take returns memory with room for n bytes and not for many more, nil if there is none.
func (b *Buffers) Take(n int64) []byte {
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

// Put gives back memory that is no longer used.
func (b *Buffers) Put(buffer []byte) {
	if cap(buffer) < small || cap(buffer) > Most {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buffer[:0])
	b.size += cap(buffer)
	for b.size > Most {
		b.remove(0)
	}
}

func (b *Buffers) remove(i int) {
	b.size -= cap(b.free[i])
	last := len(b.free) - 1
	copy(b.free[i:], b.free[i+1:])
	b.free[last] = nil
	b.free = b.free[:last]
}

// Shares reports whether a and b are the same memory, from its beginning on.
func Shares(a, b []byte) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}
