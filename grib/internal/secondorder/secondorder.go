// Package secondorder reads second-order packing. This is GRIB 1 complex packing of grid points
// (code table 11 and ECMWF's extensions of it) and ECMWF's GRIB 2 templates 5.50001 and 5.50002.
//
// The integers are cut into groups; each has a first-order value that all of its integers contain,
// and a width in bits for their excess over it. The variants differ in how the lengths of the
// groups are told: one group a row of the grid, a secondary bitmap with a one where a group begins,
// or a list of lengths (the general extended form, which can also store differences of order 1 to
// 3).
package secondorder

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// maxWidth is the widest integer. A group's width is one octet, but larger widths cannot be told
// from damage.
const maxWidth = 57

// chunk is how many integers are decoded before they are passed on.
const chunk = 2048

// A group is how some consecutive integers are stored.
type group struct {
	first         int64 // first-order value
	width, length int
}

// Groups are integers in groups.
type Groups struct {
	N     int    // number of integers in the groups
	count int    // number of groups
	data  []byte // the excess of the integers over their first-order values, group after group

	// each begins a walk over the groups. The function that it returns gives the next group. Groups
	// are not kept in memory, as a few bits can claim a group.
	each func() func() group

	// The differencing of the general extended form; initial is nil for none. The first integers of
	// the field are initial, and the integers in the groups are differences of order len(initial),
	// less bias.
	initial []int64
	bias    int64
}

// Count returns the number of integers of the field.
func (g *Groups) Count() int { return g.N + len(g.initial) }

// check makes sure that all groups lie in the data and hold N integers.
func (g *Groups) check() error {
	pos, n := 0, 0
	next := g.each()
	for i := range g.count {
		x := next()
		if x.width > maxWidth || !bits.Fits(g.data, pos, x.length, x.width) {
			return fmt.Errorf("group %d of %d: %d values of %d bits do not fit the data", i, g.count, x.length, x.width)
		}
		pos += x.length * x.width
		n += x.length
	}
	if n != g.N {
		return fmt.Errorf("the groups hold %d values, expected %d", n, g.N)
	}
	return nil
}

// Decode calls emit with the integers in order, in pieces that are valid during the call.
func (g *Groups) Decode(emit func(q []int64) error) error {
	if err := g.check(); err != nil {
		return err
	}
	var buf [chunk]int64
	d := newIntegrator(g.initial, g.bias)
	fill := copy(buf[:], g.initial)
	done := fill // integers at the beginning of buf that are no differences
	flush := func() error {
		d.undo(buf[done:fill])
		err := emit(buf[:fill])
		fill, done = 0, 0
		return err
	}
	pos, next := 0, g.each()
	for range g.count {
		x := next()
		for x.length > 0 {
			n := min(x.length, chunk-fill)
			unpack(buf[fill:fill+n], g.data, pos, x.width, x.first)
			pos += n * x.width
			x.length -= n
			if fill += n; fill == chunk {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	if fill == 0 {
		return nil
	}
	return flush()
}

func unpack(dst []int64, src []byte, pos, width int, first int64) {
	if width > 0 {
		bits.UnpackAdd(dst, src, pos, width, first)
		return
	}
	for i := range dst {
		dst[i] = first
	}
}

// integrator undoes differences of order 1 to 3. Sums wrap around at 64 bits.
type integrator struct {
	order   int
	bias    int64
	x, y, z int64 // the last value, its difference, the difference of that
}

// newIntegrator begins with the first values of the field.
func newIntegrator(initial []int64, bias int64) *integrator {
	d := &integrator{order: len(initial), bias: bias}
	switch d.order {
	case 1:
		d.x = initial[0]
	case 2:
		d.x, d.y = initial[1], initial[1]-initial[0]
	case 3:
		d.x, d.y = initial[2], initial[2]-initial[1]
		d.z = d.y - (initial[1] - initial[0])
	}
	return d
}

func (d *integrator) undo(q []int64) {
	x, y, z, bias := d.x, d.y, d.z, d.bias
	switch d.order {
	case 0:
		return
	case 1:
		for i, v := range q {
			x += v + bias
			q[i] = x
		}
	case 2:
		for i, v := range q {
			y += v + bias
			x += y
			q[i] = x
		}
	default:
		for i, v := range q {
			z += v + bias
			y += z
			x += y
			q[i] = x
		}
	}
	d.x, d.y, d.z = x, y, z
}
