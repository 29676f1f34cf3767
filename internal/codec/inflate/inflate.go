// Package inflate unpacks zlib streams (RFC 1950) of deflate data (RFC 1951) from memory into memory of known
// size. PNG images and HDF5 chunks hold such streams. Matches refer to the output itself, so that no byte is
// copied twice, unless the output is small. For the data of BenchmarkLibraries it takes half (HDF5) to two
// thirds (PNG) of the processor time of github.com/klauspost/compress/zlib, which is why it exists.
//
// Most callers want [Zlib]; [ZlibUpTo] is for streams of which only a limit of the size is known.
// Both read only src, write only dst, verify the checksum, and may be called from several
// goroutines at once. Bytes after the stream are ignored.
//
// A stream is
//
//	0xm8           method: 8 is deflate; m is the window's size, 2^(m+8) bytes, at most 7
//	               (RFC 1950, section 2.2)
//	flags          bit 5: a preset dictionary, refused; the two bytes are a multiple of 31
//	blocks         each 3 bits, bit 0: the last one; bits 1 and 2: its type
//	               (RFC 1951, section 3.2.3)
//	                 0: to the next byte; length 2, its complement 2, data (section 3.2.4)
//	                 1: codes of fixed tables (section 3.2.6)
//	                 2: tables, codes of these (section 3.2.7)
//	checksum 4     Adler-32 of the output, big-endian (RFC 1950, section 8)
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Errors that an [Error] wraps. If the input ends too early it wraps [io.ErrUnexpectedEOF].
var (
	ErrHeader   = errors.New("not a zlib stream")
	ErrCorrupt  = errors.New("corrupt deflate data")
	ErrSize     = errors.New("data of another size than expected")
	ErrChecksum = errors.New("wrong checksum")
)

// An Error says where and why a stream could not be unpacked. All errors of this package are of
// this type.
type Error struct {
	In  int   // bytes of the input before the next one
	Out int   // bytes of output so far
	Err error // wraps one of the errors above
}

func (e *Error) Error() string {
	return fmt.Sprintf("zlib stream at byte %d, after %d bytes of output: %v", e.In, e.Out, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// MaxRatio is a bound of the ratio of output to input of deflate: a match of 258 bytes takes at
// least two bits.
const MaxRatio = 1032

// Sizes of the parts around the blocks.
const (
	headerSize   = 2
	checksumSize = 4
)

// Zlib unpacks a stream of exactly len(dst) bytes. After an error the content of dst is undefined.
func Zlib(dst, src []byte) error {
	in, out, err := unpack(dst, src)
	switch {
	case errors.Is(err, errFull):
		err = fmt.Errorf("%w: more than %d bytes", ErrSize, len(dst))
	case err == nil && out != len(dst):
		err = fmt.Errorf("%w: %d bytes, expected %d", ErrSize, out, len(dst))
	case err == nil:
		err = verify(dst, src[in:])
	}
	if err != nil {
		return &Error{in, out, err}
	}
	return nil
}

// ZlibUpTo unpacks a stream of at most limit bytes. The memory it takes grows with the data that
// the stream really holds.
func ZlibUpTo(src []byte, limit int) ([]byte, error) {
	const guess = 4 // as many times the input, at first
	most := max(0, limit)
	if most/MaxRatio > len(src) {
		most = len(src) * MaxRatio
	}
	for size := min(most, guess*len(src)); ; size = min(most, guess*size) {
		dst := make([]byte, size)
		in, out, err := unpack(dst, src)
		if err == nil {
			err = verify(dst[:out], src[in:])
		}
		switch {
		case err == nil:
			return dst[:out], nil
		case !errors.Is(err, errFull):
			return nil, &Error{in, out, err}
		case size == most:
			return nil, &Error{in, out, fmt.Errorf("%w: more than %d bytes", ErrSize, most)}
		}
	}
}

// unpack checks the header and unpacks the blocks. It returns the number of bytes read, with the header, and
// written.
func unpack(dst, src []byte) (in, out int, err error) {
	const deflate, maxWindow, dictionary = 8, 7, 0x20
	if len(src) < headerSize {
		return 0, 0, fmt.Errorf("header: %w", io.ErrUnexpectedEOF)
	}
	if src[0]&15 != deflate || src[0]>>4 > maxWindow || binary.BigEndian.Uint16(src)%31 != 0 || src[1]&dictionary != 0 {
		return 0, 0, fmt.Errorf("%w: it begins with % x", ErrHeader, src[:headerSize])
	}
	in, out, err = raw(dst, src[headerSize:])
	return headerSize + in, out, err
}

func verify(data, stored []byte) error {
	if len(stored) < checksumSize {
		return fmt.Errorf("checksum: %w", io.ErrUnexpectedEOF)
	}
	if want, got := binary.BigEndian.Uint32(stored), adler32(data); got != want {
		return fmt.Errorf("%w %#08x, expected %#08x", ErrChecksum, got, want)
	}
	return nil
}

// decoders keeps the tables of decoders, of about 50 kB, from call to call.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

// raw unpacks deflate data without header and checksum.
func raw(dst, src []byte) (in, out int, err error) {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	return d.raw(dst, src)
}

func (d *decoder) raw(dst, src []byte) (in, out int, err error) {
	d.dst, d.src = dst, src
	if len(dst) <= smallOutput {
		d.dst = d.room(len(dst) + outMargin)
	}
	d.out, d.in, d.bits, d.count = 0, 0, 0, 0
	err = d.blocks()
	d.align()
	if len(dst) <= smallOutput {
		if d.out > len(dst) {
			d.out, err = len(dst), errFull
		}
		copy(dst, d.dst[:d.out])
	}
	d.dst, d.src = nil, nil
	return d.in, d.out, err
}

// smallOutput is the greatest size of output that is unpacked beside dst. The fast loop has room there to go
// on to the end of it.
const smallOutput = 32 << 10

func (d *decoder) room(n int) []byte {
	if cap(d.small) < n {
		d.small = make([]byte, n, smallOutput+outMargin)
	}
	return d.small[:n]
}
