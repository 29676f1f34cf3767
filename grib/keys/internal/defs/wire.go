package defs

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The parts of the archive are made of unsigned varints, zig-zag varints,
// length-prefixed strings and IEEE doubles (little-endian).

// A Writer appends values of the wire format to B.
type Writer struct{ B []byte }

// Uint appends an unsigned varint.
func (w *Writer) Uint(v uint64) { w.B = binary.AppendUvarint(w.B, v) }

// Int appends a signed varint.
func (w *Writer) Int(v int64) { w.B = binary.AppendVarint(w.B, v) }

// Str appends a length-prefixed string.
func (w *Writer) Str(s string) {
	w.Uint(uint64(len(s)))
	w.B = append(w.B, s...)
}

// Float appends a double.
func (w *Writer) Float(f float64) { w.B = binary.LittleEndian.AppendUint64(w.B, math.Float64bits(f)) }

// Sym appends an identifier.
func (w *Writer) Sym(s Sym) { w.Uint(uint64(s + 1)) }

// A reader takes values of the wire format from an embedded part. The first
// error sticks. Strings share memory with the part.
type reader struct {
	s   string
	pos int
	err error
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = fmt.Errorf("compiled definitions are damaged at byte %d", r.pos)
	}
}

func (r *reader) uint() uint64 {
	var v uint64
	for shift := uint(0); shift < 64; shift += 7 {
		if r.pos >= len(r.s) {
			break
		}
		b := r.s[r.pos]
		r.pos++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.fail()
	return 0
}

func (r *reader) int() int64 {
	u := r.uint()
	v := int64(u >> 1)
	if u&1 != 0 {
		v = ^v
	}
	return v
}

// count reads the length of a list of items of at least one byte each.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.s)-r.pos) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) str() string {
	n := r.count()
	s := r.s[r.pos : r.pos+n]
	r.pos += n
	return s
}

func (r *reader) byte() byte {
	if r.pos >= len(r.s) {
		r.fail()
		return 0
	}
	b := r.s[r.pos]
	r.pos++
	return b
}

func (r *reader) float() float64 {
	if len(r.s)-r.pos < 8 {
		r.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64([]byte(r.s[r.pos : r.pos+8]))
	r.pos += 8
	return math.Float64frombits(v)
}

func (r *reader) sym() Sym { return Sym(r.uint()) - 1 }
