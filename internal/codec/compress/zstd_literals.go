package compress

import (
	"io"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/huff0"
	"github.com/klauspost/compress/zstd"
)

// literalPacker makes Huffman codes of the blocks of a frame that the library stores as they are. The library
// does so if it finds no matches and a code for the whole block saves less than a sixteenth. A packer takes
// every saving, with codes of their own for parts of a block whose bytes have other frequencies.
type literalPacker struct {
	// done says that a code of the library has come, which later blocks may refer to.
	done    bool
	huffman huff0.Scratch
	out     []byte // that a block becomes
	sample  []byte
}

// literalPackers keeps idle packers, whose tables are large.
var literalPackers = sync.Pool{New: func() any { return new(literalPacker) }}

func newLiteralPacker() *literalPacker {
	p := literalPackers.Get().(*literalPacker)
	p.done = false
	return p
}

// packsLiterals reports whether frames of a speed are packed.
func packsLiterals(speed zstd.EncoderLevel) bool { return speed > zstd.SpeedFastest }

// packLiterals packs the frame that b has from start on, in its memory.
func packLiterals(b []byte, start int) []byte {
	var h zstd.Header
	if h.Decode(b[start:]) != nil {
		return b
	}
	p := newLiteralPacker()
	defer literalPackers.Put(p)
	at := start + h.HeaderSize
	out := b[:at]
	put := func(block []byte) error {
		out = append(out, block...)
		return nil
	}
	rest, _ := p.blocks(b[at:], put)
	return append(out, rest...)
}

// Kinds of blocks, beside zstdRepeated and zstdReserved, and of their literals.
const (
	zstdRaw        = 0
	zstdCompressed = 2
	literalsCoded  = 2 // their Huffman code precedes them
)

// blocks packs the blocks of src, and returns the bytes after the last whole block. The function put gets the
// blocks in order, and may write over bytes of src that it has got.
func (p *literalPacker) blocks(src []byte, put func(block []byte) error) (rest []byte, err error) {
	for !p.done && len(src) >= zstdBlockHeader {
		head := int(src[0]) | int(src[1])<<8 | int(src[2])<<16
		kind, size := head>>1&3, head>>3
		if kind == zstdRepeated {
			size = 1
		}
		end := zstdBlockHeader + size
		if end > len(src) {
			break
		}
		block := src[:end]
		switch {
		case kind == zstdRaw && p.promising(block[zstdBlockHeader:]):
			block = p.pack(block, head&1 != 0)
		case kind == zstdCompressed:
			p.done = src[zstdBlockHeader]&3 >= literalsCoded
		}
		if err := put(block); err != nil {
			return nil, err
		}
		src = src[end:]
	}
	return src, nil
}

// promising reports whether codes would save a 256th of a sample of literals.
func (p *literalPacker) promising(src []byte) bool {
	p.sample = p.sample[:0]
	for ; len(src) >= literalPart; src = src[literalPart:] {
		p.sample = append(p.sample, src[:literalPart/8]...)
	}
	var f frequencies
	f.count(p.sample)
	return f.entropy() < f.n-f.n/256
}

// pack returns the blocks that a stored block becomes, or this if they are not smaller.
func (p *literalPacker) pack(block []byte, last bool) []byte {
	p.out = p.out[:0]
	src := block[zstdBlockHeader:]
	var whole, next, both frequencies
	from := 0
	for at := 0; at < len(src); at += literalPart {
		next.count(src[at:min(at+literalPart, len(src))])
		both = whole
		both.add(&next)
		if at == 0 || both.coded() <= whole.coded()+next.coded() {
			whole = both
			continue
		}
		p.part(src[from:at], whole.coded(), false)
		from, whole = at, next
	}
	p.part(src[from:], whole.coded(), last)
	if len(p.out) < len(block) {
		return p.out
	}
	return block
}

// literalsHeader is the size of the header of literals that are long.
const literalsHeader = 5

