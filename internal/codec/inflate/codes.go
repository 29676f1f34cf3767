package inflate

// order is the order of code length codes (RFC 1951, section 3.2.7).
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

// worthPairs is the least output in bytes for which joining literals is faster than decoding them
// one by one.
const worthPairs = 12 << 10

func (d *decoder) buildTables(lit, dist []uint8) error {
	if err := d.lit.build(lit, litEntries, litBits); err != nil {
		return err
	}
	if len(d.dst)-d.out >= worthPairs {
		d.lit.pairs()
	}
	return d.dist.build(dist, distEntries, distBits)
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
	if err := d.dist.build(lens[:], lengthEntries, lengthBits); err != nil {
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
		if d.count < lengthBits+7 {
			d.refill()
		}
		e := d.dist.first[d.bits&(1<<lengthBits-1)]
		if e&flagInvalid != 0 {
			return errNoCode
		}
		if err := d.need(e.bits()); err != nil {
			return err
		}
		d.take(e.bits())
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
		for end := i + int(n); i < end; i++ {
			all[i] = value
		}
	}
	return nil
}
