package togrib

import "github.com/tgmconv/tgmconv/tgm"

// buffers hold the memory of written messages for later messages.
type buffers chan []byte

// largestSpare is the size of the largest buffer that is kept.
const largestSpare = 16 << 20

// take returns an empty buffer, nil if there is none.
func (b buffers) take() []byte {
	select {
	case buffer := <-b:
		return buffer[:0]
	default:
		return nil
	}
}

// keep keeps a buffer that is no longer used.
func (b buffers) keep(buffer []byte) {
	if cap(buffer) > largestSpare {
		return
	}
	select {
	case b <- buffer:
	default:
	}
}

// packed returns the integers of an object. They lie in the buffer that the next object is read into.
func (m *maker) packed(o *Object) (*tgm.Packed, error) {
	q, err := o.PackedIn(m.payload)
	switch {
	case err != nil:
	case q.AEC != nil && cap(q.AEC.Data) <= largestSpare:
		m.payload = q.AEC.Data
	case q.Bits != nil && cap(q.Bits) <= largestSpare:
		m.payload = q.Bits
	}
	return q, err
}
