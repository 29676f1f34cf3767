package inflate

import "encoding/binary"

// order is that of code length codes (RFC 1951, section 3.2.7).
var order = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// fixedTables makes the tables of section 3.2.6.
func (d *decoder) fixedTables() error {
	lens := d.lens[:]
	for i := range maxLit {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
	}
	for i := range maxDist {
		lens[maxLit+i] = 5
	}
	return d.buildTables(lens[:maxLit], lens[maxLit:])
}

func (d *decoder) buildTables(lit, dist []uint8) error {
	if err := d.lit.build(lit, litEntry); err != nil {
		return err
	}
	d.lit.pairs()
	return d.dist.build(dist, distEntry)
}

// dynamicTables reads the code lengths of section 3.2.7.
func (d *decoder) dynamicTables() error {
	if err := d.need(14); err != nil {
		return err
	}
	lits, dists, codes := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if lits > 286 || dists > 30 {
		return corrupt("%d literal and %d distance codes", lits, dists)
	}
	var lens [19]uint8
	for i := range codes {
		if err := d.need(3); err != nil {
			return err
		}
		lens[order[i]] = uint8(d.take(3))
	}
	if err := d.dist.build(lens[:], plainEntry); err != nil {
		return err
	}
	all := d.lens[:lits+dists]
	if err := d.codeLengths(all); err != nil {
		return err
	}
	if all[256] == 0 {
		return corrupt("no code for the end of the block")
	}
	return d.buildTables(all[:lits], all[lits:])
}

// codeLengths decodes lengths with the codes in d.dist.
func (d *decoder) codeLengths(all []uint8) error {
	for i := 0; i < len(all); {
		e, err := d.next(&d.dist)
		if err != nil {
			return err
		}
		symbol := e.base()
		if symbol < 16 {
			all[i] = uint8(symbol)
			i++
			continue
		}
		if err := d.need(7); err != nil {
			return err
		}
		var n uint
		value := uint8(0)
		switch symbol {
		case 16:
			if i == 0 {
				return corrupt("repeated code length without one before")
			}
			n, value = 3+d.take(2), all[i-1]
		case 17:
			n = 3 + d.take(3)
		default:
			n = 11 + d.take(7)
		}
		if int(n) > len(all)-i {
			return corrupt("code lengths for more codes than there are")
		}
		for range n {
			all[i] = value
			i++
		}
	}
	return nil
}

// next decodes one symbol with all checks. Near the end of the input there may be fewer bits than the longest
// code.
func (d *decoder) next(t *table) (entry, error) {
	for d.count < maxLen && d.ip < len(d.src) {
		d.bits |= uint64(d.src[d.ip]) << d.count
		d.ip++
		d.count += 8
	}
	// Bits above count may be left over from the fast loop; an entry that needs more than count is refused.
	e := t.first[d.bits&(tableSize-1)]
	n := e.bits()
	if e&flagSub != 0 && e.literals() == 0 {
		e = t.sub[(e.base()+uint(d.bits>>tableBits)&(1<<e.extra()-1))&(subSize-1)]
		n += e.bits()
	}
	if e.literals() == 0 && e&flagInvalid != 0 {
		return 0, corrupt("code without meaning")
	}
	if n > d.count {
		return e, d.need(n)
	}
	d.bits >>= n & 63
	d.count -= n
	return e, nil
}

const (
	// Before it looks at the ends again, the fast loop fetches eight bytes twice and stores up to 64 literals
	// and a match of 258 bytes, rounded up to words.
	inMargin  = 8 + 8
	outMargin = 64 + 258 + 8
)

