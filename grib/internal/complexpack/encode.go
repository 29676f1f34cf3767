package complexpack

import (
	"fmt"
	mathbits "math/bits"
)

// Encode packs integers with spatial differencing of order 0, 1 or 2. It returns section 7 from
// octet 6 on with the parameters that describe it. It knows no missing points.
func Encode(q []uint32, order int) ([]byte, Params, error) {
	if order < 0 || order > 2 {
		return nil, Params{}, fmt.Errorf("spatial differencing of order %d, expected 0 to 2", order)
	}
	order = min(order, len(q)) // absent numbers have no difference
	l := Params{N: len(q), Order: order}
	numbers := make([]int64, len(q))
	for i, x := range q {
		numbers[i] = int64(x)
	}
	w := &writer{}
	if order > 0 {
		first, minimum := difference(numbers, order)
		l.ExtraOctets = extraOctets(first, minimum)
		for _, x := range first {
			w.put(uint64(x), 8*l.ExtraOctets)
		}
		w.signed(minimum, 8*l.ExtraOctets)
	}
	groups := split(numbers)
	l.describe(groups)
	for _, g := range groups {
		w.put(uint64(g.low), l.Bits)
	}
	w.align()
	for _, g := range groups {
		w.put(uint64(g.width-l.WidthReference), l.WidthBits)
	}
	w.align()
	for _, g := range groups {
		w.put(uint64(g.count-l.LengthReference), l.LengthBits)
	}
	w.align()
	for _, g := range groups {
		for _, x := range numbers[:g.count] {
			w.put(uint64(x-g.low), g.width)
		}
		numbers = numbers[g.count:]
	}
	w.align()
	return w.out, l, nil
}

// difference replaces numbers by their differences less the smallest of them. It returns the
// smallest with the first numbers; these themselves become 0.
func difference(numbers []int64, order int) (first []int64, minimum int64) {
	first = append(first, numbers[:order]...)
	for range order {
		for i := len(numbers) - 1; i > 0; i-- {
			numbers[i] -= numbers[i-1]
		}
	}
	rest := numbers[order:]
	for i, x := range rest {
		if i == 0 || x < minimum {
			minimum = x
		}
	}
	for i := range rest {
		rest[i] -= minimum
	}
	clear(numbers[:order])
	return first, minimum
}

// extraOctets returns how many octets hold the first numbers, which have no sign, and the
// minimum, which has a sign.
func extraOctets(first []int64, minimum int64) int {
	n := mathbits.Len64(uint64(max(minimum, -minimum))) + 1
	for _, x := range first {
		n = max(n, mathbits.Len64(uint64(x)))
	}
	return (n + 7) / 8
}

// A group is a run of numbers with its least number and the bits that the others need above that.
type group struct {
	low, high int64
	count     int
	width     int
}

// The cost of a group beside its numbers is known at the end; this is its usual size, in bits.
const overhead = 26

// smallest is how many numbers a group has before groups are merged.
const smallest = 8

func newGroup(numbers []int64) group {
	g := group{low: numbers[0], high: numbers[0], count: len(numbers)}
	for _, x := range numbers {
		g.low, g.high = min(g.low, x), max(g.high, x)
	}
	g.width = mathbits.Len64(uint64(g.high - g.low))
	return g
}

// merge returns both groups as a single group.
func (g group) merge(h group) group {
	m := group{low: min(g.low, h.low), high: max(g.high, h.high), count: g.count + h.count}
	m.width = mathbits.Len64(uint64(m.high - m.low))
	return m
}

func (g group) cost() int { return g.count*g.width + overhead }

// maxGroup is the most numbers of a group: it bounds the cost of one large number among small ones.
const maxGroup = 1 << 12

// split cuts numbers into small groups, and merges neighbours when that costs less.
func split(numbers []int64) []group {
	var groups []group
	for len(numbers) > 0 {
		n := min(smallest, len(numbers))
		g := newGroup(numbers[:n])
		numbers = numbers[n:]
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			m := last.merge(g)
			if m.count > maxGroup || m.cost() > last.cost()+g.cost() {
				break
			}
			g, groups = m, groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	return groups
}

// describe sets the parameters that groups have in common.
func (l *Params) describe(groups []group) {
	l.Groups, l.LengthIncrement = len(groups), 1
	if len(groups) == 0 {
		return
	}
	low, narrow, wide := int64(0), groups[0].width, 0
	short, long := groups[0].count, 0
	for i, g := range groups {
		low, narrow, wide = max(low, g.low), min(narrow, g.width), max(wide, g.width)
		if i < len(groups)-1 || len(groups) == 1 { // the last length is stated apart
			short, long = min(short, g.count), max(long, g.count)
		}
	}
	last := groups[len(groups)-1]
	l.Bits = mathbits.Len64(uint64(low))
	l.WidthReference, l.WidthBits = narrow, mathbits.Len(uint(wide-narrow))
	l.LengthReference = min(short, last.count) // of the last group too, whose place in the array must hold it
	l.LengthBits = mathbits.Len(uint(max(long, last.count) - l.LengthReference))
	l.LastLength = last.count
}

// writer appends bits, the most significant one first.
type writer struct {
	out []byte
	acc uint64
	n   int // bits in acc, fewer than 8
}

// put writes the width low bits of v, whose other bits are clear; width is at most 56.
func (w *writer) put(v uint64, width int) {
	w.acc = w.acc<<width | v
	for w.n += width; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.acc>>(w.n-8)))
	}
}

// signed writes a sign bit and a magnitude.
func (w *writer) signed(v int64, width int) {
	if v < 0 {
		w.put(1, 1)
		w.put(uint64(-v), width-1)
		return
	}
	w.put(0, 1)
	w.put(uint64(v), width-1)
}

// align fills the last octet.
func (w *writer) align() {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
}
