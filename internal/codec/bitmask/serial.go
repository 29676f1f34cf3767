package bitmask

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
)

// Method is the name of a serialisation of a mask in a Tensogram descriptor.
type Method string

// The serialisations of this package. Tensogram knows more (zstd, lz4, blosc2): these are the raw
// form, compressed by a byte compressor, which the caller must apply.
const (
	None    Method = "none"    // the raw MSB-first bits
	RLE     Method = "rle"     // first bit as one byte, then ULEB128 lengths of alternating runs
	Roaring Method = "roaring" // portable roaring bitmap of the marked indices, run-optimised
)

// ErrCorrupt is wrapped by every error about serialised bits that do not describe the expected
// mask.
var ErrCorrupt = errors.New("corrupt bitmask")

// Encode appends the serialised mask to dst.
func Encode(dst []byte, m *Mask, method Method) ([]byte, error) {
	switch method {
	case None:
		dst = append(dst, m.Bits...)
		if rest := m.N % 8; rest != 0 {
			dst[len(dst)-1] &= tailMask(rest)
		}
		return dst, nil
	case RLE:
		return appendRLE(dst, m), nil
	case Roaring:
		return appendRoaring(dst, m)
	}
	return dst, fmt.Errorf("bitmask: unknown method %q", method)
}

// Decode reads a mask of n elements. The returned mask does not share memory with src. It takes
// ceil(n/8) bytes.
func Decode(src []byte, n int, method Method) (*Mask, error) {
	if n < 0 {
		return nil, fmt.Errorf("bitmask: negative length %d", n)
	}
	switch method {
	case None:
		if len(src) != Size(n) {
			return nil, fmt.Errorf("bitmask: %w: %d bytes for %d bits, expected %d", ErrCorrupt, len(src), n, Size(n))
		}
		m := &Mask{N: n, Bits: bytes.Clone(src)}
		if n > 0 {
			m.trim()
		}
		return m, nil
	case RLE:
		return decodeRLE(src, n)
	case Roaring:
		return decodeRoaring(src, n)
	}
	return nil, fmt.Errorf("bitmask: unknown method %q", method)
}

func appendRLE(dst []byte, m *Mask) []byte {
	if m.N == 0 {
		return dst
	}
	var current byte
	if m.Get(0) {
		current = 1
	}
	dst = append(dst, current)
	for start := 0; start < m.N; {
		end := m.runEnd(start)
		dst = binary.AppendUvarint(dst, uint64(end-start))
		start = end
	}
	return dst
}

// runEnd returns the first element after start whose bit differs from start's, or N.
func (m *Mask) runEnd(start int) int {
	set := m.Get(start)
	i := start + 1
	for ; i < m.N && i&7 != 0; i++ {
		if m.Get(i) != set {
			return i
		}
	}
	var same byte
	if set {
		same = 0xFF
	}
	for i+8 <= m.N && m.Bits[i>>3] == same {
		i += 8
	}
	for i < m.N && m.Get(i) == set {
		i++
	}
	return i
}

func decodeRLE(src []byte, n int) (*Mask, error) {
	if n == 0 && len(src) == 0 {
		return New(0), nil
	}
	if len(src) == 0 || src[0] > 1 {
		return nil, fmt.Errorf("bitmask: %w: run lengths must start with 0 or 1", ErrCorrupt)
	}
	total, err := sumRuns(src[1:], n)
	if err != nil {
		return nil, err
	}
	if total != n {
		return nil, fmt.Errorf("bitmask: %w: runs cover %d of %d bits", ErrCorrupt, total, n)
	}
	m := New(n)
	set, pos := src[0] == 1, 0
	for rest := src[1:]; len(rest) > 0; set = !set {
		run, k := binary.Uvarint(rest)
		rest = rest[k:]
		if set {
			m.fill(pos, pos+int(run))
		}
		pos += int(run)
	}
	return m, nil
}

// sumRuns checks all run lengths against n before any memory is taken for the bits.
func sumRuns(src []byte, n int) (int, error) {
	total := 0
	for len(src) > 0 {
		run, k := binary.Uvarint(src)
		if k <= 0 || run == 0 {
			return 0, fmt.Errorf("bitmask: %w: bad run length after %d bits", ErrCorrupt, total)
		}
		if run > uint64(n-total) {
			return 0, fmt.Errorf("bitmask: %w: run of %d after %d of %d bits", ErrCorrupt, run, total, n)
		}
		total += int(run)
		src = src[k:]
	}
	return total, nil
}

// fill sets the elements [start, end).
func (m *Mask) fill(start, end int) {
	for ; start < end && start&7 != 0; start++ {
		m.Set(start)
	}
	for ; start+8 <= end; start += 8 {
		m.Bits[start>>3] = 0xFF
	}
	for ; start < end; start++ {
		m.Set(start)
	}
}

// Roaring bitmaps take and give words with element 0 in the lowest bit, so each word is reversed.

func appendRoaring(dst []byte, m *Mask) ([]byte, error) {
	if uint64(m.N) > math.MaxUint32 {
		return dst, fmt.Errorf("bitmask: roaring indexes at most 2^32-1 elements, not %d", m.N)
	}
	dense := make([]uint64, (m.N+63)/64)
	for i := range dense {
		dense[i] = bits.Reverse64(m.word(64 * i))
	}
	bm := roaring.FromDense(dense, false)
	bm.RunOptimize()
	buf := bytes.NewBuffer(dst)
	if _, err := bm.WriteTo(buf); err != nil {
		return dst, fmt.Errorf("bitmask: write roaring: %w", err)
	}
	return buf.Bytes(), nil
}

func decodeRoaring(src []byte, n int) (*Mask, error) {
	bm := roaring.New()
	read, err := bm.FromBuffer(src)
	if err == nil && read != int64(len(src)) {
		err = fmt.Errorf("%d bytes after the bitmap", int64(len(src))-read)
	}
	if err == nil {
		err = bm.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("bitmask: %w: roaring: %w", ErrCorrupt, err)
	}
	if !bm.IsEmpty() && uint64(bm.Maximum()) >= uint64(n) {
		return nil, fmt.Errorf("bitmask: %w: roaring index %d of %d elements", ErrCorrupt, bm.Maximum(), n)
	}
	dense := make([]uint64, (n+63)/64)
	bm.WriteDenseTo(dense)
	m := &Mask{N: n, Bits: make([]byte, 8*len(dense))}
	for i, w := range dense {
		binary.BigEndian.PutUint64(m.Bits[8*i:], bits.Reverse64(w))
	}
	m.Bits = m.Bits[:Size(n)]
	return m, nil
}