// part appends a block, whose expected size is known, to the output.
func (p *literalPacker) part(src []byte, expected int, last bool) {
	head := 0
	if last {
		head = 1
	}
	begin := func(kind, size int) {
		head |= kind<<1 | size<<3
		p.out = append(p.out, byte(head), byte(head>>8), byte(head>>16))
	}
	if expected < len(src) {
		p.huffman.Reuse = huff0.ReusePolicyNone
		coded, _, err := huff0.Compress4X(src, &p.huffman)
		if size := literalsHeader + len(coded) + 1; err == nil && size < len(src) {
			begin(zstdCompressed, size)
			h := literalsCoded | 3<<2 | uint64(len(src))<<4 | uint64(len(coded))<<22
			p.out = append(p.out, byte(h), byte(h>>8), byte(h>>16), byte(h>>24), byte(h>>32))
			p.out = append(append(p.out, coded...), 0) // no matches
			return
		}
	}
	begin(zstdRaw, len(src))
	p.out = append(p.out, src...)
}

// literalPart is how many bytes of a block are counted at a time.
const literalPart = 8 << 10

// frequencies are how often each byte occurs.
type frequencies struct {
	of    [256]uint32
	n     int
	bytes int // see coded
}

func (f *frequencies) count(b []byte) {
	*f = frequencies{n: len(b)}
	for _, v := range b {
		f.of[v]++
	}
}

func (f *frequencies) add(g *frequencies) {
	for i, n := range g.of {
		f.of[i] += n
	}
	f.n += g.n
	f.bytes = 0
}

// codeBytes is about the size of a Huffman code, and of the headers of its block.
const codeBytes = 110

// coded estimates the size of all bytes in Huffman codes. It is no more than their number.
func (f *frequencies) coded() int {
	if f.bytes == 0 {
		f.bytes = min(f.n, f.entropy()+codeBytes)
	}
	return f.bytes
}

// entropy is the size of all bytes in codes that are not whole bits.
func (f *frequencies) entropy() int {
	t := logs()
	all := uint64(f.n) * uint64(t.log2(uint32(f.n)))
	for _, n := range f.of {
		all -= uint64(n) * uint64(t.log2(n))
	}
	return int(all >> (logBits + 3))
}

// logBits is the number of bits of a logarithm after the point.
const logBits = 12

// A logTable has the logarithms of 256/256 to 511/256. They are integers, which are equal on all machines.
type logTable [256]uint32

// logs makes the table when it is first needed.
var logs = sync.OnceValue(func() *logTable {
	t := new(logTable)
	for i := range t {
		x := uint64(256+i) << 23 // with 31 bits after the point
		for range logBits {
			x = x * x >> 31 // whose logarithm is twice as large
			t[i] <<= 1
			if x >= 2<<31 {
				x >>= 1
				t[i] |= 1
			}
		}
	}
	return t
})

// log2 is the logarithm of n, or 0 of 0.
func (t *logTable) log2(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	e := bits.Len32(n) - 1
	return uint32(e)<<logBits + t[n<<(31-e)>>23&255]
}

// packedWriter packs the frame that is written to it.
type packedWriter struct {
	w       io.Writer
	packer  *literalPacker
	begun   bool   // after the header of the frame
	waiting []byte // that are no whole block yet
}

// maxZstdHeader is the greatest size of the header of a frame.
const maxZstdHeader = 18

// Write implements io.Writer.
func (p *packedWriter) Write(b []byte) (int, error) {
	n := len(b)
	if len(p.waiting) > 0 || !p.begun {
		p.waiting = append(p.waiting, b...)
		b = p.waiting
	}
	if !p.begun {
		var h zstd.Header
		if err := h.Decode(b); err != nil && len(b) < maxZstdHeader {
			return n, nil
		}
		p.begun = true
		if err := p.put(b[:h.HeaderSize]); err != nil {
			return 0, err
		}
		b = b[h.HeaderSize:]
	}
	rest, err := p.packer.blocks(b, p.put)
	if err == nil && p.packer.done {
		err = p.put(rest)
		rest = nil
	}
	p.waiting = append(p.waiting[:0], rest...)
	return n, err
}

func (p *packedWriter) put(b []byte) error {
	_, err := p.w.Write(b)
	return err
}

// flush writes the bytes that wait.
func (p *packedWriter) flush() error {
	err := p.put(p.waiting)
	p.waiting = nil
	return err
}
