// Package inflate unpacks zlib streams (RFC 1950, RFC 1951) that lie in memory into memory of known size.
// Chunks of HDF5 are such streams, and unpacking them is most of the work of reading a compressed variable:
// with both ends in memory it takes about half the time of a general reader.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrCorrupt is wrapped by errors about streams that cannot be decoded.
var ErrCorrupt = errors.New("corrupt deflate data")

// MaxRatio is the most that deflate can expand a byte to.
const MaxRatio = 1032

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

// Zlib unpacks a zlib stream that holds exactly len(dst) bytes, and verifies its checksum. Bytes behind the
// stream are ignored.
func Zlib(dst, src []byte) error {
	n, rest, err := unpack(dst, src)
	if err != nil {
		return err
	}
	if n != len(dst) {
		return corrupt("%d bytes, expected %d", n, len(dst))
	}
	return checkAdler(dst, rest)
}

// ZlibUpTo unpacks a stream of at most limit bytes.
func ZlibUpTo(src []byte, limit int) ([]byte, error) {
	limit = min(limit, len(src)*MaxRatio)
	dst := make([]byte, min(limit, 4*len(src)))
	for {
		n, rest, err := unpack(dst, src)
		if err == nil {
			return dst[:n], checkAdler(dst[:n], rest)
		}
		if !errors.Is(err, errTooLong) || len(dst) == limit {
			return nil, err
		}
		dst = make([]byte, min(limit, 4*len(dst)))
	}
}

// unpack checks the header, unpacks the data and returns what follows it.
func unpack(dst, src []byte) (n int, rest []byte, err error) {
	const deflate, dictionary = 8, 0x20
	if len(src) < 2 || src[0]&15 != deflate || binary.BigEndian.Uint16(src)%31 != 0 || src[1]&dictionary != 0 {
		return 0, nil, corrupt("not a zlib stream: it begins with % x", src[:min(len(src), 2)])
	}
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	d.dst, d.src = dst, src[2:]
	d.op, d.ip, d.bits, d.count = 0, 0, 0, 0
	err = d.blocks()
	rest = d.src[min(d.ip, len(d.src)):]
	n = d.op
	d.dst, d.src = nil, nil
	return n, rest, err
}

func checkAdler(data, stored []byte) error {
	if len(stored) < 4 {
		return corrupt("checksum: %w", io.ErrUnexpectedEOF)
	}
	if got, want := binary.BigEndian.Uint32(stored), adler32(data); got != want {
		return corrupt("checksum %#08x, computed %#08x", got, want)
	}
	return nil
}

var errTooLong = errors.New("more bytes than expected")

// decoder holds the state and tables of one stream.
type decoder struct {
	dst, src []byte
	op, ip   int
	bits     uint64 // next bits, the first one lowest
	count    uint   // how many of them are valid; those above may be set, too

	lit  table
	dist table
	lens [maxLit + maxDist]uint8
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// need makes n ≤ 32 bits available.
func (d *decoder) need(n uint) error {
	for d.count < n {
		if d.ip >= len(d.src) {
			return corrupt("%w", io.ErrUnexpectedEOF)
		}
		d.bits |= uint64(d.src[d.ip]) << d.count
		d.ip++
		d.count += 8
	}
	return nil
}

// take returns n bits that need has made available.
func (d *decoder) take(n uint) uint {
	v := uint(d.bits & (1<<n - 1))
	d.bits >>= n
	d.count -= n
	return v
}

// blocks decodes all blocks (RFC 1951, section 3.2.3).
func (d *decoder) blocks() error {
	for {
		if err := d.need(3); err != nil {
			return err
		}
		last := d.take(1) != 0
		var err error
		switch kind := d.take(2); kind {
		case 0:
			err = d.stored()
		case 1:
			if err = d.fixedTables(); err == nil {
				err = d.symbols()
			}
		case 2:
			if err = d.dynamicTables(); err == nil {
				err = d.symbols()
			}
		default:
			err = corrupt("block type %d", kind)
		}
		if err != nil {
			return err
		}
		if last {
			// Whole bytes that were fetched ahead belong to what follows.
			d.ip -= int(d.count / 8)
			return nil
		}
	}
}

// stored copies a block without compression: length 2, its complement 2, data.
func (d *decoder) stored() error {
	d.ip -= int(d.count / 8)
	d.bits, d.count = 0, 0
	if len(d.src)-d.ip < 4 {
		return corrupt("%w", io.ErrUnexpectedEOF)
	}
	n, inverse := binary.LittleEndian.Uint16(d.src[d.ip:]), binary.LittleEndian.Uint16(d.src[d.ip+2:])
	if n != ^inverse {
		return corrupt("stored block of %d bytes, complement %d", n, inverse)
	}
	d.ip += 4
	data := d.src[d.ip:]
	if len(data) < int(n) {
		return corrupt("stored block of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	if len(d.dst)-d.op < int(n) {
		return errTooLong
	}
	copy(d.dst[d.op:], data[:n])
	d.op += int(n)
	d.ip += int(n)
	return nil
}
