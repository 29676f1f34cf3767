package unzstd

import (
	"encoding/binary"
	"math/bits"

	"github.com/tgmconv/tgmconv/internal/codec/match"
)

// sequencesHeader reads the number of sequences and their codes from at on. It returns where their bits begin
// (RFC 8878, section 3.1.1.3.2.1).
func (d *decoder) sequencesHeader(at, end int) (n, next int, ok bool) {
	b := d.src[at:end]
	if len(b) < 1 {
		return 0, 0, false
	}
	size := 1
	switch n = int(b[0]); {
	case n == 0:
		return 0, end, len(b) == 1
	case n == 255:
		size = 3
	case n > 127:
		size = 2
	}
	if len(b) < size+1 {
		return 0, 0, false
	}
	switch size {
	case 2:
		n = (n-128)<<8 + int(b[1])
	case 3:
		n = int(binary.LittleEndian.Uint16(b[1:])) + 0x7f00
	}
	modes := b[size]
	if modes&3 != 0 || n == 0 {
		return 0, 0, false
	}
	at += size + 1
	for i := range d.codes {
		used, ok := d.codesOf(i, modes>>(6-2*i)&3, d.src[at:end])
		if !ok {
			return 0, 0, false
		}
		at += used
	}
	return n, at, true
}

// codesOf reads the codes of a kind in one of four ways. It returns the number of bytes that took.
func (d *decoder) codesOf(i int, mode byte, b []byte) (used int, ok bool) {
	c, k := &d.codes[i], &kinds[i]
	switch mode {
	case 0:
		c.table, c.log = &k.usual, k.usualLog
		return 0, true
	case 1:
		return 1, len(b) > 0 && c.single(b[0], k)
	case 2:
		return c.read(b, k)
	}
	return 0, c.table != nil
}

// minBefore is how many bytes of a frame there are at least before the bits of sequences: 6 of the
// frame's header, 3 of the block's, 1 of literals, and 2 of the sequences. Words that are read
// before the first bit begin in them.
const minBefore = 12

// backward returns the bits of src before bit at, the next one highest. 57 are valid.
func backward(src []byte, at int) uint64 {
	i := (at+7)>>3 - 8
	return binary.LittleEndian.Uint64(src[i:]) << (uint(8*i+64-at) & 63)
}

// top returns the n highest bits of w.
func top(w uint64, n uint) uint64 { return w >> 1 >> ((63 - n) & 63) }

// run is the state of unpacking the sequences of one block.
type run struct {
	left     int // sequences
	at       int // bit of src before which the next one lies
	first    int // bit of src that is the last one read
	src      []byte
	lit      entry // of the next sequence
	off      entry
	match    entry
	litTab   *[maxStates]entry
	offTab   *[maxStates]entry
	matchTab *[maxStates]entry
	literals []byte
	litAt    int
	litSize  int
	dst      []byte
	out      int
	limit    int // of out
	window   int
	repeat   [3]int // offsets of the last sequences
}

// sequences unpacks n sequences, whose bits lie from begin to end of src (RFC 8878, section
// 3.1.1.3.2.1.2). Bits are read from the last one on. The block ends at limit of dst at the latest.
func (d *decoder) sequences(n, begin, end, limit int) bool {
	src := d.src[:end]
	if end <= begin || begin < minBefore || src[end-1] == 0 {
		return false
	}
	at := 8*(end-1) + bits.Len8(src[end-1]) - 1
	lit, off, match := &d.codes[lits], &d.codes[offsets], &d.codes[matches]
	w := backward(src, at)
	l, w := top(w, lit.log), w<<lit.log
	o, w := top(w, off.log), w<<off.log
	m := top(w, match.log)
	r := &d.run
	*r = run{left: n, at: at - int(lit.log+off.log+match.log), first: 8 * begin, src: src,
		lit: lit.table[l&(maxStates-1)], off: off.table[o&(maxStates-1)], match: match.table[m&(maxStates-1)],
		litTab: lit.table, offTab: off.table, matchTab: match.table,
		literals: d.literals.data, litSize: d.literals.size,
		dst: d.dst, out: d.out, limit: limit, window: d.window, repeat: r.repeat}
	for r.left > 0 {
		if !d.slow && !r.fast() || !r.step() {
			return false
		}
	}
	d.out, d.literals.at = r.out, r.litAt
	return r.at == r.first
}

// step unpacks one sequence.
func (r *run) step() bool {
	if r.at < r.first {
		return false
	}
	// An offset has 28 bits at most, a match 16.
	w := backward(r.src, r.at)
	offset := int(r.off.value() + top(w, r.off.extra()))
	w <<= r.off.extra()
	length := int(r.match.value() + top(w, r.match.extra()))
	if r.at -= int(r.off.extra() + r.match.extra()); r.at < r.first {
		return false
	}
	w = backward(r.src, r.at)
	count := int(r.lit.value() + top(w, r.lit.extra()))
	r.at -= int(r.lit.extra())
	if r.left--; r.left > 0 {
		r.next(w << r.lit.extra())
	}
	if offset > 3 {
		offset -= 3
		r.repeat[2], r.repeat[1], r.repeat[0] = r.repeat[1], r.repeat[0], offset
	} else if offset = r.repeated(offset, count == 0); offset < 1 {
		return false
	}
	if count > r.litSize-r.litAt || count+length > r.limit-r.out || offset > r.out+count || offset > r.window {
		return false
	}
	r.copyLiterals(count)
	match.Copy(r.dst, r.out, offset, length)
	r.out += length
	return true
}

// next reads the next states from w.
func (r *run) next(w uint64) {
	le, me, oe := r.lit, r.match, r.off
	l, w := le.first()+top(w, le.bits()), w<<le.bits()
	m, w := me.first()+top(w, me.bits()), w<<me.bits()
	o := oe.first() + top(w, oe.bits())
	r.at -= int(le.bits() + me.bits() + oe.bits())
	r.lit, r.match, r.off = r.litTab[l&(maxStates-1)], r.matchTab[m&(maxStates-1)], r.offTab[o&(maxStates-1)]
}

// copyLiterals copies the next literals.
func (r *run) copyLiterals(count int) {
	const words = 16
	if count <= words && len(r.literals)-r.litAt >= words && len(r.dst)-r.out >= words {
		to, from := r.dst[r.out:r.out+words], r.literals[r.litAt:r.litAt+words]
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		binary.LittleEndian.PutUint64(to[8:], binary.LittleEndian.Uint64(from[8:]))
	} else {
		copy(r.dst[r.out:r.out+count], r.literals[r.litAt:])
	}
	r.out += count
	r.litAt += count
}

// repeated returns the offset for the values 1 to 3 (RFC 8878, section 3.1.1.5), 0 for none.
// Without literals they mean the offsets from the second one on.
func (r *run) repeated(value int, without bool) int {
	last := &r.repeat
	if without {
		value++
	}
	offset := 0
	switch value {
	case 1:
		return last[0]
	case 2:
		offset = last[1]
		last[0], last[1] = offset, last[0]
		return offset
	case 3:
		offset = last[2]
	default:
		offset = last[0] - 1
	}
	last[0], last[1], last[2] = offset, last[0], last[1]
	return offset
}
