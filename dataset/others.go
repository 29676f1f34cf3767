package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
)

// Objects of other writers are fields whose axes have the names that package catalog gave them: of several in a group
// that have one name and differ in the length or the labels, all but the first have a number in the name.

// An otherAxis holds the properties that axes of one dimension share.
type otherAxis struct {
	name, labels string
	length       uint64
}

// ofOther sets the kind of an object of another writer.
func (k *kind) ofOther(e mapping.Entry, g *grid) {
	k.grid, k.dims = g, e.Dims(len(k.shape))
	_, base := e.Maps()
	for _, key := range []string{cf.AttrLongName, cf.AttrUnits, cf.AttrStandardName} {
		if text, ok := base[key].(string); ok && text != "" {
			k.said = append(k.said, Attribute{key, text})
		}
	}
}

// otherKey is the part of the key of a kind that only objects of other writers have.
func (k *kind) otherKey() string {
	if k.other == nil {
		return ""
	}
	return fmt.Sprint("|", k.name, k.dims, k.other.Axes, k.other.Auxiliary, k.said)
}

// ofOther returns the grid of objects whose points have the coordinates that frame stands for.
func (s *gridSet) ofOther(frame string) *grid {
	key := "other " + frame
	g := s.byText[key]
	if g == nil {
		g = &grid{number: len(s.byText), text: key}
		s.byText[key] = g
	}
	return g
}

// pointsText is the shape of the points of objects of other writers: 181x360, or 5000.
func (g *grid) pointsText() string {
	var parts []string
	for _, o := range g.coords {
		name := o.Base.Name(nil)
		if name == mapping.AxisLongitude && len(parts) > 0 && o.Base.Dims(len(o.Shape))[0] != name {
			continue // it lies along the axis of the latitudes
		}
		if (name == mapping.AxisLatitude || name == mapping.AxisLongitude) && len(parts) < 2 {
			parts = append(parts, shapeText(o.Shape))
		}
	}
	return strings.Join(parts, "x")
}

// labelled returns the grids with coordinates that another program wrote, in order.
func (s *gridSet) labelled() (list []*grid) {
	for _, g := range s.byText {
		if len(g.coords) > 0 {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *grid) int { return a.number - b.number })
	return list
}

// joinUnframed puts kinds of objects without coordinates into the group of the first grid of other writers'
// objects.
func (s *gridSet) joinUnframed(kinds []*kind) {
	unframed := s.byText["other "]
	if unframed == nil {
		return
	}
	var first *grid
	for text, g := range s.byText {
		if strings.HasPrefix(text, "other ") && (first == nil || g.number < first.number) {
			first = g
		}
	}
	if first == unframed {
		return
	}
	for _, k := range kinds {
		if k.grid == unframed {
			k.grid = first
		}
	}
}

// addOther adds a coordinate that another program wrote.
func (b *builder) addOther(o Object) {
	g := b.maker.grids.ofOther(o.Base.Other().Frame)
	g.coords = append(g.coords, o)
}

// nameOtherAxes names the axes of all objects of the group.
func (a *assembler) nameOtherAxes() {
	for _, b := range a.blocks {
		if o := b.kind.other; o != nil {
			a.nameAxes(b.kind.dims, o.Axes, b.kind.shape)
		}
	}
	for _, o := range a.grid.coords {
		a.nameAxes(o.Base.Dims(len(o.Shape)), o.Base.Other().Axes, o.Shape)
	}
}

func (a *assembler) nameAxes(dims, labels []string, shape []uint64) {
	for i := range dims {
		axis := otherAxis{dims[i], labels[i], shape[i]}
		switch {
		case a.axes[axis] != "":
		case mapping.IsGridCoordinate(dims[i]) && !slices.Contains(slices.Collect(maps.Values(a.axes)), dims[i]):
			a.axes[axis] = dims[i] // the group has claimed the name for it
		default:
			a.axes[axis] = a.names.Next(dims[i])
		}
	}
}

// dimsOf are the names of the last dimensions of a kind.
func (a *assembler) dimsOf(k *kind) []string {
	if k.other == nil {
		return a.grid.dims
	}
	return a.axesOf(k.dims, k.other.Axes, k.shape)
}

func (a *assembler) axesOf(dims, labels []string, shape []uint64) []string {
	names := make([]string, len(dims))
	for i := range dims {
		names[i] = a.axes[otherAxis{dims[i], labels[i], shape[i]}]
	}
	return names
}

// otherCoordinates are the coordinates that other programs wrote, each once, and the levels that metadata list.
func (a *assembler) otherCoordinates() (vars []*Variable) {
	shown := make(map[string]*Object)
	for i := range a.grid.coords {
		o := &a.grid.coords[i]
		other, name := o.Base.Other(), o.Base.Name(nil)
		dims := a.axesOf(o.Base.Dims(len(o.Shape)), other.Axes, o.Shape)
		key := fmt.Sprint(name, dims, o.Shape, o.DType)
		if first := shown[key]; first != nil {
			a.report.hidden(o.Ref, "the same coordinate is shown, "+a.report.locate(first.Ref))
			continue
		}
		shown[key] = o
		axis := len(dims) == 1 && o.Base.Dims(1)[0] == name
		switch {
		case axis:
			name = dims[0]
		case !mapping.IsGridCoordinate(name):
			name = a.names.Next(name)
		}
		v := &Variable{
			Name: name, Dims: dims, Shape: o.Shape, Chunk: array.WholeBlock(o.Shape), DType: o.DType, Coordinate: true, refs: []int32{int32(o.Ref)},
		}
		_, base := o.Base.Maps()
		for _, attr := range []string{cf.AttrStandardName, cf.AttrLongName, cf.AttrUnits, cf.AttrCalendar} {
			if text, ok := base[attr].(string); ok && text != "" {
				v.Attrs = append(v.Attrs, Attribute{attr, text})
			}
		}
		if letter := map[string]string{mapping.AxisLatitude: "Y", mapping.AxisLongitude: "X"}[o.Base.Name(nil)]; axis && letter != "" {
			v.Attrs = append(v.Attrs, Attribute{cf.AttrAxis, letter})
		}
		vars = append(vars, v)
		a.report.shown(o.Ref, v.path(a.path), 0)
	}
	return append(vars, a.listedLevels()...)
}

// listedLevels are the levels that the metadata of objects list along an axis.
func (a *assembler) listedLevels() (vars []*Variable) {
	done := make(map[string]bool)
	for _, b := range a.blocks {
		o := b.kind.other
		if o == nil || o.Labelled == "" {
			continue
		}
		i := slices.Index(b.kind.dims, o.Labelled)
		if i < 0 || done[a.dimsOf(b.kind)[i]] {
			continue
		}
		dim := a.dimsOf(b.kind)[i]
		done[dim] = true
		attrs := levelAttrs(&axis{kind: axisLevel, levelType: b.kind.levelType}, a.grid)
		vars = append(vars, floatVariable(dim, []string{dim}, b.kind.shape[i:i+1], attrs, constantFloats(o.Labels)))
	}
	return vars
}

// auxiliary names the coordinates of the points of objects that are not axes.
func (a *assembler) auxiliary(o *mapping.Other) (names []string) {
	if a.grid.coords != nil {
		return o.Auxiliary
	}
	return nil
}
