package dataset

import (
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
)

// A validity is the time of validity over a time and a step axis. Blocks share it if they do not contradict
// each other.
type validity struct {
	time, step *axis
	// said is the time of validity of the fields, by time and step. It is nil if it is always the sum of both.
	said     map[[2]float64]float64
	variable *Variable // nil before it is made
}

// validities are the times of validity of the blocks that have a time and a step.
func (a *assembler) validities() map[*block]*validity {
	of := make(map[*block]*validity)
	if a.opts.Time != TimeForecast {
		return of
	}
	var all []*validity
	for _, b := range a.blocks {
		time, step := a.plan.of[b][axisTime], a.plan.of[b][axisStep]
		if time == nil || step == nil {
			continue
		}
		said := b.saidValidity()
		for _, v := range all {
			if v.time == time && v.step == step && v.join(said) {
				of[b] = v
				break
			}
		}
		if of[b] == nil {
			of[b] = &validity{time: time, step: step, said: said}
			all = append(all, of[b])
		}
	}
	return of
}

// saidValidity is the time of validity that the fields of a block declare. It is nil if it is the sum of time
// and step.
func (b *block) saidValidity() (said map[[2]float64]float64) {
	n := b.numbers.values
	for _, f := range b.fields {
		if f.valid != 0 && n[f.valid] != n[f.at[axisTime]]+n[f.at[axisStep]] {
			said = make(map[[2]float64]float64)
			break
		}
	}
	if said == nil {
		return nil
	}
	for _, f := range b.fields {
		if f.valid != 0 {
			said[[2]float64{n[f.at[axisTime]], n[f.at[axisStep]]}] = n[f.valid]
		}
	}
	return said
}

// join adds the times of validity of other fields, unless they contradict, and reports whether it did.
func (v *validity) join(said map[[2]float64]float64) bool {
	if v.said == nil || said == nil {
		return v.said == nil && said == nil
	}
	for at, valid := range said {
		if known, ok := v.said[at]; ok && known != valid {
			return false
		}
	}
	for at, valid := range said {
		v.said[at] = valid
	}
	return true
}

// validTime makes the variable: the declared times, and the sum where there is none.
func (a *assembler) validTime(v *validity) *Variable {
	values := make([]float64, 0, len(v.time.values)*len(v.step.values))
	for _, t := range v.time.values {
		for _, s := range v.step.values {
			valid, ok := v.said[[2]float64{t, s}]
			if !ok {
				valid = t + s
			}
			values = append(values, valid)
		}
	}
	dims, shape := v.time.extent()
	stepDims, stepShape := v.step.extent()
	attrs := append([]Attribute{{cf.AttrStandardName, "time"}, {cf.AttrLongName, "time of validity"}}, timeUnits()...)
	name := mapping.KeyValidTime
	if a.opts.Names == NamesCF {
		name = "time"
	}
	return intVariable(a.names.Next(name), append(dims, stepDims...), append(shape, stepShape...), attrs, values)
}
