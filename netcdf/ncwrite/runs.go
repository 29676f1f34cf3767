package ncwrite

import (
	"cmp"
	"slices"
)

// run is a range of bytes.
type run struct{ lo, hi int64 }

// runs collects ranges of bytes, to find the missing ranges at the end.
type runs struct {
	list  []run
	limit int // when to merge
}

// add notes that the bytes from lo to hi are there.
func (r *runs) add(lo, hi int64) {
	if lo >= hi {
		return
	}
	if n := len(r.list); n > 0 && r.list[n-1].hi == lo {
		r.list[n-1].hi = hi
		return
	}
	r.list = append(r.list, run{lo, hi})
	if len(r.list) >= max(r.limit, 1024) {
		r.merge()
		r.limit = 2 * len(r.list)
	}
}

// merge sorts the ranges and joins ranges that touch.
func (r *runs) merge() {
	slices.SortFunc(r.list, func(a, b run) int { return cmp.Compare(a.lo, b.lo) })
	out := r.list[:0]
	for _, next := range r.list {
		if n := len(out); n > 0 && next.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, next.hi)
		} else {
			out = append(out, next)
		}
	}
	r.list = out
}

// gaps returns the ranges below end that are missing.
func (r *runs) gaps(end int64) []run {
	r.merge()
	var out []run
	at := int64(0)
	for _, have := range r.list {
		if have.lo >= end {
			break
		}
		if have.lo > at {
			out = append(out, run{at, have.lo})
		}
		at = max(at, have.hi)
	}
	if at < end {
		out = append(out, run{at, end})
	}
	return out
}
