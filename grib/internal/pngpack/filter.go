package pngpack

import "fmt"

// unfilter undoes the filter of one row (RFC 2083, section 6). The octet of the pixel before is
// size octets back.
func unfilter(filter byte, row, above []byte, size int) error {
	above = above[:len(row)]
	switch filter {
	case 0:
	case 1:
		for i := size; i < len(row); i++ {
			row[i] += row[i-size]
		}
	case 2:
		for i, a := range above {
			row[i] += a
		}
	case 3:
		average(row, above, size)
	case 4:
		paeth(row, above, size)
	default:
		return fmt.Errorf("filter %d, expected 0 to 4", filter)
	}
	return nil
}

func average(row, above []byte, size int) {
	size = min(size, len(row))
	for i := range size {
		row[i] += above[i] / 2
	}
	for i := size; i < len(row); i++ {
		row[i] += byte((int(row[i-size]) + int(above[i])) / 2)
	}
}

// paeth adds the neighbour, left, above or above left, that is nearest to left + above - above
// left.
func paeth(row, above []byte, size int) {
	size = min(size, len(row))
	for i := range size {
		row[i] += above[i]
	}
	switch size {
	case 2:
		paeth2(row, above)
		return
	case 3:
		paeth3(row, above)
		return
	}
	for k := range size {
		left, corner := int(row[k]), int(above[k])
		for i := size + k; i < len(row); i += size {
			up := int(above[i])
			left = (nearest(left, up, corner) + int(row[i])) & 0xff
			row[i] = byte(left)
			corner = up
		}
	}
}

// paeth2 does two octets a pixel at once: the processor works on the first while it waits for the
// second.
func paeth2(row, above []byte) {
	l0, l1 := int(row[0]), int(row[1])
	c0, c1 := int(above[0]), int(above[1])
	for i := 2; i+2 <= len(row); i += 2 {
		r, a := (*[2]byte)(row[i:]), (*[2]byte)(above[i:])
		u0, u1 := int(a[0]), int(a[1])
		l0 = (nearest(l0, u0, c0) + int(r[0])) & 0xff
		l1 = (nearest(l1, u1, c1) + int(r[1])) & 0xff
		r[0], r[1] = byte(l0), byte(l1)
		c0, c1 = u0, u1
	}
}

// paeth3 is paeth2 for three octets a pixel.
func paeth3(row, above []byte) {
	l0, l1, l2 := int(row[0]), int(row[1]), int(row[2])
	c0, c1, c2 := int(above[0]), int(above[1]), int(above[2])
	for i := 3; i+3 <= len(row); i += 3 {
		r, a := (*[3]byte)(row[i:]), (*[3]byte)(above[i:])
		u0, u1, u2 := int(a[0]), int(a[1]), int(a[2])
		l0 = (nearest(l0, u0, c0) + int(r[0])) & 0xff
		l1 = (nearest(l1, u1, c1) + int(r[1])) & 0xff
		l2 = (nearest(l2, u2, c2) + int(r[2])) & 0xff
		r[0], r[1], r[2] = byte(l0), byte(l1), byte(l2)
		c0, c1, c2 = u0, u1, u2
	}
}

// nearest is the predictor, in a form that needs no jumps: which neighbour it is, is as good as
// random. The estimate left + up - corner is nearest to the corner only if 3·corner - left - up
// lies between the smaller and the larger of the two others; beyond the larger, the smaller is
// nearest, and the other way round.
func nearest(left, up, corner int) int {
	low, high := min(left, up), max(left, up)
	p, threshold := corner, 3*corner-left-up
	if threshold >= high {
		p = low
	}
	if threshold <= low {
		p = high
	}
	return p
}
