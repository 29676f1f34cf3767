package inflate

import "math/bits"

const (
	maxLit  = 288 // literal and length codes
	maxDist = 32  // distance codes
	maxLen  = 15  // bits of a code

	// Bits that the first tables are indexed by. Code lengths have no longer codes.
	litBits    = 11
	distBits   = 9
	lengthBits = 7

	tableSize = 1 << litBits
	// Longer codes go to tables of their own, by their last bits: of 64 entries at most, for two
	// codes at least.
	subSize = 4096
)

// An entry of a table describes the next bits:
//
//	bits 0–5    bits of the code (in a subtable: of its part there)
//	bits 6–7    number of literals, 0 if the code is not a literal
//	bits 16–23  first literal
//	bits 24–31  second literal
//
// and when there is no literal
//
//	bit  8      end of block
//	bit  9      code is continued in a subtable
//	bit  10     no such code
//	bits 11–14  extra bits
//	bits 16–31  base of length or distance; place of the subtable
//
// For a subtable, bits 11–14 are the bits it is indexed by.
type entry uint32

const (
	flagEnd     entry = 1 << 8
	flagSub     entry = 1 << 9
	flagInvalid entry = 1 << 10
	flagsOther        = flagEnd | flagSub | flagInvalid
)

func (e entry) bits() uint     { return uint(e & 63) }
func (e entry) literals() uint { return uint(e >> 6 & 3) }
func (e entry) extra() uint    { return uint(e >> 11 & 15) }
func (e entry) base() uint     { return uint(e >> 16) }

type table struct {
	first [tableSize]entry
	sub   [subSize]entry
}

// Bases and extra bits of lengths and distances (RFC 1951, section 3.2.5).
var (
	lengthBase = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
		163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
		3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// Entries of all symbols, without the bits of their codes.
var (
	litEntries    = entriesOf(maxLit, litEntry)
	distEntries   = entriesOf(maxDist, distEntry)
	lengthEntries = entriesOf(len(order), plainEntry)
)

func entriesOf(n int, of func(symbol int) entry) []entry {
	all := make([]entry, n)
	for symbol := range all {
		all[symbol] = of(symbol)
	}
	return all
}

func litEntry(symbol int) entry {
	switch {
	case symbol < 256:
		return entry(symbol)<<16 | 1<<6
	case symbol == 256:
		return flagEnd
	case symbol < 257+len(lengthBase):
		i := symbol - 257
		return entry(lengthBase[i])<<16 | entry(lengthExtra[i])<<11
	}
	return flagInvalid
}

func distEntry(symbol int) entry {
	if symbol >= len(distBase) {
		return flagInvalid
	}
	return entry(distBase[symbol])<<16 | entry(distExtra[symbol])<<11
}

func plainEntry(symbol int) entry { return entry(symbol) << 16 }

// build fills the table for codes of the given lengths (RFC 1951, section 3.2.2): width bits find
// an entry of the first. Codes must use up all bit patterns, except for a single one.
func (t *table) build(lens []uint8, entries []entry, width int) error {
	var count [maxLen + 1]int
	for _, n := range lens {
		count[n]++
	}
	used := len(lens) - count[0]
	count[0] = 0
	left := 1
	var place [maxLen + 2]int // where the symbols of each length begin in sorted
	for n := 1; n <= maxLen; n++ {
		if left = left<<1 - count[n]; left < 0 {
			return corrupt("too many codes of %d bits", n)
		}
		place[n+1] = place[n] + count[n]
	}
	if left > 0 && used > 0 && !(used == 1 && count[1] == 1) {
		return corrupt("codes leave bit patterns without meaning")
	}
	var sorted [maxLit + maxDist]uint16
	for symbol, n := range lens {
		if n > 0 {
			sorted[place[n]] = uint16(symbol)
			place[n]++
		}
	}
	// The entries of codes of n bits are the first 2^n entries. For codes of one bit more these are there twice,
	// and entries without a code so far are replaced.
	t.first[0] = flagInvalid | 1
	symbols := sorted[:used]
	code := uint(0)
	for n := 1; n <= width; n++ {
		copy(t.first[1<<(n-1):1<<n], t.first[:1<<(n-1)])
		code <<= 1
		for _, symbol := range symbols[:count[n]] {
			t.first[bits.Reverse16(uint16(code))>>(16-n)] = entries[symbol] | entry(n)
			code++
		}
		symbols = symbols[count[n]:]
	}
	return t.long(symbols, code, &count, entries, width)
}

// long places the codes that are longer than first bits, in tables as wide as the longest needs.
// The codes of one table follow each other.
func (t *table) long(symbols []uint16, code uint, count *[maxLen + 1]int, entries []entry, first int) error {
	if len(symbols) == 0 {
		return nil
	}
	width := maxLen - first
	for count[first+width] == 0 {
		width--
	}
	used, last := uint(0), ^uint(0)
	for n := first + 1; n <= maxLen; n++ {
		code <<= 1
		for _, symbol := range symbols[:count[n]] {
			reversed := uint(bits.Reverse16(uint16(code)) >> (16 - n))
			code++
			prefix := reversed & (1<<first - 1)
			if prefix != last {
				if used+1<<width > subSize { // cannot be: the codes are a complete set
					return corrupt("more long codes than a complete set can have")
				}
				t.first[prefix] = entry(used)<<16 | flagSub | entry(width)<<11 | entry(first)
				used += 1 << width
				last = prefix
			}
			base := t.first[prefix].base()
			for i := reversed >> first; i < 1<<width; i += 1 << (n - first) {
				t.sub[base+i] = entries[symbol] | entry(n-first)
			}
		}
		symbols = symbols[count[n]:]
	}
	return nil
}

// pairs joins two literals whose codes fit an index together, so that one look-up gives both.
func (t *table) pairs() {
	for i := tableSize - 1; i >= 0; i-- {
		e := t.first[i]
		if e.literals() != 1 {
			continue
		}
		// From the end, entry i>>n is not joined yet.
		n := e.bits()
		f := t.first[i>>n]
		if f.literals() == 1 && n+f.bits() <= litBits {
			t.first[i] = e&0xff0000 | (f&0xff0000)<<8 | 2<<6 | entry(n+f.bits())
		}
	}
}
