package j2k

// zeroContexts gives the context of zero coding for the neighbours that are significant, by
// orientation (table D.1).
var zeroContexts = func() (t [3][256]uint8) {
	for f := range 256 {
		h := f>>2&1 + f>>3&1
		v := f&1 + f>>1&1
		d := f>>4&1 + f>>5&1 + f>>6&1 + f>>7&1
		t[orientLL][f] = zeroContext(h, v, d)
		t[orientHL][f] = zeroContext(v, h, d)
		t[orientHH][f] = diagonalContext(h+v, d)
	}
	return t
}()

// zeroContext is the context for numbers of significant neighbours: along the high
// frequencies, across them and at the corners.
func zeroContext(h, v, d int) uint8 {
	switch {
	case h == 2:
		return 8
	case h == 1 && v > 0:
		return 7
	case h == 1 && d > 0:
		return 6
	case h == 1:
		return 5
	case v == 2:
		return 4
	case v == 1:
		return 3
	}
	return uint8(min(d, 2))
}

func diagonalContext(hv, d int) uint8 {
	switch {
	case d > 2:
		return 8
	case d == 2 && hv > 0:
		return 7
	case d == 2:
		return 6
	case d == 1:
		return 3 + uint8(min(hv, 2))
	}
	return uint8(min(hv, 2))
}

// A signCode is the context of a sign, and whether it is coded inverted (tables D.2 and D.3).
type signCode struct{ context, flip uint8 }

// signContexts gives the code for the four neighbours. Bits 0 to 3 say which are significant, 4 to
// 7 which are negative, each north, south, west, east.
var signContexts = func() (t [256]signCode) {
	for f := range 256 {
		contribution := func(i int) int { return f >> i & 1 * (1 - 2*(f>>(i+4)&1)) }
		v := min(max(contribution(0)+contribution(1), -1), 1)
		h := min(max(contribution(2)+contribution(3), -1), 1)
		c := signCode{context: contextSign}
		if h < 0 || h == 0 && v < 0 {
			c.flip, h, v = 1, -h, -v
		}
		if h == 1 {
			c.context += uint8(3 + v)
		} else {
			c.context += uint8(v)
		}
		t[f] = c
	}
	return t
}()

// neighbourContexts is zeroContexts for the nine bits of a neighbourhood that blockDecoder has.
// They are rows of three, the western bit first; the bit of the sample itself means nothing.
var neighbourContexts = func() (t [3][512]uint8) {
	for f := range 512 {
		bit := func(flag int) int { return f / flag & 1 }
		n := bit(north) | bit(south)<<1 | bit(west)<<2 | bit(east)<<3 |
			bit(northWest)<<4 | bit(northEast)<<5 | bit(southWest)<<6 | bit(southEast)<<7
		for orient := range t {
			t[orient][f] = zeroContexts[orient][n]
		}
	}
	return t
}()

// signCodes is signContexts for the result of blockDecoder.signs. At odd bits it says whether the
// neighbours to the north, west, east and south are significant, and at the bit below each its
// sign.
var signCodes = func() (t [256]signCode) {
	for f := range 256 {
		n := 0
		for i, at := range [4]int{north, south, west, east} {
			n |= f / at & 1 << i
			n |= 2 * f / at & 1 << (i + 4)
		}
		t[f] = signContexts[n]
	}
	return t
}()
