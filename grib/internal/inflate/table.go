package inflate

import "math/bits"

// maxCode is the longest code.
const maxCode = 15

// An entry says what a code means: bits 0 to 7 its length, 8 to 11 how many bits follow it, 12 to 15 the kind, 16 to 31 a value.
type entry uint32

// The kinds of entries. The value is the literal, the base to which the bits that follow are added, or where the subtable begins in entries.
const (
	invalid = iota
	literal
	base
	endOfBlock
	subtable
)

func newEntry(kind, value, extra, size int) entry {
	return entry(value<<16 | kind<<12 | extra<<8 | size)
}

func (e entry) size() uint    { return uint(e & 0xff) }
func (e entry) extra() uint   { return uint(e >> 8 & 0xf) }
func (e entry) kind() int     { return int(e >> 12 & 0xf) }
func (e entry) value() uint32 { return uint32(e >> 16) }

// A table finds codes by the next bits of the stream: short ones by the first bits alone, others through a subtable.
type table struct {
	entries []entry
	bits    uint // of the first lookup
}

// build makes a table of the codes with these lengths (RFC 1951, section 3.2.2); meaning gives the entry of a symbol, without its size. Too many
// codes are an error; what no code begins with is an invalid entry.
func (t *table) build(lengths []byte, tableBits uint, meaning func(symbol int) entry) error {
	var count, next [maxCode + 2]int
	longest := 0
	for _, n := range lengths {
		count[n]++
		longest = max(longest, int(n))
	}
	count[0] = 0
	code := 0
	for n := 1; n <= maxCode; n++ {
		code = (code + count[n-1]) << 1
		next[n] = code
		if code+count[n] > 1<<n {
			return ErrCorrupt
		}
	}
	t.bits = tableBits
	size := 1 << tableBits
	if cap(t.entries) < size {
		t.entries = make([]entry, size, 2*size)
	}
	t.entries = t.entries[:size]
	clear(t.entries)
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		reversed := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		t.add(reversed, int(n), longest, meaning(symbol)|entry(n))
	}
	return nil
}

// add enters a code, its first bit lowest, wherever the bits behind it are free.
func (t *table) add(code, length, longest int, e entry) {
	main := int(t.bits)
	if length <= main {
		for i := code; i < 1<<main; i += 1 << length {
			t.entries[i] = e
		}
		return
	}
	head, subBits := code&(1<<main-1), longest-main
	if t.entries[head].kind() != subtable {
		t.entries[head] = newEntry(subtable, len(t.entries), subBits, 0)
		for range 1 << subBits {
			t.entries = append(t.entries, 0)
		}
	}
	sub := t.entries[t.entries[head].value():]
	for i := code >> main; i < 1<<subBits; i += 1 << (length - main) {
		sub[i] = e
	}
}

// First lookups of 11 and 9 bits find nearly all codes, and fit the first-level cache.
const (
	literalBits  = 11
	distanceBits = 9
	lengthBits   = 7 // of the code for code lengths, which has no longer codes
)

// literalMeaning is the alphabet of literals and lengths (RFC 1951, section 3.2.5).
func literalMeaning(symbol int) entry {
	switch {
	case symbol < 256:
		return newEntry(literal, symbol, 0, 0)
	case symbol == 256:
		return newEntry(endOfBlock, 0, 0, 0)
	case symbol < 265:
		return newEntry(base, symbol-257+3, 0, 0)
	case symbol < 285:
		extra := (symbol - 261) / 4
		return newEntry(base, 3+(4+(symbol-265)%4)<<extra, extra, 0)
	case symbol == 285:
		return newEntry(base, maxMatch, 0, 0)
	}
	return newEntry(invalid, 0, 0, 0)
}

// distanceMeaning is the alphabet of distances.
func distanceMeaning(symbol int) entry {
	switch {
	case symbol < 4:
		return newEntry(base, symbol+1, 0, 0)
	case symbol < 30:
		extra := symbol/2 - 1
		return newEntry(base, 1+(2+symbol%2)<<extra, extra, 0)
	}
	return newEntry(invalid, 0, 0, 0)
}

// fixed sets the tables of a block with fixed codes (section 3.2.6).
func (d *decoder) fixed() {
	var lengths [288]byte
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var dists [32]byte
	for i := range dists {
		dists[i] = 5
	}
	// Neither has too many codes.
	_ = d.literals.build(lengths[:], literalBits, literalMeaning)
	_ = d.dists.build(dists[:], distanceBits, distanceMeaning)
}

// dynamic reads the tables of a block with codes of its own (section 3.2.7).
func (d *decoder) dynamic() error {
	h, err := d.take(14)
	if err != nil {
		return err
	}
	literals, dists, codes := h&31+257, h>>5&31+1, h>>10+4
	if literals > 286 || dists > 30 {
		return ErrCorrupt
	}
	var codeLengths [19]byte
	for _, i := range []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}[:codes] {
		n, err := d.take(3)
		if err != nil {
			return err
		}
		codeLengths[i] = byte(n)
	}
	var t table
	if err := t.build(codeLengths[:], lengthBits, func(symbol int) entry { return newEntry(literal, symbol, 0, 0) }); err != nil {
		return err
	}
	lengths, err := d.lengths(&t, literals+dists)
	if err != nil {
		return err
	}
	if lengths[256] == 0 {
		return ErrCorrupt // the block could not end
	}
	if err := d.literals.build(lengths[:literals], literalBits, literalMeaning); err != nil {
		return err
	}
	return d.dists.build(lengths[literals:literals+dists], distanceBits, distanceMeaning)
}

// lengths reads n code lengths, themselves coded, with repetitions.
func (d *decoder) lengths(t *table, n int) (lengths [286 + 30]byte, err error) {
	for i := 0; i < n; {
		e, err := d.lookup(t)
		if err != nil {
			return lengths, err
		}
		symbol := int(e.value())
		if symbol < 16 {
			lengths[i] = byte(symbol)
			i++
			continue
		}
		var value byte
		repeat, extra := 3, uint(3)
		switch symbol {
		case 16:
			if i == 0 {
				return lengths, ErrCorrupt
			}
			value, extra = lengths[i-1], 2
		case 18:
			repeat, extra = 11, 7
		}
		more, err := d.take(extra)
		if err != nil {
			return lengths, err
		}
		if repeat += more; repeat > n-i {
			return lengths, ErrCorrupt
		}
		for range repeat {
			lengths[i] = value
			i++
		}
	}
	return lengths, nil
}
