package dataset

import (
	"slices"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/nameset"
)

// An assembler makes the variables of a group of fields on one grid.
type assembler struct {
	opts       *Options
	report     *Report
	grid       *grid
	path       string
	blocks     []*block
	plan       *axisPlan
	names      *nameset.Set
	vars       []*Variable
	blockNames map[*block]string
	validity   map[*block]*validity // of blocks that have a time and a step
	extra      map[string]*Variable // bounds, by the variable they belong to
	axes       map[otherAxis]string // of objects of other writers: the names of their axes
	words      *wordSet
}

func newAssembler(path string, g *grid, blocks []*block, m *fieldMaker, report *Report) *assembler {
	names, opts := nameset.New(), m.opts
	for _, dim := range g.dims {
		names.Claim(dim)
	}
	for _, name := range []string{"latitude", "longitude", crsName, "bounds"} {
		names.Claim(name)
	}
	a := &assembler{
		opts: opts, report: report, grid: g, path: path, blocks: blocks, names: names, words: m.words,
		extra: make(map[string]*Variable), axes: make(map[otherAxis]string),
	}
	a.nameOtherAxes()
	a.plan = newAxisPlan(blocks, m.levels, opts, names)
	return a
}

func (a *assembler) group() *Group {
	names := nameBlocks(a.blocks, a.names, a.opts)
	a.blockNames = names
	gridVars, auxiliary := a.grid.variables()
	if crs := a.grid.crs(); crs != nil {
		gridVars = append(gridVars, crs)
	}
	a.validity = a.validities()
	var fields []*Variable
	for _, b := range a.blocks {
		fields = append(fields, a.variable(b, names[b], auxiliary))
	}
	for _, x := range a.plan.axes {
		variables := a.axisVariables(x)
		variables[slices.IndexFunc(variables, func(v *Variable) bool { return v.Name == x.name })].levelType = x.levelType
		a.vars = append(a.vars, variables...)
	}
	g := &Group{Name: a.path, Attrs: groupAttrs(a.blocks, a.grid), ofFields: true}
	g.Variables = slices.Concat(fields, a.vars, a.otherCoordinates(), gridVars)
	return g
}

// variable makes the array of a block.
func (a *assembler) variable(b *block, name string, auxiliary []string) *Variable {
	v := &Variable{Name: name, DType: b.kind.dtype}
	var leading []*axis
	var coordinates []string
	for kind := range numAxes {
		switch x := a.plan.of[b][kind]; {
		case x == nil:
		case x.scalar:
			coordinates = append(coordinates, x.name)
		default:
			leading = append(leading, x)
			v.Dims = append(v.Dims, x.name)
			v.Shape = append(v.Shape, uint64(len(x.values)))
			v.Chunk = append(v.Chunk, 1)
		}
	}
	v.Dims = append(v.Dims, a.dimsOf(b.kind)...)
	v.Shape = append(v.Shape, b.kind.shape...)
	for _, n := range b.kind.shape {
		v.Chunk = append(v.Chunk, max(1, n))
	}
	v.refs = a.refs(b, leading, v.path(a.path))
	coordinates = append(coordinates, a.timeVariables(b)...)
	coordinates = append(coordinates, auxiliary...)
	if b.kind.other != nil {
		coordinates = append(coordinates, a.along(b)...)
		coordinates = append(coordinates, a.auxiliary(b.kind.other)...)
	}
	v.Attrs = fieldAttrs(b.kind, a.grid, b.tells, coordinates, a.stepName(b), a.opts.alongRows(b.kind, v.refs))
	return v
}

func (v *Variable) path(group string) string {
	if group == "" {
		return v.Name
	}
	return group + "/" + v.Name
}

// refs places the fields of a block along its axes.
func (a *assembler) refs(b *block, leading []*axis, path string) []int32 {
	n := 1
	for _, x := range leading {
		n *= len(x.values)
	}
	refs := make([]int32, n)
	for i := range refs {
		refs[i] = -1
	}
	chunks := make([]int, len(b.fields))
	for _, x := range leading {
		place := b.numbers.place(x.keys)
		for i := range b.fields {
			chunks[i] = chunks[i]*len(x.values) + int(place[b.fields[i].at[x.kind]])
		}
	}
	for i, at := range chunks {
		refs[at] = b.fields[i].ref
		a.report.shown(int(refs[at]), path, at)
	}
	return refs
}

