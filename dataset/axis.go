package dataset

import (
	"slices"

	"github.com/tgmconv/tgmconv/internal/nameset"
)

// An axis is a coordinate along which variables of a group differ, or a scalar one that some share.
type axis struct {
	kind      axisKind
	base      string // the name before it was made unique
	name      string
	levelType string // of levels
	scalar    bool
	keys      []float64 // of positions, in the order of the dimension
	values    []float64 // of the coordinate
	layers    []level   // of the values, if some have a top and a bottom
	least     int       // the number of keys of the variable that has the fewest
	pv        []float64 // vertical coordinate parameters of hybrid levels
}

// holds reports whether all keys of a set are on the axis.
func (x *axis) holds(set []float64) bool {
	return !slices.ContainsFunc(set, func(v float64) bool { return !slices.Contains(x.keys, v) })
}

// join adds keys to an axis of times or steps, and reports whether it did. All variables on the
// axis must have at least half of the joined keys. Fields of the end of a month and of the first of
// the next then share a time.
func (x *axis) join(set []float64) bool {
	if x.scalar || x.kind != axisTime && x.kind != axisStep {
		return false
	}
	union := slices.Clone(x.keys)
	for _, key := range set {
		if !slices.Contains(x.keys, key) {
			union = append(union, key)
		}
	}
	least := min(x.least, len(set))
	if 2*least < len(union) {
		return false
	}
	slices.Sort(union)
	x.keys, x.values, x.least = union, union, least
	return true
}

// An axisPlan gives each block of a group its axes.
type axisPlan struct {
	opts   *Options
	names  *nameset.Set
	levels *levelSet
	axes   []*axis
	of     map[*block]*[numAxes]*axis
}

func newAxisPlan(blocks []*block, levels *levelSet, opts *Options, names *nameset.Set) *axisPlan {
	p := &axisPlan{opts: opts, names: names, levels: levels, of: make(map[*block]*[numAxes]*axis, len(blocks))}
	for _, b := range blocks {
		p.of[b] = new([numAxes]*axis)
	}
	for kind := range numAxes {
		// The longest first: its values are the axis that others share.
		order := slices.Clone(blocks)
		slices.SortStableFunc(order, func(a, b *block) int { return len(p.set(b, kind)) - len(p.set(a, kind)) })
		for _, b := range order {
			if set := p.set(b, kind); set != nil {
				p.of[b][kind] = p.share(b, kind, set)
			}
		}
	}
	p.nameAxes()
	return p
}

// nameAxes names the axes. One of several types or values of scalar levels is named with its value.
func (p *axisPlan) nameAxes() {
	count := make(map[string]int)
	for _, x := range p.axes {
		count[x.base]++
	}
	for _, x := range p.axes {
		name := x.base
		if x.kind == axisLevel && x.scalar && count[x.base] > 1 {
			name += "_" + numberText(x.values[0])
		}
		x.name = p.names.Next(name)
	}
}

// set is the values of a block along a dimension, in order; nil if it is none of its dimensions. A
// scalar coordinate is a set of one value.
func (p *axisPlan) set(b *block, kind axisKind) []float64 {
	if b.sets[kind] != nil {
		return b.sets[kind]
	}
	if at := b.fields[0].at[kind]; at != 0 {
		return []float64{b.numbers.values[at]}
	}
	return nil
}

// share returns the axis for a set of a block: an axis that has all its keys and at most twice as
// many, else a new one.
func (p *axisPlan) share(b *block, kind axisKind, set []float64) *axis {
	x := &axis{kind: kind, base: p.baseName(b, kind), scalar: p.isScalar(b, kind)}
	if kind == axisLevel {
		x.levelType, x.pv = b.kind.levelType, b.kind.pv
	}
	for _, other := range p.axes {
		if other.kind == kind && other.base == x.base && other.scalar == x.scalar && other.holds(set) && 2*len(set) >= len(other.keys) {
			other.least = min(other.least, len(set))
			return other
		}
	}
	for _, other := range p.axes {
		if other.kind == kind && other.base == x.base && other.join(set) {
			return other
		}
	}
	x.keys, x.least = slices.Clone(set), len(set)
	x.values = x.keys
	if kind == axisLevel {
		p.setLevels(x)
	}
	p.axes = append(p.axes, x)
	return x
}

// isScalar reports whether an axis of one value is no dimension.
func (p *axisPlan) isScalar(b *block, kind axisKind) bool {
	return b.sets[kind] == nil && !(p.opts.AlwaysTime && (kind == axisTime || kind == axisStep))
}

// setLevels puts the levels of an axis in order.
func (p *axisPlan) setLevels(x *axis) {
	value := p.levels.sort(x.keys)
	if descending(x.levelType) {
		slices.Reverse(x.keys)
	}
	x.values, x.layers = nil, nil
	for _, key := range x.keys {
		l := p.levels.levels[int(key)]
		x.values = append(x.values, value(l))
		x.layers = append(x.layers, l)
	}
	if !slices.ContainsFunc(x.layers, level.isLayer) {
		x.layers = nil
	}
}
