package sz3

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A Huffman tree is a list of nodes with a head. The head is smallest symbol 4, number of nodes k
// 4, and half the range of symbols 4 (the last two big-endian), 0. Then follow for each node the
// index of its left child, of its right child (1 byte if k <= 256, 2 if k <= 65536, otherwise 4),
// the symbol less the smallest 4, and 1 for a leaf. Node 0 is the root. A left child is a 0 bit.
// Symbols are: bytes 8, and codes, highest bit first.

// maxSymbols is the number of symbols of the largest quantizer.
const maxSymbols = 2 * maxRadius

// maxLookupBits is the most bits of a code that are looked up at once.
const maxLookupBits = 14

// huffman decodes symbols.
type huffman struct {
	left, right []uint32
	symbol      []int32
	leaf        []byte
	// lookup has for the next lookupBits bits the symbol and the length of its code. For longer
	// codes it has the node to go on from and longCode.
	lookup     []uint32
	lookupBits uint
}

// An entry of the lookup table is a symbol or node, and a length in the lowest bits. The
// symbol or node is less than 2^27.
const (
	entryBits = 5
	longCode  = 1<<entryBits - 1
)

// parseHuffman reads a tree for n symbols, each in [0, limit). limit is 2^27 at most.
func parseHuffman(in *cursor, n int, limit int64) (*huffman, error) {
	const part = "Huffman tree"
	smallest, nodes := int32(in.u32()), in.bigU32()
	in.bigU32()
	in.u8()
	width := uint64(4)
	if nodes <= 1<<8 {
		width = 1
	} else if nodes <= 1<<16 {
		width = 2
	}
	k := uint64(nodes)
	left, right := in.take(k*width), in.take(k*width)
	symbols, leaf := in.take(4*k), in.take(k)
	if in.short {
		return nil, &FormatError{part, ErrTruncated}
	}
	if k%2 == 0 || k > 2*maxSymbols {
		return nil, formatError(part, "%d nodes", k)
	}
	h := &huffman{left: indexes(left, width), right: indexes(right, width), symbol: make([]int32, k), leaf: leaf}
	for i := range h.symbol {
		v := int64(smallest) + int64(int32(binary.LittleEndian.Uint32(symbols[4*i:])))
		if leaf[i] != 0 && (v < 0 || v >= limit) {
			return nil, formatError(part, "symbol %d, expected less than %d", v, limit)
		}
		h.symbol[i] = int32(v)
	}
	return h, h.build(n)
}

func indexes(b []byte, width uint64) []uint32 {
	out := make([]uint32, uint64(len(b))/width)
	for i := range out {
		switch width {
		case 1:
			out[i] = uint32(b[i])
		case 2:
			out[i] = uint32(binary.LittleEndian.Uint16(b[2*i:]))
		default:
			out[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
	return out
}

// place is a node and its code.
type place struct {
	node, code uint32
	depth      uint
}

// walkTree calls visit for each node down to a depth. It checks that the nodes are a tree.
func (h *huffman) walkTree(visit func(p place)) error {
	seen := make([]bool, len(h.leaf))
	stack := []place{{}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int64(p.node) >= int64(len(h.leaf)) || seen[p.node] {
			return formatError("Huffman tree", "node %d of %d is missing or has two parents", p.node, len(h.leaf))
		}
		seen[p.node] = true
		visit(p)
		if h.leaf[p.node] == 0 {
			stack = append(stack, place{h.right[p.node], p.code<<1 | 1, p.depth + 1}, place{h.left[p.node], p.code << 1, p.depth + 1})
		}
	}
	return nil
}

// has reports whether there is a code for a symbol.
func (h *huffman) has(symbol int32) bool {
	for i, s := range h.symbol {
		if s == symbol && h.leaf[i] != 0 {
			return true
		}
	}
	return false
}

// build checks the nodes and fills a lookup table that pays for n symbols.
func (h *huffman) build(n int) error {
	deepest := uint(0)
	if err := h.walkTree(func(p place) { deepest = max(deepest, p.depth) }); err != nil {
		return err
	}
	const least = 6
	h.lookupBits = min(deepest, maxLookupBits, uint(max(least, bits.Len(uint(n))-2)))
	h.lookup = make([]uint32, 1<<h.lookupBits)
	return h.walkTree(func(p place) {
		switch leaf := h.leaf[p.node] != 0; {
		case p.depth <= h.lookupBits && leaf:
			free := h.lookupBits - p.depth
			for i := range uint32(1) << free {
				h.lookup[p.code<<free+i] = uint32(h.symbol[p.node])<<entryBits | uint32(p.depth)
			}
		case p.depth == h.lookupBits && !leaf:
			h.lookup[p.code] = p.node<<entryBits | longCode
		}
	})
}

// decode reads len(dst) symbols.
func (h *huffman) decode(dst []int32, in *cursor) error {
	const part = "symbols"
	src := in.take(in.u64())
	if in.short {
		return &FormatError{part, ErrTruncated}
	}
	if h.leaf[0] != 0 {
		for i := range dst {
			dst[i] = h.symbol[0]
		}
		return nil
	}
	if len(src) < (len(dst)+7)/8 {
		return formatError(part, "%d in %d bytes: %w", len(dst), len(src), ErrTruncated)
	}
	at, end := uint64(0), 8*uint64(len(src))
	shift, table := 64-h.lookupBits, h.lookup
	var several *groups
	if len(dst) >= worthGroups {
		several = h.makeGroups()
	}
	for i := 0; i < len(dst); {
		if several != nil && at < end {
			var n int
			n, at = several.decode(dst[i:], src, at)
			i += n
		}
		w := bigWindow(src, at)
		for left := windowBits; left >= maxLookupBits && i < len(dst); i++ {
			e := table[w>>shift]
			length := e & (1<<entryBits - 1)
			if length == longCode {
				dst[i], at = h.walk(e>>entryBits, src, at+uint64(h.lookupBits))
				i++
				break
			}
			dst[i] = int32(e >> entryBits)
			at += uint64(length)
			w <<= length
			left -= int(length)
		}
		if at > end {
			return formatError(part, "symbol %d of %d: %w", i, len(dst), ErrTruncated)
		}
	}
	return nil
}

// walk goes on from a node bit by bit.
func (h *huffman) walk(node uint32, src []byte, at uint64) (int32, uint64) {
	for end := 8 * uint64(len(src)); h.leaf[node] == 0; at++ {
		if at >= end {
			return 0, math.MaxUint64 / 2
		}
		if src[at>>3]>>(7-at&7)&1 == 0 {
			node = h.left[node]
		} else {
			node = h.right[node]
		}
	}
	return h.symbol[node], at
}

// windowBits is how many bits of a window are valid at least.
const windowBits = 57

// bigWindow returns the bits from bit at on, beginning with the highest bit. Bits after the end are
// 0.
func bigWindow(src []byte, at uint64) uint64 {
	i := at >> 3
	if i+8 <= uint64(len(src)) {
		return binary.BigEndian.Uint64(src[i:]) << (at & 7)
	}
	var last [8]byte
	if i < uint64(len(src)) {
		copy(last[:], src[i:])
	}
	return binary.BigEndian.Uint64(last[:]) << (at & 7)
}
