package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errFull means that the stream continues where the output ends.
var errFull = errors.New("output is full")

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...)
}

// decoder holds the state and tables of one stream.
type decoder struct {
	dst, src []byte
	out, in  int    // next bytes of dst and src
	bits     uint64 // read ahead, the next one lowest
	count    uint   // how many of them; the bits above may be set, to the bits that follow in src

	lit, dist table
	lens      [maxLit + maxDist]uint8
	small     []byte // for small outputs
	plain     bool   // decode without assembly
}

// need makes n ≤ 32 bits available.
func (d *decoder) need(n uint) error {
	for d.count < n {
		if d.in >= len(d.src) {
			return io.ErrUnexpectedEOF
		}
		d.bits |= uint64(d.src[d.in]) << d.count
		d.in++
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

// align gives back whole bytes read ahead and drops the rest of the current one.
func (d *decoder) align() {
	d.in -= int(d.count / 8)
	d.bits, d.count = 0, 0
}

// blocks decodes all blocks (RFC 1951, section 3.2.3).
func (d *decoder) blocks() error {
	for last := false; !last; {
		if err := d.need(3); err != nil {
			return err
		}
		last = d.take(1) != 0
		var err error
		switch kind := d.take(2); kind {
		case 0:
			err = d.stored()
		case 1:
			err = d.fixedTables()
			if err == nil {
				err = d.symbols()
			}
		case 2:
			err = d.dynamicTables()
			if err == nil {
				err = d.symbols()
			}
		default:
			err = corrupt("block type %d", kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stored copies a block without compression (section 3.2.4): length 2, its complement 2, data.
func (d *decoder) stored() error {
	d.align()
	if len(d.src)-d.in < 4 {
		return io.ErrUnexpectedEOF
	}
	n, inverse := binary.LittleEndian.Uint16(d.src[d.in:]), binary.LittleEndian.Uint16(d.src[d.in+2:])
	if n != ^inverse {
		return corrupt("stored block of %d bytes, complement %d", n, inverse)
	}
	d.in += 4
	if len(d.src)-d.in < int(n) {
		return fmt.Errorf("stored block of %d bytes: %w", n, io.ErrUnexpectedEOF)
	}
	if len(d.dst)-d.out < int(n) {
		return errFull
	}
	d.out += copy(d.dst[d.out:], d.src[d.in:d.in+int(n)])
	d.in += int(n)
	return nil
}