// stepName is the name of the step axis of a block, for cell_methods.
func (a *assembler) stepName(b *block) string {
	for _, kind := range []axisKind{axisStep, axisTime} {
		if x := a.plan.of[b][kind]; x != nil {
			return x.name
		}
	}
	return "time"
}

// timeVariables returns the names of the time of validity and the bounds of the steps of a block. It makes
// them unless another block has the same.
func (a *assembler) timeVariables(b *block) (names []string) {
	step := a.plan.of[b][axisStep]
	if v := a.validity[b]; v != nil {
		if v.variable == nil {
			v.variable = a.validTime(v)
			a.vars = append(a.vars, v.variable)
		}
		names = append(names, v.variable.Name)
	}
	if step != nil && b.kind.window != absent && b.kind.window != 0 {
		key := "bounds " + step.name + " " + durationText(b.kind.window)
		if a.extra[key] == nil {
			a.add(key, a.stepBounds(b, step))
		}
		names = append(names, a.extra[key].Name)
	}
	return names
}

func (a *assembler) add(key string, v *Variable) {
	a.extra[key] = v
	a.vars = append(a.vars, v)
}

// extent gives the dimension of an axis, none if it is scalar.
func (x *axis) extent() (dims []string, shape []uint64) {
	if x.scalar {
		return nil, nil
	}
	return []string{x.name}, []uint64{uint64(len(x.values))}
}

// stepBounds are the beginnings and ends of the windows of a statistic.
func (a *assembler) stepBounds(b *block, step *axis) *Variable {
	starts := make(map[float64]float64)
	for _, f := range b.fields {
		starts[b.numbers.values[f.at[axisStep]]] = b.numbers.values[f.start]
	}
	var values []float64
	for _, end := range step.values {
		start, ok := starts[end]
		switch {
		case ok:
		case b.kind.window == fromStart:
			start = 0
		default:
			start = end - b.kind.window
		}
		values = append(values, start, end)
	}
	name := step.name + "_bounds"
	if !a.names.Claim(name) {
		if b.kind.window > 0 {
			name += "_" + durationText(b.kind.window)
		}
		name = a.names.Next(name)
	}
	dims, shape := step.extent()
	return intVariable(name, append(dims, "bounds"), append(shape, 2), durationUnits(values), values)
}

// axisVariables are the coordinate of an axis and its bounds.
func (a *assembler) axisVariables(x *axis) []*Variable {
	dims, shape := x.extent()
	if x.kind < axisNumber {
		return []*Variable{a.keyVariable(x.name, dims, shape, x.values)}
	}
	attrs := axisAttrs(x, a.grid, a.opts)
	switch x.kind {
	case axisNumber, axisTime, axisStep, axisVersion:
		if !slices.ContainsFunc(x.values, func(v float64) bool { return v != float64(int64(v)) }) {
			return []*Variable{intVariable(x.name, dims, shape, attrs, x.values)}
		}
	}
	if x.layers == nil {
		hybrid := a.hybridVariables(x)
		if hybrid != nil {
			attrs = append(attrs, Attribute{cf.AttrFormulaTerms, a.formulaTerms(hybrid)})
		}
		return append(hybrid, floatVariable(x.name, dims, shape, attrs, constantFloats(x.values)))
	}
	var bounds []float64
	for _, l := range x.layers {
		bounds = append(bounds, l.bounds()...)
	}
	name := a.names.Next(x.name + "_bounds")
	attrs = append(attrs, Attribute{cf.AttrBounds, name})
	return []*Variable{
		floatVariable(x.name, dims, shape, attrs, constantFloats(x.values)),
		floatVariable(name, append(slices.Clone(dims), "bounds"), append(slices.Clone(shape), 2), nil, constantFloats(bounds)),
	}
}
