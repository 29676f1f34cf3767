package catalog

import (
	"encoding/binary"
	"iter"
)

// A rowList is a list of rows that takes little memory: all but the last are packed, a block of them together.
type rowList struct {
	packed []rowBlock
	last   []row // fewer than blockRows
}

// blockRows is how many rows a block has.
const blockRows = 1 << 12

// A rowBlock has rows as columns: of each the least word, and by how much the word of each row is greater, in as many
// bytes as the greatest difference takes.
type rowBlock struct {
	least  [numColumns]uint64
	width  [numColumns]uint8 // bytes a row: 0, 1, 2, 4 or 8
	data   [numColumns][]byte
	values [][]byte // of rows; nil if none has any
}

// len returns the number of rows.
func (l *rowList) len() int { return len(l.packed)*blockRows + len(l.last) }

// at returns row i.
func (l *rowList) at(i int) row {
	block, k := i/blockRows, i%blockRows
	if block == len(l.packed) {
		return l.last[k]
	}
	return l.packed[block].at(k)
}

// all yields the rows in order.
func (l *rowList) all() iter.Seq2[int, row] {
	return func(yield func(int, row) bool) {
		for i := range l.len() {
			if !yield(i, l.at(i)) {
				return
			}
		}
	}
}

// add appends a row.
func (l *rowList) add(r row) {
	l.last = append(l.last, r)
	if len(l.last) == blockRows {
		l.packed = append(l.packed, packRows(l.last))
		l.last = make([]row, 0, blockRows)
	}
}

// setValues sets the values of row i.
func (l *rowList) setValues(i int, values []byte) {
	block, k := i/blockRows, i%blockRows
	if block == len(l.packed) {
		l.last[k].values = values
		return
	}
	b := &l.packed[block]
	if b.values == nil {
		b.values = make([][]byte, blockRows)
	}
	b.values[k] = values
}

// hasValues reports whether a row has values.
func (l *rowList) hasValues() bool {
	for _, r := range l.all() {
		if r.values != nil {
			return true
		}
	}
	return false
}

// packRows makes a block of rows.
func packRows(rows []row) (b rowBlock) {
	var most [numColumns]uint64
	for i := range rows {
		for column, w := range rows[i].words() {
			if i == 0 || int64(w) < int64(b.least[column]) {
				b.least[column] = w
			}
			if i == 0 || int64(w) > int64(most[column]) {
				most[column] = w
			}
		}
	}
	for column := range numColumns {
		switch span := most[column] - b.least[column]; {
		case span == 0:
			continue
		case span < 1<<8:
			b.width[column] = 1
		case span < 1<<16:
			b.width[column] = 2
		case span < 1<<32:
			b.width[column] = 4
		default:
			b.width[column] = 8
		}
		b.data[column] = make([]byte, len(rows)*int(b.width[column]))
	}
	for i := range rows {
		for column, w := range rows[i].words() {
			w -= b.least[column]
			switch data := b.data[column]; b.width[column] {
			case 1:
				data[i] = byte(w)
			case 2:
				binary.LittleEndian.PutUint16(data[2*i:], uint16(w))
			case 4:
				binary.LittleEndian.PutUint32(data[4*i:], uint32(w))
			case 8:
				binary.LittleEndian.PutUint64(data[8*i:], w)
			}
		}
		if rows[i].values != nil {
			if b.values == nil {
				b.values = make([][]byte, len(rows))
			}
			b.values[i] = rows[i].values
		}
	}
	return b
}

// at returns row i of the block.
func (b *rowBlock) at(i int) row {
	words := b.least
	for column, width := range b.width {
		switch data := b.data[column]; width {
		case 1:
			words[column] += uint64(data[i])
		case 2:
			words[column] += uint64(binary.LittleEndian.Uint16(data[2*i:]))
		case 4:
			words[column] += uint64(binary.LittleEndian.Uint32(data[4*i:]))
		case 8:
			words[column] += binary.LittleEndian.Uint64(data[8*i:])
		}
	}
	r := rowOf(&words)
	if b.values != nil {
		r.values = b.values[i]
	}
	return r
}
