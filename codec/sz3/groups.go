package sz3

// Where most codes are short, several symbols are looked up at once. An entry of the table has the
// complete codes that the next groupBits bits begin with:
//
//	byte 0                the bits of all of them
//	byte 1                their number, at most groupSymbols, 0 if the first is not one of these
//	bytes 2 to 7          the symbols, less the symbol in the middle
//
// Symbols that are too far from the middle are not in it.
const (
	groupBits    = 11
	groupSymbols = 6
	groupFirst   = 16 // bit of the first symbol
)

// worthGroups is from how many symbols on the table pays for itself.
const worthGroups = 4 << groupBits

// groups is the table.
type groups struct {
	entries [1 << groupBits]uint64
	middle  int32
}

// shortCode is the greatest length of the shortest code for which the table pays.
const shortCode = 2

// makeGroups makes the table, with the symbol of the shortest code in the middle. It returns nil
// when codes are long.
func (h *huffman) makeGroups() *groups {
	g := new(groups)
	shortest := uint32(longCode)
	for _, e := range h.lookup {
		if n := e & longCode; n < shortest {
			shortest, g.middle = n, int32(e>>entryBits)
		}
	}
	if shortest > shortCode {
		return nil
	}
	for i := range g.entries {
		g.entries[i] = h.group(uint64(i)<<(64-groupBits), g.middle)
	}
	return g
}

// group returns the entry for the highest groupBits bits of w.
func (h *huffman) group(w uint64, middle int32) uint64 {
	var e, used, count uint64
	for count < groupSymbols {
		code := h.lookup[w<<used>>(64-h.lookupBits)]
		length := uint64(code & longCode)
		far := int32(code>>entryBits) - middle
		if length == longCode || used+length > groupBits || far != int32(int8(far)) {
			break
		}
		e |= uint64(uint8(far)) << (groupFirst + 8*count)
		used += length
		count++
	}
	return e | count<<8 | used
}

// decode reads symbols from bit at of src on and returns how many, and where the next symbol
// begins. It ends before the first that is not in the table, or near the end of dst.
func (g *groups) decode(dst []int32, src []byte, at uint64) (n int, next uint64) {
	middle := g.middle
	for {
		w := bigWindow(src, at)
		for used := uint64(0); used <= windowBits-groupBits; {
			e := g.entries[w>>(64-groupBits)]
			count := int(e >> 8 & 7)
			if count == 0 || len(dst)-n < groupSymbols {
				return n, at
			}
			to := dst[n : n+groupSymbols]
			to[0] = middle + int32(int8(e>>groupFirst))
			to[1] = middle + int32(int8(e>>(groupFirst+8)))
			to[2] = middle + int32(int8(e>>(groupFirst+16)))
			to[3] = middle + int32(int8(e>>(groupFirst+24)))
			to[4] = middle + int32(int8(e>>(groupFirst+32)))
			to[5] = middle + int32(int8(e>>(groupFirst+40)))
			n += count
			length := e & 0xff
			at += length
			used += length
			w <<= length & 63
		}
	}
}
