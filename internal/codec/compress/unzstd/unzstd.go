// Package unzstd unpacks zstd frames (RFC 8878) from memory into memory of known size. Blosc, HDF5 and Zarr chunks
// hold such frames. Bytes of shuffled numbers repeat at short distances, which github.com/klauspost/compress/zstd
// copies one by one: for the frames of bench/codecs this package takes six to nine tenths of its processor time.
// That library still decodes Huffman codes, and all frames that this package does not support.
//
// [Decode] unpacks plain frames only: no dictionary, no checksum, no skippable frames except after the
// frame, and windows up to 128 MiB. It reports whether it could; a complete decoder must then find whether the frame
// is damaged or of another kind. It reads only src, writes only dst, and may be called from several
// goroutines at once.
//
// A frame is
//
//	28 b5 2f fd   (RFC 8878, section 3.1.1)
//	descriptor    bits 6 and 7: size of the length; 5: single segment; 4: unused; 3: 0;
//	              2: checksum;
//	              0 and 1: size of the dictionary's number (section 3.1.1.1.1)
//	window 1      unless single segment: bits 3 to 7 an exponent, 0 to 2 eighths
//	              (section 3.1.1.1.2)
//	length        0, 1, 2, 4 or 8 bytes (section 3.1.1.1.4)
//	blocks        each 3 bytes, bit 0: the last one; 1 and 2: its type; then its size
//	              (section 3.1.1.2)
//	                0: data; 1: one byte, repeated; 2: literals and sequences
package unzstd

import (
	"encoding/binary"
	"sync"

	"github.com/tgmconv/tgmconv/internal/codec/match"
)

const (
	magic      = 0xfd2fb528
	skippable  = 0x184d2a50 // and the next 15
	maxBlock   = 128 << 10
	maxWindow  = 128 << 20
	maxLits    = maxBlock
	litsMargin = 32 // bytes read beyond the literals
)

// decoder holds the state of one frame.
type decoder struct {
	dst, src []byte
	out, in  int
	window   int
	most     int // bytes of a block
	codes    [3]codes
	literals literals
	run      run
	slow     bool // unpack without assembly
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Decode unpacks the frame at the start of src, which must hold exactly len(dst) bytes, and reports whether it
// could. If it reports false, the content of dst is undefined.
func Decode(dst, src []byte) bool {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	return d.decode(dst, src)
}

func (d *decoder) decode(dst, src []byte) bool {
	d.dst, d.src, d.out, d.in = dst, src, 0, 0
	d.run.repeat = [3]int{1, 4, 8}
	for i := range d.codes {
		d.codes[i].table = nil
	}
	d.literals.reset()
	ok := d.header() && d.blocks() && d.out == len(dst) && d.skip()
	d.dst, d.src, d.literals.data = nil, nil, nil
	d.run = run{}
	return ok
}

// skip skips skippable frames, and reports whether nothing follows them.
func (d *decoder) skip() bool {
	for d.in < len(d.src) {
		kind, _ := d.number(4)
		size, ok := d.number(4)
		if kind&^0xf != skippable || !ok || size > uint64(len(d.src)-d.in) {
			return false
		}
		d.in += int(size)
	}
	return true
}

// take returns the next n bytes of the frame.
func (d *decoder) take(n int) ([]byte, bool) {
	if n < 0 || len(d.src)-d.in < n {
		return nil, false
	}
	b := d.src[d.in : d.in+n]
	d.in += n
	return b, true
}

// number returns the next n bytes, at most 8, lowest first.
func (d *decoder) number(n int) (uint64, bool) {
	b, ok := d.take(n)
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v, ok
}

// header reads the header of the frame.
func (d *decoder) header() bool {
	b, ok := d.take(5)
	if !ok || binary.LittleEndian.Uint32(b) != magic {
		return false
	}
	const reserved, checksum, dictionary, single = 8, 4, 3, 32
	flags := b[4]
	if flags&(reserved|checksum|dictionary) != 0 {
		return false
	}
	if flags&single == 0 {
		w, ok := d.number(1)
		if !ok || w>>3 > 17 { // 2^(10+17) bytes
			return false
		}
		base := 1 << (10 + w>>3)
		d.window = base + base/8*int(w&7)
	}
	width := [4]int{0, 2, 4, 8}[flags>>6]
	if width == 0 && flags&single != 0 {
		width = 1
	}
	size, ok := d.number(width)
	if width == 2 {
		size += 256
	}
	if !ok || width > 0 && size != uint64(len(d.dst)) {
		return false
	}
	if flags&single != 0 {
		d.window = len(d.dst)
	}
	d.most = min(d.window, maxBlock)
	return d.window <= maxWindow
}

// blocks unpacks all blocks.
func (d *decoder) blocks() bool {
	for last := false; !last; {
		head, ok := d.number(3)
		if !ok {
			return false
		}
		last = head&1 != 0
		size := int(head >> 3)
		most := min(d.most, len(d.dst)-d.out)
		switch head >> 1 & 3 {
		case 0:
			b, ok := d.take(size)
			if !ok || size > most {
				return false
			}
			d.out += copy(d.dst[d.out:], b)
		case 1:
			b, ok := d.take(1)
			if !ok || size > most {
				return false
			}
			fill(d.dst[d.out:d.out+size], b[0])
			d.out += size
		case 2:
			begin := d.in
			if _, ok := d.take(size); !ok || size > d.most || !d.compressed(begin, d.in) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// compressed unpacks a block of literals and sequences, from begin to end of src.
func (d *decoder) compressed(begin, end int) bool {
	at, ok := d.literals.read(d.src, begin, end, d.most)
	if !ok {
		return false
	}
	n, at, ok := d.sequencesHeader(at, end)
	if !ok {
		return false
	}
	limit := d.out + min(d.most, len(d.dst)-d.out)
	if n > 0 && !d.sequences(n, at, end, limit) {
		return false
	}
	rest := d.literals.data[d.literals.at:d.literals.size]
	if len(rest) > limit-d.out {
		return false
	}
	d.out += copy(d.dst[d.out:], rest)
	return true
}

// fill sets all bytes of b to v.
func fill(b []byte, v byte) {
	if len(b) > 0 {
		b[0] = v
		match.Repeat(b, 1)
	}
}
