package tgm

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// buffers keeps memory between objects: stages of an encoding or decoding need it for a moment
// only. Losing a pool costs only allocations.
var buffers sync.Pool

// getBuffer returns a buffer of n bytes with unspecified content.
func getBuffer(n int) *[]byte {
	b, _ := buffers.Get().(*[]byte)
	if b == nil {
		b = new([]byte)
	}
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	*b = (*b)[:n]
	return b
}

// keptBuffer is the size up to which a buffer is kept. Larger buffers are rare, and would hold
// memory that others need.
const keptBuffer = 64 << 20

func putBuffer(b *[]byte) {
	if cap(*b) <= keptBuffer {
		buffers.Put(b)
	}
}

// payloadMemory is the memory of a payload, which goes back to the pool when its last user closes it.
type payloadMemory struct {
	buffer *[]byte
	users  atomic.Int32
}

// share returns p for one more user, who must close it.
func (p *payloadMemory) share() *payloadMemory {
	p.users.Add(1)
	return p
}

func (p *payloadMemory) close() {
	if p.users.Add(-1) == 0 {
		putBuffer(p.buffer)
	}
}

// sampleBuffers keeps buffers of integers in the same way.
var sampleBuffers sync.Pool

func getSamples(n int) *[]uint32 {
	b, _ := sampleBuffers.Get().(*[]uint32)
	if b == nil {
		b = new([]uint32)
	}
	if cap(*b) < n {
		*b = make([]uint32, n)
	}
	*b = (*b)[:n]
	return b
}

func putSamples(b *[]uint32) { sampleBuffers.Put(b) }

// hostOrder is the byte order of this machine.
var hostOrder = ByteOrder(binary.NativeEndian.Uint16([]byte{0, 1}) & 1)

// bytesOf returns the memory of values. Any address and any bits are valid for bytes, and the view
// is exactly as long as the values.
func bytesOf(values []float64) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*len(values))
}

// float64View returns the memory of b as float64 values in host order, if its address allows that.
// Every bit pattern is a float64; len(b) is a multiple of 8.
func float64View(b []byte) ([]float64, bool) {
	if len(b) == 0 {
		return nil, true
	}
	p := unsafe.Pointer(&b[0])
	if uintptr(p)%unsafe.Alignof(float64(0)) != 0 {
		return nil, false
	}
	return unsafe.Slice((*float64)(p), len(b)/8), true
}

// float64sOf returns the values that data holds. The result scratch is nil if they share data's
// memory, else it has the memory of the values.
func float64sOf(data []byte, order ByteOrder) (values, scratch []float64) {
	if order == hostOrder {
		if v, ok := float64View(data); ok {
			return v, nil
		}
	}
	scratch = make([]float64, len(data)/8)
	copy(bytesOf(scratch), data)
	if order != hostOrder {
		swapBytes(bytesOf(scratch), 8)
	}
	return scratch, scratch
}

// swapBytes reverses the bytes of each component in place.
func swapBytes(data []byte, component int) {
	switch component {
	case 2:
		for ; len(data) >= 2; data = data[2:] {
			data[0], data[1] = data[1], data[0]
		}
	case 4:
		for ; len(data) >= 4; data = data[4:] {
			binary.LittleEndian.PutUint32(data, bits.ReverseBytes32(binary.LittleEndian.Uint32(data)))
		}
	case 8:
		for ; len(data) >= 8; data = data[8:] {
			binary.LittleEndian.PutUint64(data, bits.ReverseBytes64(binary.LittleEndian.Uint64(data)))
		}
	}
}
