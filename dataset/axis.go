package dataset

import (
	"slices"
	"strings"
)

// An axis is a coordinate along which variables of a group differ, or a scalar one that some have
// in common.
type axis struct {
	kind   axisKind
	name   string
	scalar bool
	values []float64 // in the order of the dimension
	layers []layer   // of the values, for levels that have a top and a bottom
}

// position returns the place of a value along the axis.
func (x *axis) position(value float64) int { return slices.Index(x.values, value) }

// holds reports whether all values of a set are on the axis.
func (x *axis) holds(set []float64) bool {
	return !slices.ContainsFunc(set, func(v float64) bool { return !slices.Contains(x.values, v) })
}

// An axisPlan gives each block of a group its axes.
type axisPlan struct {
	opts  *Options
	names *nameSet
	axes  []*axis
	of    map[*block]*[numAxes]*axis
}

func newAxisPlan(blocks []*block, opts *Options, names *nameSet) *axisPlan {
	p := &axisPlan{opts: opts, names: names, of: make(map[*block]*[numAxes]*axis, len(blocks))}
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
	return p
}

// set is the values of a block along a dimension, in order; nil if it is none of its dimensions. A
// scalar coordinate is a set of one value.
func (p *axisPlan) set(b *block, kind axisKind) []float64 {
	if b.sets[kind] != nil {
		return b.sets[kind]
	}
	if value := b.fields[0].at[kind]; value != absent {
		return []float64{value}
	}
	return nil
}

// share returns the axis for a set of a block: one that has all its values and at most twice as
// many, else a new one.
func (p *axisPlan) share(b *block, kind axisKind, set []float64) *axis {
	scalar := len(set) == 1 && b.sets[kind] == nil && !(p.opts.AlwaysTime && (kind == axisTime || kind == axisStep))
	base := p.baseName(b, kind)
	layers := b.layersOf(kind, set)
	for _, x := range p.axes {
		if x.kind != kind || x.scalar != scalar || !p.named(x, base) || !x.holds(set) || 2*len(set) < len(x.values) || !x.sameLayers(set, layers) {
			continue
		}
		return x
	}
	x := &axis{kind: kind, scalar: scalar, values: slices.Clone(set), layers: layers}
	if kind == axisLevel && descending(b.kind.levelType) {
		slices.Reverse(x.values)
		slices.Reverse(x.layers)
	}
	name := base
	if kind == axisLevel && scalar {
		name = base + "_" + numberText(set[0])
	}
	x.name = p.names.unique(name)
	p.axes = append(p.axes, x)
	return x
}

// named reports whether an axis was named for the same coordinate.
func (p *axisPlan) named(x *axis, base string) bool {
	rest, ok := strings.CutPrefix(x.name, base)
	return ok && (rest == "" || rest[0] == '_')
}

// sameLayers reports whether the levels of a set are the same layers on the axis.
func (x *axis) sameLayers(set []float64, layers []layer) bool {
	for i, v := range set {
		if at := x.position(v); at < 0 || (layers == nil) != (x.layers == nil) || layers != nil && x.layers[at] != layers[i] {
			return false
		}
	}
	return true
}

// layersOf are the tops and bottoms of a set of levels, nil if they have none.
func (b *block) layersOf(kind axisKind, set []float64) []layer {
	if kind != axisLevel || b.fields[0].layer.top == absent {
		return nil
	}
	layers := make([]layer, len(set))
	for _, f := range b.fields {
		layers[slices.Index(set, f.at[axisLevel])] = f.layer
	}
	return layers
}

// nominal are the types of level that have one level each, whose number says nothing.
var nominal = map[string]bool{
	"surface": true, "meanSea": true, "entireAtmosphere": true, "atmosphere": true, "tropopause": true, "nominalTop": true,
	"mostUnstableParcel": true, "mixedLayerParcel": true, "isothermZero": true, "maxWind": true, "cloudBase": true, "cloudTop": true,
	"highestTroposphericFreezing": true, "atmosphereSingleLayer": true, "entireOcean": true, "iceLayerOnWater": true,
	"boundaryLayerCloudBottom": true, "unknown": true, "": true,
}

// descending reports whether levels of a type run downwards in number: pressure.
func descending(levelType string) bool { return strings.HasPrefix(levelType, "isobaric") }
