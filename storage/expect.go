package storage

import (
	"cmp"
	"context"
	"slices"
	"sort"
)

// A Range is Len bytes of a blob from Off on.
type Range struct{ Off, Len int64 }

// Expect announces which ranges of a blob will be read, in addition to the ranges of earlier calls.
// From the first call on, which may name no range, only announced ranges are fetched ahead of the
// readers. It has no effect on blobs that are not on the network.
func Expect(b Blob, ranges ...Range) {
	if r := remote(b); r != nil {
		inside := make([]Range, 0, len(ranges))
		for _, a := range ranges {
			if a.Off >= 0 && a.Off < r.size && a.Len > 0 {
				inside = append(inside, Range{a.Off, min(a.Len, r.size-a.Off)})
			}
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.expected = r.expected.with(inside)
	}
}

// Expects reports whether [Expect] has an effect on b.
func Expects(b Blob) bool { return remote(b) != nil }

// remote returns the object on the network that b stands for, or nil. A blob that stands for
// another, with the same bytes, says so by a method Unwrap.
func remote(b Blob) *remoteBlob {
	for {
		switch of := b.(type) {
		case *remoteBlob:
			return of
		case interface{ Unwrap() Blob }:
			b = of.Unwrap()
		default:
			return nil
		}
	}
}

const (
	// expectedGap is how far two expected ranges may lie apart to be fetched together. A
	// request costs as much as that many bytes.
	expectedGap = blockSize
	// expectedShort is the length up to which a range that lies alone is fetched without the
	// rest of its blocks.
	expectedShort = 4 * blockSize
)

// runs are ranges in order, far from each other. They are nil until the first call of [Expect].
type runs []Range

// with adds ranges, in any order.
func (e runs) with(ranges []Range) runs {
	all := append(slices.Clone(e), ranges...)
	slices.SortFunc(all, func(a, b Range) int { return cmp.Compare(a.Off, b.Off) })
	out := make(runs, 0, len(all))
	for _, a := range all {
		if n := len(out); n > 0 && a.Off-out[n-1].end() <= expectedGap {
			out[n-1].Len = max(out[n-1].end(), a.end()) - out[n-1].Off
		} else {
			out = append(out, a)
		}
	}
	return out
}

func (a Range) end() int64 { return a.Off + a.Len }

// at returns the run that a byte is in.
func (e runs) at(off int64) (Range, bool) {
	i := sort.Search(len(e), func(i int) bool { return e[i].end() > off })
	if i == len(e) || e[i].Off > off {
		return Range{}, false
	}
	return e[i], true
}

// bounded returns the end of the bytes to fetch for a reader of blocks up to last. It is until, or
// less where not all bytes up to it are expected.
func (e runs) bounded(last, until int64) int64 {
	if e == nil {
		return until
	}
	run, ok := e.at((last+1)*blockSize - 1)
	if !ok {
		return last + 1
	}
	return max(last+1, min(until, (run.end()+blockSize-1)/blockSize))
}

// exactly reports whether n bytes at off are to be fetched without the rest of their blocks.
// This is so for a short range that lies alone.
func (r *remoteBlob) exactly(ctx context.Context, off, n int64) bool {
	if IsSparse(ctx) {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	run, ok := r.expected.at(off)
	return ok && run.Len < expectedShort && off+n <= run.end()
}
