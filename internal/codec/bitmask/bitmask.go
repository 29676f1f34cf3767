// Package bitmask holds one bit per element of an array, and two serialisations of such bits. Tensogram
// defines them in addition to the raw form: run lengths and portable roaring bitmaps.
//
// Bits are packed most significant first: element 0 is bit 7 of byte 0. Most callers make a Mask
// with New and Set, and pass it to the tgm package.
package bitmask

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
)

// Mask marks elements of an array of N elements. A nil *Mask marks none.
//
// Bits holds ceil(N/8) bytes, most significant bit first; bits past N are zero in every Mask that this
// package returns, and are ignored in masks from callers.
type Mask struct {
	N    int
	Bits []byte
}

// New returns a mask of n elements, none of them set. It panics if n is negative.
func New(n int) *Mask {
	return &Mask{N: n, Bits: make([]byte, Size(n))}
}

// Size returns the number of bytes that hold n bits.
func Size(n int) int { return n/8 + (n%8+7)/8 }

// FromBits wraps MSB-first bits of n elements. The mask shares the slice.
func FromBits(b []byte, n int) (*Mask, error) {
	if n < 0 || len(b) != Size(n) {
		return nil, fmt.Errorf("bitmask: %d bytes given for %d bits, expected %d", len(b), n, Size(max(n, 0)))
	}
	return &Mask{N: n, Bits: b}, nil
}

// Set marks element i. It panics if i is out of range.
func (m *Mask) Set(i int) { m.Bits[i>>3] |= 0x80 >> (i & 7) }

// Clear unmarks element i. It panics if i is out of range.
func (m *Mask) Clear(i int) { m.Bits[i>>3] &^= 0x80 >> (i & 7) }

// Get reports whether element i is marked. It panics if i is out of range of a non-nil mask.
func (m *Mask) Get(i int) bool {
	return m != nil && m.Bits[i>>3]&(0x80>>(i&7)) != 0
}

// Len returns the number of elements, 0 for a nil mask.
func (m *Mask) Len() int {
	if m == nil {
		return 0
	}
	return m.N
}

// Count returns the number of marked elements.
func (m *Mask) Count() int {
	if m == nil {
		return 0
	}
	total, whole := 0, m.N/8
	b := m.Bits[:whole]
	for ; len(b) >= 8; b = b[8:] {
		total += bits.OnesCount64(binary.BigEndian.Uint64(b))
	}
	for _, x := range b {
		total += bits.OnesCount8(x)
	}
	if rest := m.N % 8; rest != 0 {
		total += bits.OnesCount8(m.Bits[whole] & tailMask(rest))
	}
	return total
}

// Any reports whether at least one element is marked.
func (m *Mask) Any() bool {
	for range m.Indices() {
		return true
	}
	return false
}

// Indices yields the marked elements in ascending order.
func (m *Mask) Indices() iter.Seq[int] {
	return func(yield func(int) bool) {
		if m == nil {
			return
		}
		for base := 0; base < m.N; base += 64 {
			for w := m.word(base); w != 0; {
				lead := bits.LeadingZeros64(w)
				if !yield(base + lead) {
					return
				}
				w &^= 1 << (63 - lead)
			}
		}
	}
}

// word returns the 64 bits from element base (a multiple of 64), the first in the top bit. Bits past N are 0.
func (m *Mask) word(base int) uint64 {
	if base+64 <= m.N {
		return binary.BigEndian.Uint64(m.Bits[base>>3:])
	}
	var b [8]byte
	copy(b[:], m.Bits[base>>3:Size(m.N)])
	return binary.BigEndian.Uint64(b[:]) &^ (1<<(64-(m.N-base)) - 1)
}

// Slice returns a copy of the count elements from first.
func (m *Mask) Slice(first, count int) (*Mask, error) {
	if m == nil {
		return nil, nil
	}
	if first < 0 || count < 0 || first > m.N || count > m.N-first {
		return nil, fmt.Errorf("bitmask: elements %d to %d of %d", first, first+count, m.N)
	}
	out := New(count)
	src, shift := m.Bits[first>>3:], first&7
	for i := range out.Bits {
		v := src[i] << shift
		if shift != 0 && i+1 < len(src) {
			v |= src[i+1] >> (8 - shift)
		}
		out.Bits[i] = v
	}
	out.trim()
	return out, nil
}

// trim zeroes the bits past N.
func (m *Mask) trim() {
	if rest := m.N % 8; rest != 0 {
		m.Bits[len(m.Bits)-1] &= tailMask(rest)
	}
}

// tailMask keeps the first n bits of a byte, 0 < n < 8.
func tailMask(n int) byte { return ^byte(0xFF >> n) }
