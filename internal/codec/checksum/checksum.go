// Package checksum computes the checksums of HDF5 files, which numcodecs has as well.
package checksum

import (
	"encoding/binary"
	"math/bits"
)

// Lookup3 is Bob Jenkins' hash of 2006 ("hashlittle", initial value 0): the checksum of all
// metadata structures with one (specification, section VIII).
func Lookup3(b []byte) uint32 { return Lookup3From(b, 0) }

// Lookup3From is Lookup3 with another initial value.
func Lookup3From(b []byte, initial uint32) uint32 {
	a := 0xdeadbeef + uint32(len(b)) + initial
	c, d := a, a // the published names are a, b, c
	for len(b) > 12 {
		a += binary.LittleEndian.Uint32(b)
		c += binary.LittleEndian.Uint32(b[4:])
		d += binary.LittleEndian.Uint32(b[8:])
		a, c, d = lookup3Mix(a, c, d)
		b = b[12:]
	}
	if len(b) == 0 {
		return d
	}
	var tail [12]byte
	copy(tail[:], b)
	a += binary.LittleEndian.Uint32(tail[0:])
	c += binary.LittleEndian.Uint32(tail[4:])
	d += binary.LittleEndian.Uint32(tail[8:])
	return lookup3Final(a, c, d)
}

func lookup3Mix(a, b, c uint32) (uint32, uint32, uint32) {
	a -= c
	a ^= bits.RotateLeft32(c, 4)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 6)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 8)
	b += a
	a -= c
	a ^= bits.RotateLeft32(c, 16)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 19)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 4)
	b += a
	return a, b, c
}

func lookup3Final(a, b, c uint32) uint32 {
	c ^= b
	c -= bits.RotateLeft32(b, 14)
	a ^= c
	a -= bits.RotateLeft32(c, 11)
	b ^= a
	b -= bits.RotateLeft32(a, 25)
	c ^= b
	c -= bits.RotateLeft32(b, 16)
	a ^= c
	a -= bits.RotateLeft32(c, 4)
	b ^= a
	b -= bits.RotateLeft32(a, 14)
	c ^= b
	c -= bits.RotateLeft32(b, 24)
	return c
}

// Fletcher32 returns the checksum of the filter of that name: over big-endian 16-bit words, an odd
// last byte being the high half of a word.
func Fletcher32(b []byte) uint32 {
	const batch = 360 // words until the sums could overflow 32 bits
	var s1, s2 uint32
	for len(b) >= 2 {
		n := min(len(b)/2, batch)
		for ; n > 0; n-- {
			s1 += uint32(b[0])<<8 | uint32(b[1])
			s2 += s1
			b = b[2:]
		}
		s1 = s1&0xffff + s1>>16
		s2 = s2&0xffff + s2>>16
	}
	if len(b) == 1 {
		s1 += uint32(b[0]) << 8
		s2 += s1
		s1 = s1&0xffff + s1>>16
		s2 = s2&0xffff + s2>>16
	}
	s1 = s1&0xffff + s1>>16
	s2 = s2&0xffff + s2>>16
	return s2<<16 | s1
}
