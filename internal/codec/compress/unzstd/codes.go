package unzstd

import "math/bits"

// Kinds of codes of a sequence.
const (
	lits = iota
	offsets
	matches
)

// An entry of a table describes a state of a decoder of codes:
//
//	bits 0 to 7    bits of the stream that are added to the first of the next states
//	bits 8 to 15   bits that are added to the value
//	bits 16 to 31  first of the next states
//	bits 32 to 63  the value
type entry uint64

func (e entry) first() uint64 { return uint64(e >> 16 & 0xffff) }
func (e entry) bits() uint    { return uint(e & 63) }
func (e entry) extra() uint   { return uint(e >> 8 & 63) }
func (e entry) value() uint64 { return uint64(e >> 32) }

// maxStates is how many states any table has at most.
const maxStates = 1 << 9

// codes are the codes of one kind.
type codes struct {
	table *[maxStates]entry // nil before the first block
	log   uint              // of the number of states
	own   [maxStates]entry
}

// kind holds the constants of a kind of codes (RFC 8878, sections 3.1.1.3.2.1.1 and 3.1.1.3.2.2).
type kind struct {
	entries  []entry // value and extra bits of each code
	maxLog   uint
	usual    [maxStates]entry // of the table without description
	usualLog uint
}

var kinds = [3]kind{
	lits: newKind(9, 6, lengths(0, 16, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
		[]int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}),
	offsets: newKind(8, 5, powers(29),
		[]int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}),
	matches: newKind(9, 6, lengths(3, 32, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
		[]int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}),
}

func newKind(maxLog, usualLog uint, entries []entry, usual []int16) kind {
	k := kind{entries: entries, maxLog: maxLog, usualLog: usualLog}
	fillTable(&k.usual, usual, usualLog, entries)
	return k
}

// lengths returns the codes of lengths: n of one length each, from base on, then the codes with extra bits.
func lengths(base, n int, extra []uint8) []entry {
	var all []entry
	for range n {
		all = append(all, entry(base)<<32)
		base++
	}
	for _, x := range extra {
		// The last codes of both kinds begin at powers of two.
		all = append(all, entry(base)<<32|entry(x)<<8)
		base += 1 << x
	}
	return all
}

// powers returns the codes of offsets. A larger code than n-1 is of no window that is unpacked
// here.
func powers(n int) []entry {
	var all []entry
	for x := range n {
		all = append(all, entry(1)<<(32+x)|entry(x)<<8)
	}
	return all
}

// fillTable makes the table of counts that add up to 1<<log (RFC 8878, section 4.1.1). -1 is a code of one
// state with all bits. It reports false when they do not add up.
func fillTable(t *[maxStates]entry, counts []int16, log uint, entries []entry) bool {
	size := 1 << log
	var code [maxStates]uint8
	var next [64]uint16
	high := size
	for s, n := range counts {
		if n < 0 {
			if high--; high < 0 {
				return false
			}
			code[high] = uint8(s)
			next[s] = 1
		}
	}
	step, at := size>>1+size>>3+3, 0
	for s, n := range counts {
		if n <= 0 {
			continue
		}
		next[s] = uint16(n)
		for range n {
			code[at] = uint8(s)
			for at = (at + step) & (size - 1); at >= high; at = (at + step) & (size - 1) {
			}
		}
	}
	if at != 0 {
		return false
	}
	for i := range size {
		s := code[i]
		n := next[s]
		next[s]++
		width := log - uint(bits.Len16(n)-1)
		t[i] = entries[s] | entry(width) | entry(int(n)<<width-size)<<16
	}
	return true
}

// read reads the description of the table of a kind from the start of b. It returns its length (RFC 8878,
// section 4.1.1).
func (c *codes) read(b []byte, k *kind) (n int, ok bool) {
	r := forward{b: b}
	log := uint(r.take(4)) + 5
	if log > k.maxLog {
		return 0, false
	}
	var counts [64]int16
	symbol := 0
	for left := 1 << log; left > 0; {
		if symbol >= len(k.entries) {
			return 0, false
		}
		count := r.count(left)
		counts[symbol] = int16(count)
		symbol++
		if left -= max(count, -count); left < 0 {
			return 0, false
		}
		for more := count == 0; more; {
			skip := r.take(2)
			symbol += int(skip)
			more = skip == 3 && symbol < len(k.entries)
		}
	}
	n = int(r.at+7) / 8
	if symbol > len(k.entries) || n > len(b) || !fillTable(&c.own, counts[:symbol], log, k.entries) {
		return 0, false
	}
	c.table, c.log = &c.own, log
	return n, true
}

// single makes the table of one code.
func (c *codes) single(symbol byte, k *kind) bool {
	if int(symbol) >= len(k.entries) {
		return false
	}
	c.own[0] = k.entries[symbol]
	c.table, c.log = &c.own, 0
	return true
}

// forward reads bits, lowest first. Bits after the end are 0.
type forward struct {
	b  []byte
	at uint
}

func (r *forward) take(n uint) uint {
	v := uint(0)
	for i := range n {
		if at := r.at + i; at/8 < uint(len(r.b)) {
			v |= uint(r.b[at/8]>>(at%8)&1) << i
		}
	}
	r.at += n
	return v
}

// count reads a count, at most left, in the fewest bits: small values take one bit less.
func (r *forward) count(left int) int {
	width := uint(bits.Len(uint(left + 1)))
	low := 1<<(width-1) - 1
	short := 1<<width - 1 - (left + 1)
	v := int(r.take(width))
	switch {
	case v&low < short:
		r.at--
		v &= low
	case v > low:
		v -= short
	}
	return v - 1
}
