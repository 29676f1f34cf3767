package inflate

import (
	"encoding/binary"
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/match"
)

var errNoCode = fmt.Errorf("%w: code without meaning", ErrCorrupt)

// next decodes one symbol with all checks; width is the width of the table. Near the end of the input there
// may be fewer bits than the longest code.
func (d *decoder) next(t *table, width uint) (entry, error) {
	if d.count < maxLen {
		d.refill()
	}
	// Bits above count may be left over from the fast loop; an entry that needs more than count is
	// refused.
	e := t.first[d.bits&(1<<(width&15)-1)&(tableSize-1)]
	n := e.bits()
	if e&flagSub != 0 && e.literals() == 0 {
		e = t.sub[(e.base()+uint(d.bits>>(width&63))&(1<<e.extra()-1))&(subSize-1)]
		n += e.bits()
	}
	if e.literals() == 0 && e&flagInvalid != 0 {
		return 0, errNoCode
	}
	if n > d.count {
		return e, d.need(n)
	}
	d.bits >>= n & 63
	d.count -= n
	return e, nil
}

// refill makes maxLen bits available at least, unless the input ends before.
func (d *decoder) refill() {
	if len(d.src)-d.in >= 8 {
		d.bits |= binary.LittleEndian.Uint64(d.src[d.in:]) << (d.count & 63)
		d.in += int(63-d.count) >> 3
		d.count |= 56
		return
	}
	for d.count < maxLen && d.in < len(d.src) {
		d.bits |= uint64(d.src[d.in]) << d.count
		d.in++
		d.count += 8
	}
}

const (
	// Between its looks at the ends, the fast loop fetches eight bytes twice. It stores up to 64 literals and a
	// match of 258 bytes, rounded up to 16.
	inMargin  = 8 + 8
	outMargin = 64 + 258 + 16
)

// symbols decodes a block: with few checks while both ends are far, then one symbol at a time.
func (d *decoder) symbols() error {
	for {
		if len(d.src)-d.in >= inMargin && len(d.dst)-d.out >= outMargin {
			if done, err := d.far(); done || err != nil {
				return err
			}
		}
		d.bits &= 1<<(d.count&63) - 1
		if done, err := d.slow(); done || err != nil {
			return err
		}
	}
}

// slow decodes one symbol.
func (d *decoder) slow() (done bool, err error) {
	e, err := d.next(&d.lit, litBits)
	if err != nil {
		return false, err
	}
	if n := int(e.literals()); n > 0 {
		if len(d.dst)-d.out < n {
			// A pair may reach beyond the end of a stream that is longer than its last block.
			return false, errFull
		}
		d.dst[d.out] = byte(e >> 16)
		if n == 2 {
			d.dst[d.out+1] = byte(e >> 24)
		}
		d.out += n
		return false, nil
	}
	if e&flagEnd != 0 {
		return true, nil
	}
	if err := d.need(e.extra()); err != nil {
		return false, err
	}
	length := int(e.base() + d.take(e.extra()))
	if e, err = d.next(&d.dist, distBits); err != nil {
		return false, err
	}
	if err := d.need(e.extra()); err != nil {
		return false, err
	}
	dist := int(e.base() + d.take(e.extra()))
	if dist > d.out {
		return false, corrupt("match from %d bytes back", dist)
	}
	if len(d.dst)-d.out < length {
		return false, errFull
	}
	match.Repeat(d.dst[d.out-dist:d.out+length], dist)
	d.out += length
	return false, nil
}

// fast decodes symbols while both ends are far. State is in locals, so that it stays in
// registers.
func (d *decoder) fast() (done bool, err error) {
	src, dst := d.src, d.dst
	lit, far := &d.lit, &d.dist
	out, in := d.out, d.in
	acc, n := d.bits, d.count
	acc &= 1<<(n&63) - 1
	inEnd, outEnd := len(src)-inMargin, len(dst)-outMargin
	for in <= inEnd && out <= outEnd {
		acc |= binary.LittleEndian.Uint64(src[in:]) << (n & 63)
		in += int(63-n) >> 3
		n |= 56
		// 56 bits are four codes of the first table at least.
		e := lit.first[acc&(tableSize-1)]
		for e.literals() != 0 && n >= 2*litBits {
			binary.LittleEndian.PutUint16(dst[out:], uint16(e>>16))
			out += int(e.literals())
			acc >>= e & 63
			n -= e.bits()
			e = lit.first[acc&(tableSize-1)]
		}
		if e.literals() != 0 {
			continue
		}
		// The longest length and distance take 48 bits.
		acc |= binary.LittleEndian.Uint64(src[in:]) << (n & 63)
		in += int(63-n) >> 3
		n |= 56
		if e&flagsOther != 0 {
			acc >>= e & 63
			n -= e.bits()
			if e&flagSub != 0 {
				e = lit.sub[(e.base()+uint(acc)&(1<<e.extra()-1))&(subSize-1)]
				acc >>= e & 63
				n -= e.bits()
				if e.literals() != 0 {
					dst[out] = byte(e >> 16)
					out++
					continue
				}
			}
			if e&flagEnd != 0 {
				done = true
				break
			}
			if e&flagInvalid != 0 {
				err = errNoCode
				break
			}
		} else {
			acc >>= e & 63
			n -= e.bits()
		}
		length := int(e.base() + uint(acc)&(1<<e.extra()-1))
		acc >>= e.extra()
		n -= e.extra()

		e = far.first[acc&(1<<distBits-1)]
		acc >>= e & 63
		n -= e.bits()
		if e&flagsOther != 0 {
			if e&flagSub != 0 {
				e = far.sub[(e.base()+uint(acc)&(1<<e.extra()-1))&(subSize-1)]
				acc >>= e & 63
				n -= e.bits()
			}
			if e&flagInvalid != 0 {
				err = errNoCode
				break
			}
		}
		dist := int(e.base() + uint(acc)&(1<<e.extra()-1))
		acc >>= e.extra()
		n -= e.extra()
		if dist > out {
			err = corrupt("match from %d bytes back", dist)
			break
		}
		match.Copy(dst, out, dist, length)
		out += length
	}
	d.out, d.in, d.bits, d.count = out, in, acc, n
	return done, err
}