// symbols decodes a block: as long as both ends are far with few checks, then one symbol at a time.
func (d *decoder) symbols() error {
	for {
		if len(d.src)-d.ip >= inMargin && len(d.dst)-d.op >= outMargin {
			if done, err := d.fast(); done || err != nil {
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
	e, err := d.next(&d.lit)
	if err != nil {
		return false, err
	}
	if n := int(e.literals()); n > 0 {
		if len(d.dst)-d.op < n {
			// A pair may reach beyond the end of a stream that is longer than its last block.
			return false, errTooLong
		}
		d.dst[d.op] = byte(e >> 16)
		if n == 2 {
			d.dst[d.op+1] = byte(e >> 24)
		}
		d.op += n
		return false, nil
	}
	if e&flagEnd != 0 {
		return true, nil
	}
	if err := d.need(e.extra()); err != nil {
		return false, err
	}
	length := int(e.base() + d.take(e.extra()))
	if e, err = d.next(&d.dist); err != nil {
		return false, err
	}
	if err := d.need(e.extra()); err != nil {
		return false, err
	}
	dist := int(e.base() + d.take(e.extra()))
	if dist > d.op {
		return false, corrupt("copy from %d bytes back at byte %d", dist, d.op)
	}
	if len(d.dst)-d.op < length {
		return false, errTooLong
	}
	for range length {
		d.dst[d.op] = d.dst[d.op-dist]
		d.op++
	}
	return false, nil
}

// fast decodes symbols while both ends are far. State lives in locals, so that it stays in registers.
func (d *decoder) fast() (done bool, err error) {
	src, dst := d.src, d.dst
	lit, far := &d.lit, &d.dist
	op, ip := d.op, d.ip
	acc, n := d.bits, d.count
	acc &= 1<<(n&63) - 1
	inEnd, outEnd := len(src)-inMargin, len(dst)-outMargin
	for ip <= inEnd && op <= outEnd {
		acc |= binary.LittleEndian.Uint64(src[ip:]) << (n & 63)
		ip += int(63-n) >> 3
		n |= 56
		// 56 bits are four codes of the first table at least.
		e := lit.first[acc&(tableSize-1)]
		for e.literals() != 0 && n >= 2*tableBits {
			binary.LittleEndian.PutUint16(dst[op:], uint16(e>>16))
			op += int(e.literals())
			acc >>= e & 63
			n -= e.bits()
			e = lit.first[acc&(tableSize-1)]
		}
		if e.literals() != 0 {
			continue
		}
		// The longest length and distance take 48 bits.
		acc |= binary.LittleEndian.Uint64(src[ip:]) << (n & 63)
		ip += int(63-n) >> 3
		n |= 56
		if e&flagsOther != 0 {
			acc >>= e & 63
			n -= e.bits()
			if e&flagSub != 0 {
				e = lit.sub[(e.base()+uint(acc)&(1<<e.extra()-1))&(subSize-1)]
				acc >>= e & 63
				n -= e.bits()
				if e.literals() != 0 {
					dst[op] = byte(e >> 16)
					op++
					continue
				}
			}
			if e&flagEnd != 0 {
				done = true
				break
			}
			if e&flagInvalid != 0 {
				return false, corrupt("code without meaning")
			}
		} else {
			acc >>= e & 63
			n -= e.bits()
		}
		length := int(e.base() + uint(acc)&(1<<e.extra()-1))
		acc >>= e.extra()
		n -= e.extra()

		e = far.first[acc&(tableSize-1)]
		acc >>= e & 63
		n -= e.bits()
		if e&flagsOther != 0 {
			if e&flagSub != 0 {
				e = far.sub[(e.base()+uint(acc)&(1<<e.extra()-1))&(subSize-1)]
				acc >>= e & 63
				n -= e.bits()
			}
			if e&flagInvalid != 0 {
				return false, corrupt("code without meaning")
			}
		}
		dist := int(e.base() + uint(acc)&(1<<e.extra()-1))
		acc >>= e.extra()
		n -= e.extra()
		if dist > op {
			return false, corrupt("copy from %d bytes back at byte %d", dist, op)
		}
		copyMatch(dst, op, dist, length)
		op += length
	}
	d.op, d.ip, d.bits, d.count = op, ip, acc, n
	return done, nil
}

// copyMatch copies length bytes from dist bytes back; dst has room for eight more.
func copyMatch(dst []byte, op, dist, length int) {
	switch {
	case dist >= length && length > 32:
		copy(dst[op:op+length], dst[op-dist:])
	case dist >= 8:
		from, to := dst[op-dist:], dst[op:op+length+8]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
		}
	case dist == 1:
		word := uint64(dst[op-1]) * 0x0101010101010101
		to := dst[op : op+length+8]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], word)
		}
	default:
		to := dst[op-dist : op+length]
		for n := dist; n < len(to); {
			n += copy(to[n:], to[:n])
		}
	}
}
