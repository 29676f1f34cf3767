package dataset

import (
	"slices"

	"github.com/tgmconv/tgmconv/cf"
)

// hybridLevels begins the types of level whose coordinates pv describes.
const hybridLevels = "hybrid"

// hybridVariables are the coefficients of an axis of hybrid levels: pressure = ap + b·ps. pv lists the
// coefficients of half levels, all ap and then all b, from the top. Level n lies between half levels n-1 and
// n, and its coefficients are the mean of the two.
func (a *assembler) hybridVariables(x *axis) []*Variable {
	n := len(x.pv) / 2
	if x.scalar || x.levelType != hybridLevels || n < 2 || len(x.pv)%2 != 0 {
		return nil
	}
	coefficients := [2]struct {
		name, long, units string
		half, full, bound []float64
	}{
		{name: "ap", long: "hybrid coefficient ap at full levels", units: "Pa", half: x.pv[:n]},
		{name: "b", long: "hybrid coefficient b at full levels", units: "1", half: x.pv[n:]},
	}
	for _, level := range x.values {
		if level != float64(int(level)) || level < 1 || int(level) >= n {
			return nil // levels that pv does not describe
		}
		for i := range coefficients {
			c := &coefficients[i]
			above, below := c.half[int(level)-1], c.half[int(level)]
			c.full = append(c.full, (above+below)/2)
			c.bound = append(c.bound, above, below)
		}
	}
	dims, shape := x.extent()
	var vars []*Variable
	for _, c := range coefficients {
		name := a.names.Next(c.name)
		bounds := a.names.Next(name + "_bounds")
		attrs := []Attribute{{cf.AttrLongName, c.long}, {cf.AttrUnits, c.units}, {cf.AttrBounds, bounds}}
		vars = append(vars,
			floatVariable(name, dims, shape, attrs, constantFloats(c.full)),
			floatVariable(bounds, append(slices.Clone(dims), "bounds"), append(slices.Clone(shape), 2), []Attribute{{cf.AttrUnits, c.units}}, constantFloats(c.bound)))
	}
	return vars
}

// formulaTerms names the variables that give the pressure of hybrid levels.
func (a *assembler) formulaTerms(hybrid []*Variable) string {
	terms := "ap: " + hybrid[0].Name + " b: " + hybrid[2].Name
	for _, b := range a.blocks {
		if b.kind.name == "sp" && b.kind.levelType == "surface" {
			return terms + " ps: " + a.blockNames[b]
		}
	}
	return terms
}
