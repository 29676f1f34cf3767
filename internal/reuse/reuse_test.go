package reuse

import "testing"

// Memory goes to chunks that fill a good part of it, and kept memory is bounded.
func TestBuffers(t *testing.T) {
	var b Buffers
	b.Put(make([]byte, small-1))
	b.Put(make([]byte, 1<<20))
	for _, n := range []int64{1, 1<<18 - 1, 1<<20 + 1} {
		if b.Take(n) != nil {
			t.Errorf("memory of 1 MiB was taken for %d bytes", n)
		}
	}
	if buffer := b.Take(1 << 19); cap(buffer) != 1<<20 || b.size != 0 {
		t.Errorf("took %d bytes, %d are kept", cap(buffer), b.size)
	}
	for range 4 {
		b.Put(make([]byte, Most/3))
	}
	if len(b.free) != 3 || b.size > Most {
		t.Errorf("%d buffers of %d bytes are kept, expected 3", len(b.free), b.size)
	}
}
