package shuffle

import "encoding/binary"

// The kernels for elements of 2, 4 and 8 bytes move the elements from first on. They work on squares of 8 by
// 8 bytes held in eight words: a row is as many elements as make eight bytes, a column a piece of a plane.
// They return where they end; the rest is less than a square.

// transpose exchanges byte j of word i with byte i of word j.
func transpose(a, b, c, d, e, f, g, h uint64) (_, _, _, _, _, _, _, _ uint64) {
	// First the quarters of the square are exchanged, then the quarters of these, then single
	// bytes.
	const m32, m16, m8 = 0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF
	a, e = a&m32|e<<32, a>>32|e&^m32
	b, f = b&m32|f<<32, b>>32|f&^m32
	c, g = c&m32|g<<32, c>>32|g&^m32
	d, h = d&m32|h<<32, d>>32|h&^m32

	a, c = a&m16|c&m16<<16, a>>16&m16|c&^m16
	b, d = b&m16|d&m16<<16, b>>16&m16|d&^m16
	e, g = e&m16|g&m16<<16, e>>16&m16|g&^m16
	f, h = f&m16|h&m16<<16, f>>16&m16|h&^m16

	a, b = a&m8|b&m8<<8, a>>8&m8|b&^m8
	c, d = c&m8|d&m8<<8, c>>8&m8|d&^m8
	e, f = e&m8|f&m8<<8, e>>8&m8|f&^m8
	g, h = g&m8|h&m8<<8, g>>8&m8|h&^m8
	return a, b, c, d, e, f, g, h
}

func load(b []byte) uint64     { return binary.LittleEndian.Uint64(b) }
func store(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }

func encode8(dst, src []byte, first, n int) int {
	i := first
	for ; i+8 <= n; i += 8 {
		s := src[8*i : 8*i+64]
		a, b, c, d, e, f, g, h := transpose(load(s), load(s[8:]), load(s[16:]), load(s[24:]), load(s[32:]), load(s[40:]), load(s[48:]), load(s[56:]))
		store(dst[i:], a)
		store(dst[n+i:], b)
		store(dst[2*n+i:], c)
		store(dst[3*n+i:], d)
		store(dst[4*n+i:], e)
		store(dst[5*n+i:], f)
		store(dst[6*n+i:], g)
		store(dst[7*n+i:], h)
	}
	return i
}

func decode8(dst, src []byte, first, n int) int {
	i := first
	for ; i+8 <= n; i += 8 {
		a, b, c, d, e, f, g, h := transpose(load(src[i:]), load(src[n+i:]), load(src[2*n+i:]), load(src[3*n+i:]),
			load(src[4*n+i:]), load(src[5*n+i:]), load(src[6*n+i:]), load(src[7*n+i:]))
		out := dst[8*i : 8*i+64]
		store(out, a)
		store(out[8:], b)
		store(out[16:], c)
		store(out[24:], d)
		store(out[32:], e)
		store(out[40:], f)
		store(out[48:], g)
		store(out[56:], h)
	}
	return i
}

// row4 joins elements k and k+8 of a square of sixteen, so that columns are in the order of
// elements.
func row4(s []byte, k int) uint64 {
	return uint64(binary.LittleEndian.Uint32(s[4*k:])) | uint64(binary.LittleEndian.Uint32(s[4*k+32:]))<<32
}

func encode4(dst, src []byte, first, n int) int {
	i := first
	for ; i+16 <= n; i += 16 {
		s := src[4*i : 4*i+64]
		a, b, c, d, e, f, g, h := transpose(row4(s, 0), row4(s, 1), row4(s, 2), row4(s, 3), row4(s, 4), row4(s, 5), row4(s, 6), row4(s, 7))
		store(dst[i:], a)
		store(dst[i+8:], e)
		store(dst[n+i:], b)
		store(dst[n+i+8:], f)
		store(dst[2*n+i:], c)
		store(dst[2*n+i+8:], g)
		store(dst[3*n+i:], d)
		store(dst[3*n+i+8:], h)
	}
	return i
}

func putRow4(out []byte, k int, row uint64) {
	binary.LittleEndian.PutUint32(out[4*k:], uint32(row))
	binary.LittleEndian.PutUint32(out[4*k+32:], uint32(row>>32))
}

func decode4(dst, src []byte, first, n int) int {
	i := first
	for ; i+16 <= n; i += 16 {
		a, b, c, d, e, f, g, h := transpose(load(src[i:]), load(src[n+i:]), load(src[2*n+i:]), load(src[3*n+i:]),
			load(src[i+8:]), load(src[n+i+8:]), load(src[2*n+i+8:]), load(src[3*n+i+8:]))
		out := dst[4*i : 4*i+64]
		putRow4(out, 0, a)
		putRow4(out, 1, b)
		putRow4(out, 2, c)
		putRow4(out, 3, d)
		putRow4(out, 4, e)
		putRow4(out, 5, f)
		putRow4(out, 6, g)
		putRow4(out, 7, h)
	}
	return i
}

// even and odd keep every second byte of a word, in its low half.
func even(w uint64) uint64 {
	w &= 0x00FF00FF00FF00FF
	w = (w | w>>8) & 0x0000FFFF0000FFFF
	return (w | w>>16) & 0x00000000FFFFFFFF
}

func odd(w uint64) uint64 { return even(w >> 8) }

func encode2(dst, src []byte, first, n int) int {
	i := first
	for ; i+8 <= n; i += 8 {
		s := src[2*i : 2*i+16]
		a, b := load(s), load(s[8:])
		store(dst[i:], even(a)|even(b)<<32)
		store(dst[n+i:], odd(a)|odd(b)<<32)
	}
	return i
}

// spread undoes even for the low half of a word.
func spread(w uint64) uint64 {
	w = (w | w<<16) & 0x0000FFFF0000FFFF
	return (w | w<<8) & 0x00FF00FF00FF00FF
}

func decode2(dst, src []byte, first, n int) int {
	i := first
	for ; i+8 <= n; i += 8 {
		lo, hi := load(src[i:]), load(src[n+i:])
		out := dst[2*i : 2*i+16]
		store(out, spread(lo&0xFFFFFFFF)|spread(hi&0xFFFFFFFF)<<8)
		store(out[8:], spread(lo>>32)|spread(hi>>32)<<8)
	}
	return i
}
