package sz3

import "encoding/binary"

// huffmanEncoder builds the tree of a list of symbols and codes them. Its memory is used again.
type huffmanEncoder struct {
	smallest int32
	nodes    []node
	heap     []counted
	count    []uint32 // of each symbol, from the smallest on
	codes    []uint64 // of each symbol: the code, then 6 bits with its length
	odd      []uint32 // counts of every second symbol, while they are counted
	order    []int32  // of the nodes in a stream
	left     []uint32 // children of these
	right    []uint32
	stack    []visit
}

// counted is a node in the heap.
type counted struct {
	count uint64
	node  int32
}

type node struct {
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

// build makes the same tree as the library. The two nodes with the fewest symbols are joined,
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
	h.countSymbols(symbols)
	h.nodes, h.heap = h.nodes[:0], h.heap[:0]
	for s, n := range h.count {
		if n > 0 {
			h.push(uint64(n), node{-1, -1, int32(s)})
		}
	}
	for len(h.heap) > 1 {
		left, right := h.pop(), h.pop()
		h.push(left.count+right.count, node{left.node, right.node, 0})
	}
}

// countSymbols counts symbols. It has two tables, in turn, where there are more symbols than
// counts, because reading a count that was just written takes time.
func (h *huffmanEncoder) countSymbols(symbols []int32) {
	low := h.smallest
	if len(symbols) < 2*len(h.count) {
		for _, s := range symbols {
			h.count[s-low]++
		}
		return
	}
	if cap(h.odd) < len(h.count) {
		h.odd = make([]uint32, len(h.count))
	}
	even, odd := h.count, h.odd[:len(h.count)]
	clear(odd)
	for ; len(symbols) > 1; symbols = symbols[2:] {
		even[symbols[0]-low]++
		odd[symbols[1]-low]++
	}
	for _, s := range symbols {
		even[s-low]++
	}
	for i, n := range odd {
		even[i] += n
	}
}

func (h *huffmanEncoder) push(count uint64, n node) {
	h.nodes = append(h.nodes, n)
	entry := counted{count, int32(len(h.nodes) - 1)}
	h.heap = append(h.heap, entry)
	heap := h.heap
	i := len(heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if heap[parent].count <= count {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = entry
}

func (h *huffmanEncoder) pop() counted {
	top := h.heap[0]
	last := len(h.heap) - 1
	entry := h.heap[last]
	heap := h.heap[:last]
	h.heap = heap
	i := 0
	for 2*i+1 < len(heap) {
		child := 2*i + 1
		if child+1 < len(heap) && heap[child+1].count < heap[child].count {
			child++
		}
		if entry.count <= heap[child].count {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	if last > 0 {
		heap[i] = entry
	}
	return top
}

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

// visit is a node that is to be entered in a stream.
type visit struct {
	node   int32
	code   uint64
	length uint64
	parent int // the place whose right child it is, or -1
}

// preorder returns the nodes from the root on, each before its children, and the places of these.
func (h *huffmanEncoder) preorder() (order []int32, left, right []uint32) {
	order, left, right = h.order[:0], h.left[:0], h.right[:0]
	stack := append(h.stack[:0], visit{int32(len(h.nodes) - 1), 0, 0, -1})
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
	h.order, h.left, h.right, h.stack = order, left, right, stack
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
