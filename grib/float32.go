package grib

import (
	"sync"

	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
	"github.com/tgmconv/tgmconv/internal/narrow"
)

// pieceValues is how many values are rounded at a time, while they are in the processor's cache.
const pieceValues = 1024

// DecodeFloat32 is [Field.Decode] with each value rounded to the nearest float32.
func (f *Field) DecodeFloat32(dst []float32) (values []float32, missing *Mask, err error) {
	return decode(f, dst, func(c coded, dst []float32) (*bitmask.Mask, error) {
		// Not by an interface: other types embed these, and make other values of the numbers.
		switch c := c.(type) {
		case simple:
			c.decodeFloat32(dst)
			return nil, nil
		case ccsds:
			return nil, c.decodeFloat32(dst)
		}
		memory := takeValues(len(dst))
		defer memory.release()
		missing, err := c.decode(memory.values)
		if err == nil {
			narrow.Float32s(dst, memory.values)
		}
		return missing, err
	})
}

// valuePool keeps memory for values between fields, which need it only until they are rounded.
// Losing the pool costs only allocations.
var valuePool sync.Pool

// keptValues is the most values whose memory is kept. Larger memory is rare, and others need it.
const keptValues = 8 << 20

// pooled are values before they are rounded.
type pooled struct{ values []float64 }

// takeValues gives memory for n values with unspecified content.
func takeValues(n int) *pooled {
	p, _ := valuePool.Get().(*pooled)
	if p == nil {
		p = new(pooled)
	}
	p.values = resize(p.values, n)
	return p
}

// release gives the memory back.
func (p *pooled) release() {
	if cap(p.values) <= keptValues {
		valuePool.Put(p)
	}
}
