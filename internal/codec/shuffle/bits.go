package shuffle

import (
	"encoding/binary"
	"fmt"
)

// EncodeBits writes the bits of src to dst in planes: first bit 0 (the lowest) of the first byte of
// all elements, then bit 1 of it, and so on up to bit 7 of the last byte. Element i is at bit i mod
// 8 of byte i/8 of a plane. It is the bitshuffle of HDF5 and Blosc.
//
// size is the bytes per element. The number of elements must be a multiple of 8; dst and src have
// the same length and do not overlap.
func EncodeBits(dst, src []byte, size int) error {
	n, err := checkBits(dst, src, size)
	if err != nil {
		return err
	}
	row := n / 8
	var bytePlanes [bitTile * 16]byte
	planes := bytePlanes[:]
	if size > 16 {
		planes = make([]byte, bitTile*size)
	}
	for first := 0; first < n; first += bitTile {
		tile := min(bitTile, n-first)
		encodeTo(planes[:tile*size], src[first*size:(first+tile)*size], size)
		for j := range size {
			splitBits(dst[8*j*row+first/8:], planes[j*tile:(j+1)*tile], row)
		}
	}
	return nil
}

// DecodeBits undoes EncodeBits.
func DecodeBits(dst, src []byte, size int) error {
	n, err := checkBits(dst, src, size)
	if err != nil {
		return err
	}
	row := n / 8
	var bytePlanes [bitTile * 16]byte
	planes := bytePlanes[:]
	if size > 16 {
		planes = make([]byte, bitTile*size)
	}
	for first := 0; first < n; first += bitTile {
		tile := min(bitTile, n-first)
		for j := range size {
			joinBits(planes[j*tile:(j+1)*tile], src[8*j*row+first/8:], row)
		}
		decodeTo(dst[first*size:(first+tile)*size], planes[:tile*size], size)
	}
	return nil
}

// bitTile is how many elements are moved at a time, through byte planes.
const bitTile = 512

func checkBits(dst, src []byte, size int) (int, error) {
	n, err := check(dst, src, size)
	if err == nil && n%8 != 0 {
		err = fmt.Errorf("shuffle: %d elements, expected a multiple of 8 for a bit shuffle", n)
	}
	return n, err
}

// splitBits writes bit b of all bytes of plane to dst[b*row:].
func splitBits(dst, plane []byte, row int) {
	i := splitBitsFast(dst, plane, row)
	for ; i+64 <= len(plane); i += 64 {
		p := plane[i : i+64]
		a, b, c, d, e, f, g, h := transpose(transposeBits(load(p)), transposeBits(load(p[8:])), transposeBits(load(p[16:])),
			transposeBits(load(p[24:])), transposeBits(load(p[32:])), transposeBits(load(p[40:])), transposeBits(load(p[48:])),
			transposeBits(load(p[56:])))
		k := i / 8
		store(dst[k:], a)
		store(dst[row+k:], b)
		store(dst[2*row+k:], c)
		store(dst[3*row+k:], d)
		store(dst[4*row+k:], e)
		store(dst[5*row+k:], f)
		store(dst[6*row+k:], g)
		store(dst[7*row+k:], h)
	}
	for ; i < len(plane); i += 8 {
		x := transposeBits(load(plane[i:]))
		for b := range 8 {
			dst[b*row+i/8] = byte(x >> (8 * b))
		}
	}
}

// joinBits undoes splitBits.
func joinBits(plane, src []byte, row int) {
	i := joinBitsFast(plane, src, row)
	for ; i+64 <= len(plane); i += 64 {
		k := i / 8
		a, b, c, d, e, f, g, h := transpose(load(src[k:]), load(src[row+k:]), load(src[2*row+k:]), load(src[3*row+k:]),
			load(src[4*row+k:]), load(src[5*row+k:]), load(src[6*row+k:]), load(src[7*row+k:]))
		p := plane[i : i+64]
		store(p, transposeBits(a))
		store(p[8:], transposeBits(b))
		store(p[16:], transposeBits(c))
		store(p[24:], transposeBits(d))
		store(p[32:], transposeBits(e))
		store(p[40:], transposeBits(f))
		store(p[48:], transposeBits(g))
		store(p[56:], transposeBits(h))
	}
	for ; i < len(plane); i += 8 {
		var x uint64
		for b := range 8 {
			x |= uint64(src[b*row+i/8]) << (8 * b)
		}
		binary.LittleEndian.PutUint64(plane[i:], transposeBits(x))
	}
}

// transposeBits swaps bit j of byte i with bit i of byte j. It swaps ever larger blocks off the diagonal.
func transposeBits(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
