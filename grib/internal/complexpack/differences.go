package complexpack

import "github.com/tgmconv/tgmconv/grib/internal/bits"

// differences undoes spatial differencing over the points that are not missing. The first Order of
// them are replaced by values stored apart, every other is the difference of order Order from the
// points before, less the overall minimum.
//
// Sums wrap around at 64 bits, as they do in ecCodes; damaged data give wrong numbers, not a
// failure.
type differences struct {
	first   []int64 // stored values not yet put in their place
	minimum int64
	second  bool  // order 2
	last    int64 // the value before
	slope   int64 // order 2: the difference of the two values before
}

// read reads the extra descriptors at the beginning of section 7. The minimum has a sign bit of its
// own.
func (d *differences) read(src []byte, order, width int) {
	d.second = order == 2
	for i := range order {
		d.first = append(d.first, int64(bits.Uint(src, i*width, width)))
	}
	if width == 0 {
		return
	}
	d.minimum = int64(bits.Uint(src, order*width+1, width-1))
	if bits.Uint(src, order*width, 1) != 0 {
		d.minimum = -d.minimum
	}
}

// undo turns the next integers of the field from differences to values.
func (d *differences) undo(q []int64, withMissing bool) {
	i := 0
	for ; i < len(q) && len(d.first) > 0; i++ {
		if withMissing && q[i] == Missing {
			continue
		}
		q[i] = d.first[0]
		d.first = d.first[1:]
		d.slope, d.last = q[i]-d.last, q[i]
	}
	switch {
	case withMissing:
		d.undoAround(q[i:])
	case d.second:
		last, slope, minimum := d.last, d.slope, d.minimum
		for j, x := range q[i:] {
			slope += x + minimum
			last += slope
			q[i+j] = last
		}
		d.last, d.slope = last, slope
	default:
		last, minimum := d.last, d.minimum
		for j, x := range q[i:] {
			last += x + minimum
			q[i+j] = last
		}
		d.last = last
	}
}

// undoAround is undo for numbers among which some are Missing.
func (d *differences) undoAround(q []int64) {
	for i, x := range q {
		if x == Missing {
			continue
		}
		if d.second {
			d.slope += x + d.minimum
			d.last += d.slope
		} else {
			d.last += x + d.minimum
		}
		q[i] = d.last
	}
}
