package pngpack

import "fmt"

// unfilter undoes the filter of one row (RFC 2083, section 6); size is the distance to the octet of the pixel before.
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

// paeth adds the neighbour, left, above or above left, that is nearest to left + above - above left.
func paeth(row, above []byte, size int) {
	size = min(size, len(row))
	for i := range size {
		row[i] += above[i]
	}
	for k := range size {
		left, corner := int(row[k]), int(above[k])
		for i := size + k; i < len(row); i += size {
			up := int(above[i])
			dl, du := up-corner, left-corner // distances of the estimate to left and to up
			dc := dl + du
			if dl < 0 {
				dl = -dl
			}
			if du < 0 {
				du = -du
			}
			if dc < 0 {
				dc = -dc
			}
			if dl <= du && dl <= dc {
				// left it is
			} else if du <= dc {
				left = up
			} else {
				left = corner
			}
			left = (left + int(row[i])) & 0xff
			row[i] = byte(left)
			corner = up
		}
	}
}
