package look

import (
	"math"
	"slices"
)

// slotCount is how many slots there are. Their counters fit the second cache.
const slotCount = 1 << 16

// slots counts values in slots of equal width from the least to the greatest. A larger value is never
// in a lower slot, since neither subtraction nor multiplication changes the order of numbers.
type slots struct {
	low, scale float64
	counts     []int
}

// slotsFrom returns slots of values from low to high, which is larger; nil if they have no width.
func slotsFrom(low, high float64) *slots {
	scale := (slotCount - 1) / (high - low)
	if math.IsInf(high-low, 0) || math.IsInf(scale, 0) {
		return nil
	}
	return &slots{low, scale, make([]int, slotCount)}
}

// of is the slot of a value. The mask is for the compiler.
func (c *slots) of(v float64) int { return int(float64(v-c.low)*c.scale) & (slotCount - 1) }

func (c *slots) add(values []float64) {
	x, counts := *c, c.counts[:slotCount]
	for _, v := range values {
		counts[x.of(v)]++
	}
}

// find finds the slot of each rank, and returns how many values these slots have.
func (c *slots) find(ranks []wanted) (n int) {
	seen := make(map[int]bool)
	for i := range ranks {
		r := &ranks[i]
		r.at, r.slot = r.rank, 0
		for r.at >= c.counts[r.slot] {
			r.at -= c.counts[r.slot]
			r.slot++
		}
		if !seen[r.slot] {
			seen[r.slot] = true
			n += c.counts[r.slot]
		}
	}
	return n
}

// keep finds the values of the ranks, whose slots are known, in one pass.
func (c *slots) keep(runs Runs, ranks []wanted) error {
	wantedSlot := make([]bool, slotCount)
	kept := make(map[int][]float64, len(ranks))
	for _, r := range ranks {
		wantedSlot[r.slot] = true
		kept[r.slot] = make([]float64, 0, c.counts[r.slot])
	}
	x := *c
	err := runs.pass(func(values []float64) {
		is := wantedSlot[:slotCount]
		for _, v := range values {
			if slot := x.of(v); is[slot] {
				kept[slot] = append(kept[slot], v)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, values := range kept {
		slices.Sort(values)
	}
	for i := range ranks {
		ranks[i].bits = ordered(kept[ranks[i].slot][ranks[i].at])
	}
	return nil
}
