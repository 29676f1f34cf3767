package sz3

import "encoding/binary"

// huffmanEncoder builds the tree of a list of symbols and codes them. Its memory is used again.
type huffmanEncoder struct {
	smallest int32
	nodes    []node
	heap     []int32
	count    []uint32 // of each symbol, from the smallest on
	codes    []uint64 // of each symbol: the code, then 6 bits with its length
}

type node struct {
	count       uint64
	left, right int32 // -1 for a leaf
	symbol      int32 // less the smallest
}

// lengthBits is the size of the length in an entry of codes. A code has 58 bits at most: the counts
// on the way to a deeper leaf would add up to more than any array has values.
const lengthBits = 6

// append appends the tree of symbols and their codes, with the number of symbols between them when
// counted.
func (h *huffmanEncoder) append(b []byte, symbols []int32, counted bool) []byte {
	h.build(symbols)
	b = h.appendTree(b)
	if counted {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(symbols)))
	}
	return h.appendSymbols(b, symbols)
}

// build makes the tree that the library makes: the two nodes with the fewest symbols are joined,
// and a heap settles ties.
func (h *huffmanEncoder) build(symbols []int32) {
	low, high := symbols[0], symbols[0]
	for _, s := range symbols {
		low, high = min(low, s), max(high, s)
	}
	h.smallest = low
	size := int(high-low) + 1
	if cap(h.count) < size {
		h.count, h.codes = make([]uint32, size), make([]uint64, size)
	}
	h.count, h.codes = h.count[:size], h.codes[:size]
	clear(h.count)
	for _, s := range symbols {
		h.count[s-low]++
	}
	h.nodes, h.heap = h.nodes[:0], h.heap[:0]
	for s, n := range h.count {
		if n > 0 {
			h.push(node{uint64(n), -1, -1, int32(s)})
		}
	}
	for len(h.heap) > 1 {
		left, right := h.pop(), h.pop()
		h.push(node{h.nodes[left].count + h.nodes[right].count, left, right, 0})
	}
}

func (h *huffmanEncoder) push(n node) {
	h.nodes = append(h.nodes, n)
	h.heap = append(h.heap, int32(len(h.nodes)-1))
	i := len(h.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h.countAt(parent) <= n.count {
			break
		}
		h.heap[i], h.heap[parent] = h.heap[parent], h.heap[i]
		i = parent
	}
}

func (h *huffmanEncoder) pop() int32 {
	top := h.heap[0]
	last := len(h.heap) - 1
	h.heap[0] = h.heap[last]
	h.heap = h.heap[:last]
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && h.countAt(child+1) < h.countAt(child) {
			child++
		}
		if h.countAt(i) <= h.countAt(child) {
			break
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
	return top
}

// countAt returns the count of the node at a place of the heap.
func (h *huffmanEncoder) countAt(i int) uint64 { return h.nodes[h.heap[i]].count }

// appendTree appends the nodes in preorder and enters the codes of the symbols.
func (h *huffmanEncoder) appendTree(b []byte) []byte {
	k := len(h.nodes)
	order, left, right := h.preorder()
	b = binary.LittleEndian.AppendUint32(b, uint32(h.smallest))
	b = binary.BigEndian.AppendUint32(b, uint32(k))
	b = binary.BigEndian.AppendUint32(b, uint32(len(h.count)+1)/2)
	b = append(b, 0)
	b = appendIndexes(b, left)
	b = appendIndexes(b, right)
	for _, i := range order {
		b = binary.LittleEndian.AppendUint32(b, uint32(h.nodes[i].symbol))
	}
	for _, i := range order {
		leaf := byte(0)
		if h.nodes[i].left < 0 {
			leaf = 1
		}
		b = append(b, leaf)
	}
	return b
}

// preorder returns the nodes from the root on, each before its children, and the places of these.
func (h *huffmanEncoder) preorder() (order []int32, left, right []uint32) {
	type visit struct {
		node   int32
		code   uint64
		length uint64
		parent int // the place whose right child it is, or -1
	}
	stack := []visit{{int32(len(h.nodes) - 1), 0, 0, -1}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		place := len(order)
		if v.parent >= 0 {
			right[v.parent] = uint32(place)
		}
		order, left, right = append(order, v.node), append(left, 0), append(right, 0)
		n := h.nodes[v.node]
		if n.left < 0 {
			h.codes[n.symbol] = v.code<<lengthBits | v.length
			continue
		}
		left[place] = uint32(place + 1)
		stack = append(stack, visit{n.right, v.code<<1 | 1, v.length + 1, place}, visit{n.left, v.code << 1, v.length + 1, -1})
	}
	return order, left, right
}

func appendIndexes(b []byte, indexes []uint32) []byte {
	for _, i := range indexes {
		switch {
		case len(indexes) <= 1<<8:
			b = append(b, byte(i))
		case len(indexes) <= 1<<16:
			b = binary.LittleEndian.AppendUint16(b, uint16(i))
		default:
			b = binary.LittleEndian.AppendUint32(b, i)
		}
	}
	return b
}

// appendSymbols appends the length of the codes and the codes.
func (h *huffmanEncoder) appendSymbols(b []byte, symbols []int32) []byte {
	total := uint64(0)
	for s, n := range h.count {
		if n > 0 {
			total += uint64(n) * (h.codes[s] & (1<<lengthBits - 1))
		}
	}
	size := (total + 7) / 8
	b = binary.LittleEndian.AppendUint64(b, size)
	end := len(b) + int(size)
	var acc uint64 // the first bit is the highest
	filled := uint64(0)
	for _, s := range symbols {
		c := h.codes[s-h.smallest]
		length := c & (1<<lengthBits - 1)
		c >>= lengthBits
		if filled+length < 64 {
			filled += length
			acc |= c << (64 - filled)
			continue
		}
		over := filled + length - 64
		b = binary.BigEndian.AppendUint64(b, acc|c>>over)
		acc, filled = c<<(64-over), over
	}
	b = binary.BigEndian.AppendUint64(b, acc)
	return b[:end]
}
