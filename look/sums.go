package look

import "math"

// A summation is a sum of numbers that are added one after the other.
type summation interface {
	addAll(values []float64)
	total() float64
}

// newCompensated are sums that hardly depend on the order of the numbers.
func newCompensated() (sum, squares, rest summation) {
	return new(compensated), new(compensated), new(compensated)
}

// newSequential are the sums of [Describe] to the last bit.
func newSequential() (sum, squares, rest summation) { return new(lanes), new(plain), new(plain) }

// compensated sums numbers, and keeps the parts that large sums round away (Neumaier 1974).
type compensated struct{ sum, lost float64 }

// add finds the part that the sum rounds away, without comparing the numbers (Knuth, TAOCP 4.2.2).
func (c *compensated) add(v float64) {
	t := c.sum + v
	added := t - c.sum
	c.lost += (c.sum - (t - added)) + (v - added)
	c.sum = t
}

func (c *compensated) addAll(values []float64) {
	x := *c
	for _, v := range values {
		x.add(v)
	}
	*c = x
}

func (c *compensated) total() float64 {
	if t := c.sum + c.lost; !math.IsNaN(t) {
		return t
	}
	return c.sum // infinite
}

// plain adds numbers as they come.
type plain float64

func (p *plain) addAll(values []float64) {
	sum := float64(*p)
	for _, v := range values {
		sum += v
	}
	*p = plain(sum)
}

func (p *plain) total() float64 { return float64(*p) }

// lanes adds every eighth number, and then the eight sums: the order in which gonum's floats.Sum adds
// the numbers of an aligned slice on amd64.
type lanes struct {
	sums [8]float64
	next [16]float64 // numbers that are not added yet
	n    int
}

func (l *lanes) addAll(values []float64) {
	if l.n > 0 {
		n := copy(l.next[l.n:], values)
		values = values[n:]
		if l.n += n; l.n < len(l.next) {
			return
		}
		l.addSixteen(&l.next)
	}
	for ; len(values) >= len(l.next); values = values[len(l.next):] {
		l.addSixteen((*[16]float64)(values))
	}
	l.n = copy(l.next[:], values)
}

func (l *lanes) addSixteen(v *[16]float64) {
	for i := range l.sums {
		l.sums[i] = l.sums[i] + v[i] + v[8+i]
	}
}

// addLanes adds numbers to as many lanes.
func (l *lanes) addLanes(from, count int) {
	for i := range count {
		l.sums[i] += l.next[from+i]
	}
}

func (l *lanes) total() float64 {
	at, s := 0, *l
	take := func(count int) {
		if l.n&count != 0 {
			s.addLanes(at, count)
			at += count
		}
	}
	join := func(to, from int) {
		s.sums[to] += s.sums[from]
		s.sums[to+1] += s.sums[from+1]
	}
	take(8)
	join(0, 6)
	join(2, 4)
	take(4)
	join(0, 2)
	take(2)
	sum := s.sums[0] + s.sums[1]
	if l.n&1 != 0 {
		sum += l.next[at]
	}
	return sum
}
