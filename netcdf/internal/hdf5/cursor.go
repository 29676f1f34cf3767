package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/internal/codec/checksum"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// undefined is the address that stands for "nowhere", whatever its width in the file.
const undefined = ^uint64(0)

// sizes are the widths that a file's superblock sets.
type sizes struct {
	offset int // bytes of an address
	length int // bytes of a length

	unchecked bool // checksums are not verified: fuzzing gets further without them
}

// cursor takes fields from a piece of metadata front to back. The first error sticks: later calls
// return zeros, and callers check once.
type cursor struct {
	sizes
	b    []byte
	i    int
	at   int64  // of b[0] in the file
	what string // for errors
	err  error
}

// fail records an error at the current position.
func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = wire.Errorf(c.what, c.at+int64(c.i), format, args...)
	}
}

func (c *cursor) left() int { return len(c.b) - c.i }

// take returns the next n bytes without copying them.
func (c *cursor) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > c.left() {
		c.fail("%d bytes expected, %d left: %w", uint64(n), c.left(), io.ErrUnexpectedEOF)
		return nil
	}
	b := c.b[c.i : c.i+n : c.i+n]
	c.i += n
	return b
}

func (c *cursor) skip(n int) { c.take(n) }

// uint reads a little-endian number of n ≤ 8 bytes.
func (c *cursor) uint(n int) uint64 {
	var u uint64
	for i, b := range c.take(n) {
		u |= uint64(b) << (8 * i)
	}
	return u
}

func (c *cursor) u8() uint8 {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// addr reads an address; all ones become undefined.
func (c *cursor) addr() uint64 {
	u := c.uint(c.offset)
	if c.offset < 8 && u == 1<<(8*c.offset)-1 {
		return undefined
	}
	return u
}

// size reads a length; all ones (unlimited, unknown) become ^0.
func (c *cursor) size() uint64 {
	u := c.uint(c.length)
	if c.length < 8 && u == 1<<(8*c.length)-1 {
		return ^uint64(0)
	}
	return u
}

// text reads a string that ends with a zero byte. Then the position is moved to a multiple of align
// from the string's beginning.
func (c *cursor) text(align int) string {
	if c.err != nil {
		return ""
	}
	n := bytes.IndexByte(c.b[c.i:], 0)
	if n < 0 {
		c.fail("string without end: %w", io.ErrUnexpectedEOF)
		return ""
	}
	s := string(c.b[c.i : c.i+n])
	c.skip((n + align) / align * align)
	return s
}

// magic checks the four bytes a structure begins with.
func (c *cursor) magic(want string) {
	if got := c.take(4); got != nil && string(got) != want {
		c.i -= 4
		c.fail("signature %q, expected %q", got, want)
	}
}

// version checks a version byte and returns it.
func (c *cursor) version(lowest, highest uint8) uint8 {
	v := c.u8()
	if c.err == nil && (v < lowest || v > highest) {
		c.i--
		if v > highest {
			c.err = wire.UnsupportedBut(fmt.Sprintf("%d to %d", lowest, highest), c.what, c.at+int64(c.i), "version %d", v)
		} else {
			c.fail("version %d, expected %d to %d", v, lowest, highest)
		}
	}
	return v
}

// checksum reads the four bytes of a checksum and compares them with the checksum of all bytes
// before.
func (c *cursor) checksum() {
	if c.err != nil {
		return
	}
	want := checksum.Lookup3(c.b[:c.i])
	if got := c.u32(); c.err == nil && got != want && !c.unchecked {
		c.i -= 4
		c.fail("checksum %#08x, computed %#08x", got, want)
	}
}

// load reads n bytes of metadata at an address.
func (f *File) load(what string, addr uint64, n int64) (*cursor, error) {
	if addr == undefined {
		return nil, wire.Errorf(what, -1, "undefined address")
	}
	if addr > 1<<62 {
		return nil, wire.Errorf(what, -1, "address %#x beyond the end of the file", addr)
	}
	b, err := f.src.Bytes(what, int64(addr), n)
	if err != nil {
		return nil, err
	}
	f.image.patch(b, addr)
	return &cursor{sizes: f.sizes, b: b, at: f.src.Base + int64(addr), what: what}, nil
}

// errorf makes a FormatError about the structure at an address.
func (f *File) errorf(what string, addr uint64, format string, args ...any) error {
	return wire.Errorf(what, f.src.Base+int64(min(addr, 1<<62)), format, args...)
}

// clamp limits a length from a file to a number above the length of any file.
func clamp(n uint64) int64 { return int64(min(n, 1<<62)) }

// sub returns a cursor over n bytes from the current position on, and moves past them.
func (c *cursor) sub(what string, n int) *cursor {
	at := c.at + int64(c.i)
	return &cursor{sizes: c.sizes, b: c.take(n), at: at, what: what, err: c.err}
}

// checkCount reports an error when n entries of at least size bytes cannot be in the bytes left.
func (c *cursor) checkCount(what string, n uint64, size int) bool {
	if c.err == nil && n > uint64(c.left()/size) {
		c.fail("%d %s, but only %d bytes left: %w", n, what, c.left(), io.ErrUnexpectedEOF)
	}
	return c.err == nil
}

func objectName(addr uint64) string { return fmt.Sprintf("object header %#x", addr) }
