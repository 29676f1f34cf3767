package zfp

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Type is the type of the values of a [Grid].
type Type uint8

// The types, as headers number them.
const (
	Int32 Type = iota
	Int64
	Float32
	Float64
)

// Size returns the bytes of a value.
func (t Type) Size() int { return 4 << (t & 1) }

// A Grid describes a stream of values in one to four dimensions. The header of zfp's command and of
// the filter 32013 of HDF5 has this description.
type Grid struct {
	Type Type
	Dims []int // the fastest first
	limits
	reversible bool
}

// headerMagic is "zfp" and the version of the codec.
const headerMagic = 'z' | 'f'<<8 | 'p'<<16 | 5<<24

// Bits of the header, after the magic number: type 2, dimensions 2, their sizes 48, mode 12 or 64.
const (
	metaBits      = 52
	shortModeBits = 12
	longMode      = 1<<shortModeBits - 1
)

// Modes of 12 bits: a rate by its bits, a precision, reversible, an accuracy by its exponent.
const (
	firstPrecision = 2048
	modeReversible = firstPrecision + 128
	firstAccuracy  = modeReversible + 1
)

// ParseHeader reads a header.
func ParseHeader(b []byte) (*Grid, error) {
	if len(b) < 12 || binary.LittleEndian.Uint32(b) != headerMagic {
		return nil, fmt.Errorf("zfp: no header of codec version 5 in %d bytes", len(b))
	}
	meta := binary.LittleEndian.Uint64(b[4:])
	g := &Grid{Type: Type(meta & 3), limits: limits{minBits: 1, maxBits: unlimited, planes: allPlanes, minExp: minExponent}}
	rank := int(meta>>2&3) + 1
	width := 48 / rank
	for i := range rank {
		n := meta >> (4 + i*width) & (1<<width - 1)
		if n >= math.MaxInt32 {
			return nil, fmt.Errorf("zfp: dimension %d has %d values, expected at most %d", i, n+1, math.MaxInt32)
		}
		g.Dims = append(g.Dims, int(n)+1)
	}
	mode := meta >> metaBits
	if mode == longMode {
		if len(b) < 4+16 {
			return nil, fmt.Errorf("zfp: a header of %d bytes, expected 20", len(b))
		}
		g.setLong(binary.LittleEndian.Uint64(b[12:]))
		return g, nil
	}
	switch m := int(mode); {
	case m < firstPrecision:
		g.minBits, g.maxBits = m+1, m+1
	case m < modeReversible:
		g.planes = m - firstPrecision + 1
	case m == modeReversible:
		g.reversible = true
	default:
		g.minExp = m - firstAccuracy + minExponent
	}
	return g, nil
}

// Body returns the stream that follows the header at the beginning of src without a gap. The Python
// package zfpy writes such streams.
func Body(src []byte) []byte {
	const short, long = (32 + metaBits + shortModeBits) / 8, 32 + metaBits + 64
	if len(src) < short {
		return nil
	}
	if binary.LittleEndian.Uint64(src[4:])>>metaBits != longMode {
		return src[short:]
	}
	body := make([]byte, 0, len(src)) // the header ends within a byte
	for i := long / 8; i < len(src); i++ {
		b := src[i] >> (long % 8)
		if i+1 < len(src) {
			b |= src[i+1] << (8 - long%8)
		}
		body = append(body, b)
	}
	return body
}

// setLong reads the mode that does not fit 12 bits: minbits 15, maxbits 15, planes 7, exponent 15.
func (g *Grid) setLong(m uint64) {
	g.minBits, g.maxBits = int(m&0x7fff)+1, int(m>>15&0x7fff)+1
	g.planes = int(m>>30&0x7f) + 1
	g.minExp = int(m>>37&0x7fff) - 16495
	g.reversible = g.minExp < minExponent
}

// Len returns the number of values; ok is false if an int cannot count their bytes.
func (g *Grid) Len() (n int, ok bool) {
	n = 1
	for _, d := range g.Dims {
		if n > math.MaxInt/8/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// CheckSize reports an error when no stream of size bytes holds the grid. Callers use it before
// they take memory for the values.
func (g *Grid) CheckSize(size int) error {
	blocks := uint64(1)
	for _, d := range g.Dims {
		blocks *= uint64(d+blockValues-1) / blockValues
	}
	if least := blocks * uint64(g.minBits); least > 8*uint64(size) {
		return &StreamError{0, 0, fmt.Errorf("%w: %v values take %d bits, %d bytes are there", ErrTruncated, g.Dims, least, size)}
	}
	return nil
}

// Decode fills dst with the values of the stream src, little-endian, the first dimension fastest.
func (g *Grid) Decode(dst, src []byte) error {
	makeTables()
	if n, ok := g.Len(); !ok || len(dst) != n*g.Type.Size() {
		return fmt.Errorf("zfp: %d bytes for values of %v, %d bytes each", len(dst), g.Dims, g.Type.Size())
	}
	switch g.Type {
	case Int32:
		return decodeGrid(g, dst, src, &block[int32, uint32]{
			bits: 32, store: func(b []byte, v int32, _ float64) { binary.LittleEndian.PutUint32(b, uint32(v)) },
		})
	case Int64:
		return decodeGrid(g, dst, src, &block[int64, uint64]{
			bits: 64, store: func(b []byte, v int64, _ float64) { binary.LittleEndian.PutUint64(b, uint64(v)) },
		})
	case Float32:
		return decodeGrid(g, dst, src, &block[int32, uint32]{
			bits: 32, exponent: 8, bias: 127,
			store: func(b []byte, v int32, scale float64) {
				binary.LittleEndian.PutUint32(b, math.Float32bits(float32(scale)*float32(v)))
			},
			reinterpret: func(b []byte, v int32) { binary.LittleEndian.PutUint32(b, uint32(signed(v, v>>31))) },
		})
	}
	return decodeGrid(g, dst, src, &block[int64, uint64]{
		bits: 64, exponent: 11, bias: 1023,
		store: func(b []byte, v int64, scale float64) {
			binary.LittleEndian.PutUint64(b, math.Float64bits(scale*float64(v)))
		},
		reinterpret: func(b []byte, v int64) { binary.LittleEndian.PutUint64(b, uint64(signed(v, v>>63))) },
	})
}

// signed makes sign and magnitude of a number of two's complement; sign is -1 or 0.
func signed[I int32 | int64](v, sign I) I {
	var low I = 1
	low = low<<(8*sizeOf(v)-1) - 1
	return v ^ sign&low
}

func sizeOf[I int32 | int64](v I) int { return binary.Size(v) }

// decodeGrid decodes block after block, blocks of the first dimension fastest. It stores the
// part of each that lies within the grid.
func decodeGrid[I int32 | int64, U uint32 | uint64](g *Grid, dst, src []byte, b *block[I, U]) error {
	rank := len(g.Dims)
	b.init(g)
	r := bitReader{src: src}
	end := 8 * uint64(len(src))
	at := make([]int, rank)
	for number := 0; ; number++ {
		begin := r.at
		scale, raw := b.decode(&r)
		if r.at > end {
			return &StreamError{number, begin, ErrTruncated}
		}
		b.put(dst, g, at, scale, raw)
		i := 0
		for ; i < rank; i++ {
			if at[i] += blockValues; at[i] < g.Dims[i] {
				break
			}
			at[i] = 0
		}
		if i == rank {
			return nil
		}
	}
}
