package hdf5

import (
	"context"
	"sort"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// axisPair maps indices of a source to indices of the virtual dataset, along an axis of
// either. Number k of one set is number k of the other.
type axisPair struct {
	to, from       axisSet
	toAxis         int // -1: the source has an axis of length 1 more
	fromAxis       int // -1: the virtual dataset has
	first, n       uint64
	toStep, inStep int64
}

// pairs matches the axes of two selections, which must have equal lengths. Axes of length 1 need no
// partner.
func (d *Dataset) pairs(b mappedBlock) ([]axisPair, error) {
	to, toLens := b.to.within(d.Space.Dims)
	from, fromLens := b.from.within(b.d.Space.Dims)
	var list []axisPair
	j := 0
	single := func() {
		for j < len(from) && fromLens[j] == 1 {
			list = append(list, axisPair{from: from[j], fromAxis: j, toAxis: -1, n: 1})
			j++
		}
	}
	for i := range to {
		if toLens[i] == 1 && (j >= len(from) || fromLens[j] != 1) {
			list = append(list, axisPair{to: to[i], toAxis: i, fromAxis: -1, n: 1})
			continue
		}
		if toLens[i] != 1 {
			single()
		}
		if j >= len(from) {
			return nil, unmatched(d, toLens, fromLens)
		}
		n := toLens[i]
		if n != fromLens[j] {
			// Both end where their datasets end: an axis without limit may be shorter on one side.
			if !b.to.open(i) && !b.from.open(j) {
				return nil, unmatched(d, toLens, fromLens)
			}
			n = min(n, fromLens[j])
		}
		list = append(list, axisPair{to: to[i], from: from[j], toAxis: i, fromAxis: j, n: n})
		j++
	}
	single()
	if j < len(from) {
		return nil, unmatched(d, toLens, fromLens)
	}
	return list, nil
}

// open reports whether the set of an axis has no end of its own.
func (s *selection) open(axis int) bool {
	return s.all || axis < len(s.axes) && s.axes[axis].runs == nil && s.axes[axis].count == Unlimited
}

func unmatched(d *Dataset, to, from []uint64) error {
	return wire.Unsupported(d.what, -1, "mapping of %v elements to %v", from, to)
}

// readBlock stores the elements of a mapping into dst, which is a box of d. The source is read as
// one box, from the first to the last index on each of its axes.
func (d *Dataset) readBlock(ctx context.Context, dst []byte, start, count []uint64, b mappedBlock) error {
	pairs, err := d.pairs(b)
	if err != nil {
		return err
	}
	rank := len(b.d.Space.Dims)
	from, span := make([]uint64, rank), make([]uint64, rank)
	for i := range pairs {
		p := &pairs[i]
		if p.toAxis >= 0 {
			lo, hi := start[p.toAxis], start[p.toAxis]+count[p.toAxis]
			first := sort.Search(int(p.n), func(k int) bool { return p.to.at(uint64(k)) >= lo })
			last := sort.Search(int(p.n), func(k int) bool { return p.to.at(uint64(k)) >= hi })
			p.first, p.n = uint64(first), uint64(last-first)
		}
		if p.n == 0 {
			return nil
		}
		if p.fromAxis >= 0 {
			from[p.fromAxis] = p.from.at(p.first)
			span[p.fromAxis] = p.from.at(p.first+p.n-1) - from[p.fromAxis] + 1
		}
	}
	buf, err := b.box(ctx, from, span)
	if err != nil {
		return err
	}
	size := d.conv.out
	toSteps, inSteps := nd.Strides(count, int64(size)), nd.Strides(span, int64(size))
	for i := range pairs {
		p := &pairs[i]
		if p.toAxis >= 0 {
			p.toStep = toSteps[p.toAxis]
		}
		if p.fromAxis >= 0 {
			p.inStep = inSteps[p.fromAxis]
		}
	}
	scatter(dst, buf, pairs, start, from, size)
	return nil
}

// box reads a box of the source, as numbers of the type that the virtual dataset has.
func (b *mappedBlock) box(ctx context.Context, start, count []uint64) ([]byte, error) {
	size := uint64(b.d.conv.out)
	n := size
	for _, c := range count {
		var ok bool
		if n, ok = wire.Mul(n, c); !ok {
			return nil, wire.Errorf(b.d.what, -1, "a box of %v", count)
		}
	}
	if err := b.d.CheckSize(clamp(n)); err != nil {
		return nil, err
	}
	buf := make([]byte, n)
	if err := b.d.Read(ctx, buf, start, count); err != nil || b.convert == nil {
		return buf, err
	}
	out := make([]byte, n/size*uint64(b.size))
	b.convert(out, buf)
	return out, nil
}

// scatter copies the elements of all pairs of indices.
func scatter(dst, src []byte, pairs []axisPair, start, from []uint64, size int) {
	if len(pairs) == 0 {
		copy(dst[:size], src[:size])
		return
	}
	p := &pairs[0]
	for k := p.first; k < p.first+p.n; {
		to, in, n := int64(0), int64(0), uint64(1)
		if p.toAxis >= 0 {
			to = int64(p.to.at(k)-start[p.toAxis]) * p.toStep
		}
		if p.fromAxis >= 0 {
			in = int64(p.from.at(k)-from[p.fromAxis]) * p.inStep
		}
		if len(pairs) == 1 && p.toStep == int64(size) && p.inStep == int64(size) {
			n = min(p.to.run(k), p.from.run(k), p.first+p.n-k)
			copy(dst[to:to+int64(n)*int64(size)], src[in:])
		} else {
			scatter(dst[to:], src[in:], pairs[1:], start, from, size)
		}
		k += n
	}
}

// run returns how many indices from number k on are neighbours.
func (a *axisSet) run(k uint64) uint64 {
	if a.runs == nil {
		if a.block == a.stride {
			return 1 << 62
		}
		return a.block - k%a.block
	}
	j := sort.Search(len(a.runs), func(j int) bool { return a.runs[j].before > k }) - 1
	return a.runs[j].n - (k - a.runs[j].before)
}
