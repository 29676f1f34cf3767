package look

import (
	"maps"
	"math"
	"slices"
)

// wanted is the value of a rank that is being looked for.
type wanted struct {
	rank  int    // of all values
	at    int    // among the values with the bits, or in the slot, that are known
	among int    // how many these are
	slot  int    // see slots
	bits  uint64 // the bits of its key, with lower bits 0
}

// highestBits is where the first bits that are found of a value begin.
const highestBits = 48

// selectQuantiles returns the quantiles of the finite values, of which there are n from s.Min to s.Max,
// as quantile interpolates them. Values are counted in slots of equal width, and those of the slots that
// have a quantile are kept and sorted. Where these are too many, selectByBits finds them. The first pass
// is for another visitor too.
func selectQuantiles(runs Runs, s *Statistics, quantiles []float64, n int, also func([]float64)) ([]float64, error) {
	ranks := make([]wanted, 0, 2*len(quantiles))
	for _, p := range quantiles {
		i, next, _ := rankOf(p, n)
		ranks = append(ranks, wanted{rank: i}, wanted{rank: next})
	}
	c := slotsFrom(s.Min, s.Max)
	visit := []func([]float64){also}
	if c != nil {
		visit = append(visit, c.add)
	}
	if err := runs.pass(visit...); err != nil {
		return nil, err
	}
	var err error
	if c == nil || c.find(ranks) > mostKept(n) {
		err = selectByBits(runs, ranks, n)
	} else {
		err = c.keep(runs, ranks)
	}
	if err != nil {
		return nil, err
	}
	found := make([]float64, len(quantiles))
	for i, p := range quantiles {
		_, _, part := rankOf(p, n)
		found[i] = between(unordered(ranks[2*i].bits), unordered(ranks[2*i+1].bits), part)
	}
	return found, nil
}

// selectByBits finds the values of ranks. Bits of the values are found 16 at a time, by counting,
// until so few values have them that these are kept.
func selectByBits(runs Runs, ranks []wanted, n int) error {
	for i := range ranks {
		ranks[i].bits, ranks[i].at, ranks[i].among = 0, ranks[i].rank, n
	}
	for shift := highestBits; shift >= 0; shift -= 16 {
		if alike(ranks) <= mostKept(n) && shift < highestBits {
			return keep(runs, ranks, shift+16)
		}
		if err := refine(runs, ranks, shift); err != nil {
			return err
		}
	}
	return nil
}

// alike is how many values have the known bits of a wanted one.
func alike(ranks []wanted) (n int) {
	for i, r := range ranks {
		if !slices.ContainsFunc(ranks[:i], func(before wanted) bool { return before.bits == r.bits }) {
			n += r.among
		}
	}
	return n
}

// mostKept is how many of n values are kept at a time: sorting more takes longer than another pass.
func mostKept(n int) int { return min(max(n/16, 1<<12), 1<<20) }

// keep finds the wanted values among the values that share their bits from shift on, in one pass.
func keep(runs Runs, ranks []wanted, shift int) error {
	kept := make(map[uint64][]uint64) // keys, by those bits
	for _, r := range ranks {
		kept[r.bits] = nil
	}
	known := slices.Sorted(maps.Keys(kept))
	visit := func(values []float64) {
		for _, v := range values {
			key := ordered(v)
			if bits := key >> shift << shift; bits >= known[0] && bits <= known[len(known)-1] {
				if _, ok := slices.BinarySearch(known, bits); ok {
					kept[bits] = append(kept[bits], key)
				}
			}
		}
	}
	if err := runs.pass(visit); err != nil {
		return err
	}
	for _, keys := range kept {
		slices.Sort(keys)
	}
	for i := range ranks {
		ranks[i].bits = kept[ranks[i].bits][ranks[i].at]
	}
	return nil
}

// maxTables is the number of tables of 65536 counters that are filled at a time.
const maxTables = 32

// refine finds the 16 bits from shift on of each wanted value, those above being known.
func refine(runs Runs, ranks []wanted, shift int) error {
	var known []uint64
	for _, r := range ranks {
		known = append(known, r.bits)
	}
	slices.Sort(known)
	for group := range slices.Chunk(slices.Compact(known), maxTables) {
		c := newCounter(group, shift)
		if err := runs.pass(c.add); err != nil {
			return err
		}
		c.refine(ranks)
	}
	return nil
}

// A counter counts the values that have the bits of each member of group above shift+16, by the
// next 16 bits.
type counter struct {
	group  []uint64 // in order
	shift  int
	tables [][]int // of each member
	last   int     // the member that the last value belongs to
}

func newCounter(group []uint64, shift int) *counter {
	c := &counter{group: group, shift: shift, tables: make([][]int, len(group))}
	for i := range c.tables {
		c.tables[i] = make([]int, 1<<16)
	}
	return c
}

func (c *counter) add(values []float64) {
	for _, v := range values {
		key := ordered(v)
		above := key >> c.shift >> 16 << 16 << c.shift
		if c.group[c.last] != above {
			i, ok := slices.BinarySearch(c.group, above)
			if !ok {
				continue
			}
			c.last = i
		}
		c.tables[c.last][key>>c.shift&0xffff]++
	}
}

// refine finds the bits that were counted of the wanted values that belong to the group.
func (c *counter) refine(ranks []wanted) {
	for i := range ranks {
		r := &ranks[i]
		if t, ok := slices.BinarySearch(c.group, r.bits); ok {
			r.descend(c.tables[t], c.shift)
		}
	}
}

// descend sets the bits from shift on by the counts of values for each.
func (r *wanted) descend(counts []int, shift int) {
	for b, c := range counts {
		if r.at < c {
			r.bits |= uint64(b) << shift
			r.among = c
			return
		}
		r.at -= c
	}
}

// ordered returns a number that is larger for larger values.
func ordered(v float64) uint64 {
	b := math.Float64bits(v + 0) // one zero
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// unordered is the value of a number that ordered returned.
func unordered(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}
