package unzstd

import (
	"github.com/klauspost/compress/huff0"
)

// literals are the literals of one block (RFC 8878, section 3.1.1.3.1):
//
//	header 1 to 5   bits 0 and 1: type; 2 and 3: format of the sizes; their sizes
//	                0: as they are; 1: one byte, repeated; 2: Huffman codes; 3: codes of the
//	                last tree
type literals struct {
	data []byte // from the first one on; some bytes may follow the last one
	size int
	at   int // of the next one
	tree *huff0.Scratch
	has  bool // tree is of an earlier block
	buf  []byte
}

func (l *literals) reset() { l.data, l.size, l.at, l.has = nil, 0, 0, false }

// room returns memory for n literals, with some bytes after them.
func (l *literals) room(n int) []byte {
	if cap(l.buf) < n+litsMargin {
		l.buf = make([]byte, maxLits+litsMargin)
	}
	return l.buf[:n+litsMargin]
}

// read reads the literals of a block from begin to end of src, at most limit. It returns their end.
func (l *literals) read(src []byte, begin, end, limit int) (at int, ok bool) {
	b := src[begin:end]
	if len(b) < 1 {
		return 0, false
	}
	const plain, repeated, coded = 0, 1, 2
	kind, format := b[0]&3, b[0]>>2&3
	head, stored := 0, 0
	switch {
	case kind <= repeated:
		head = [4]int{1, 2, 1, 3}[format]
	default:
		head = [4]int{3, 3, 4, 5}[format]
	}
	if len(b) < head {
		return 0, false
	}
	var v uint64
	for i, c := range b[:head] {
		v |= uint64(c) << (8 * i)
	}
	l.at = 0
	switch {
	case kind <= repeated:
		l.size = int(v >> [4]int{3, 4, 3, 4}[format])
		stored = l.size
		if kind == repeated {
			stored = 1
		}
	default:
		width := [4]int{10, 10, 14, 18}[format]
		l.size = int(v >> 4 & (1<<width - 1))
		stored = int(v >> (4 + width))
	}
	if l.size > limit || len(b)-head < stored {
		return 0, false
	}
	at = begin + head + stored
	switch kind {
	case plain:
		l.data = src[at-stored:]
		return at, true
	case repeated:
		l.data = l.room(l.size)
		fill(l.data[:l.size], b[head])
		return at, true
	}
	return at, l.decode(b[head:head+stored], kind == coded, format > 0)
}

// decode decodes Huffman codes, before which their tree stands if fresh, in one or four streams.
func (l *literals) decode(b []byte, fresh, four bool) bool {
	if fresh {
		if l.tree == nil {
			l.tree = new(huff0.Scratch)
		}
		var err error
		l.has = false
		tree, rest, err := huff0.ReadTable(b, l.tree)
		if err != nil {
			return false
		}
		l.tree, l.has, b = tree, true, rest
	}
	if !l.has {
		return false
	}
	l.data = l.room(l.size)
	into := l.data[:0:l.size]
	decode := l.tree.Decoder().Decompress1X
	if four {
		decode = l.tree.Decoder().Decompress4X
	}
	l.tree.MaxDecodedSize = l.size
	got, err := decode(into, b)
	return err == nil && len(got) == l.size
}
