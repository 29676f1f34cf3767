package sz3

import (
	"encoding/binary"
	"math"
)

// A Huffman tree is: smallest symbol 4, number of nodes k 4, and half the range of symbols 4 (the last
// two big-endian), 0, then for each node the index of its left child, of its right child (1 byte if
// k <= 256, 2 if k <= 65536, otherwise 4), the symbol less the smallest 4, and 1 for a leaf. Node 0 is
// the root. A left child is a 0 bit. Symbols are: bytes 8, and codes, highest bit first.

// lookupBits is how many bits of a code are looked up at once.
const lookupBits = 11

// huffman decodes symbols.
type huffman struct {
	left, right []uint32
	symbol      []int32
	leaf        []byte
	// lookup has for the next bits the symbol and the length of its code, or, with a length above
	// lookupBits, the node to go on from.
	lookup [1 << lookupBits]lookup
}

type lookup struct {
	value  int32
	length uint8
}

// longCode marks an entry that is a node.
const longCode = lookupBits + 1

// parseHuffman reads a tree for n symbols, each in [0, limit).
func parseHuffman(in *cursor, limit int64) (*huffman, error) {
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
	if k == 0 || k%2 == 0 {
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
	return h, h.build()
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
	depth      uint8
}

// build checks that the nodes are a tree and fills the lookup table.
func (h *huffman) build() error {
	seen := make([]bool, len(h.leaf))
	stack := []place{{}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int64(p.node) >= int64(len(h.leaf)) || seen[p.node] {
			return formatError("Huffman tree", "node %d of %d is missing or has two parents", p.node, len(h.leaf))
		}
		seen[p.node] = true
		switch {
		case h.leaf[p.node] != 0:
			if p.depth <= lookupBits {
				h.enter(p, lookup{h.symbol[p.node], p.depth})
			}
			continue
		case p.depth == lookupBits:
			h.enter(p, lookup{int32(p.node), longCode})
		}
		// Below the table codes do not count.
		depth := min(p.depth+1, lookupBits+1)
		stack = append(stack, place{h.right[p.node], p.code<<1 | 1, depth}, place{h.left[p.node], p.code << 1, depth})
	}
	return nil
}

// enter enters a value for all bits that begin with the code of p.
func (h *huffman) enter(p place, v lookup) {
	free := lookupBits - p.depth
	first := p.code << free
	for i := range uint32(1) << free {
		h.lookup[first+i] = v
	}
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
	for i := 0; i < len(dst); {
		w := bigWindow(src, at)
		// A window has the bits of four lookups at least, with 13 to spare.
		for left := windowBits; left >= lookupBits && i < len(dst); i++ {
			e := h.lookup[w>>(64-lookupBits)]
			if e.length > lookupBits {
				dst[i], at = h.walk(uint32(e.value), src, at+lookupBits)
				if at > end {
					break
				}
				w, left = bigWindow(src, at), windowBits
				continue
			}
			dst[i] = e.value
			at += uint64(e.length)
			w <<= e.length
			left -= int(e.length)
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

// bigWindow returns the bits from bit at on, the first one highest. Bits after the end are 0.
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
