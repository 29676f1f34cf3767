package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/tgm"
)

// A chooser takes positions along axes of a dataset by their labels.
type chooser struct {
	d         *Dataset
	arrays    Arrays
	selectors []Selector
	known     map[*Variable]*labels
	found     map[string]map[*Variable][]match // by selector and coordinate: of each of its items
	hits      map[string]bool                  // which items some coordinate has
	seen      map[string][]string              // by selector: the labels that there are
	places    map[[2]*Variable]*chosenPlaces
}

// choose takes the positions that selectors choose. Variables that have none of the labels along an
// axis are left out; variables without the axis are whole.
func (d *Dataset) choose(selectors []Selector, arrays Arrays) error {
	if len(selectors) == 0 {
		return nil
	}
	c := &chooser{
		d: d, arrays: arrays, selectors: selectors, known: make(map[*Variable]*labels), found: make(map[string]map[*Variable][]match),
		hits: make(map[string]bool), seen: make(map[string][]string), places: make(map[[2]*Variable]*chosenPlaces),
	}
	chosen := make([]*chosenGroup, len(d.Groups))
	for i, g := range d.Groups {
		var err error
		if chosen[i], err = c.group(g); err != nil {
			return err
		}
	}
	if err := c.missed(); err != nil {
		return err
	}
	before, left := d.hasData(), 0
	for i, g := range d.Groups {
		if err := chosen[i].apply(c, g); err != nil {
			return err
		}
		left += len(chosen[i].out)
	}
	if before && !d.hasData() {
		return errors.New("nothing has all the labels of --sel at once")
	}
	if left > 0 {
		d.prune(func(v *Variable, _ string) bool { return !v.Coordinate })
	}
	return nil
}

// hasData reports whether there are variables that are not coordinates.
func (d *Dataset) hasData() bool {
	return slices.ContainsFunc(d.Groups, func(g *Group) bool {
		return slices.ContainsFunc(g.Variables, func(v *Variable) bool { return !v.Coordinate })
	})
}

// missed is an error about a key that no variable has, or a label.
func (c *chooser) missed() error {
	for i := range c.selectors {
		s := &c.selectors[i]
		if c.seen[s.String()] == nil {
			return fmt.Errorf("--sel %s: no variable has an axis %s; there are %s", s, s.Key, c.axes())
		}
		for _, item := range s.Items {
			if !c.hits[s.String()+"|"+item] {
				return fmt.Errorf("--sel %s: no variable has the label %s; there are %s", s, item, strings.Join(c.seen[s.String()], "; "))
			}
		}
	}
	return nil
}

// axes names the coordinates that can be chosen from.
func (c *chooser) axes() string {
	names := make(map[string]bool)
	for _, g := range c.d.Groups {
		for _, v := range g.Variables {
			if v.Coordinate && v.labelsOneAxis() && v.Name != crsName {
				names[v.Name] = true
			}
			for _, dim := range v.shownDims() {
				names[dim] = true
			}
		}
	}
	return someOf(slices.Sorted(maps.Keys(names)))
}

// A chosenGroup is the selection within a group.
type chosenGroup struct {
	at    map[string][]uint64              // positions along dimensions
	shift map[*Variable]map[uint64]float64 // see match
	out   map[*Variable]bool               // variables that have none of some labels
}

// restrict chooses positions along a dimension among the positions chosen before.
func (g *chosenGroup) restrict(dim string, at []uint64) {
	if before, ok := g.at[dim]; ok && !slices.Equal(before, at) {
		both := make(map[uint64]bool, len(at))
		for _, p := range at {
			both[p] = true
		}
		at = slices.DeleteFunc(slices.Clone(before), func(p uint64) bool { return !both[p] })
	}
	g.at[dim] = at
}

// group chooses of the variables of a group.
func (c *chooser) group(g *Group) (*chosenGroup, error) {
	chosen := &chosenGroup{make(map[string][]uint64), make(map[*Variable]map[uint64]float64), make(map[*Variable]bool)}
	for _, v := range g.Variables {
		placed, err := c.byPlace(g, v, chosen)
		if err != nil {
			return nil, err
		}
		for i := range c.selectors {
			s := &c.selectors[i]
			if m := meaningOf(s.Key); placed && (m == meansLatitude || m == meansLongitude) {
				continue
			}
			dim, coordinate, path := c.axisOf(g, v, s.Key)
			if dim == "" && coordinate == nil {
				continue
			}
			matches, err := c.matches(s, v, dim, coordinate, path)
			if err != nil {
				return nil, err
			}
			var at []uint64
			for _, m := range matches {
				at = append(at, m.at...)
			}
			if len(matches) > 1 || len(matches) == 1 && len(matches[0].shift) == 0 && !isWrapped(at) {
				slices.Sort(at)
				at = slices.Compact(at)
			} else if len(matches) == 1 && coordinate != nil {
				chosen.shift[coordinate] = matches[0].shift
			}
			if len(at) == 0 {
				chosen.out[v] = true
			} else if dim != "" {
				chosen.restrict(dim, at)
			}
		}
	}
	return chosen, nil
}

// isWrapped reports whether positions are not in the order of the axis.
func isWrapped(at []uint64) bool { return !slices.IsSorted(at) }

// axisOf finds the axis of a variable that a key means: its dimension, or a scalar coordinate, with
// the coordinate that labels it if there is one.
func (c *chooser) axisOf(g *Group, v *Variable, key string) (dim string, coordinate *Variable, path string) {
	names := slices.Clone(v.shownDims())
	text, _ := v.Attr(cf.AttrCoordinates).(string)
	names = append(names, strings.Fields(text)...)
	means := meaningOf(key)
	for _, exact := range []bool{true, false} {
		if !exact && c.isName(g, key) {
			break
		}
		for i, name := range names {
			found, of := c.d.inScope(g, name)
			isDim := i < len(v.shownDims())
			switch {
			case found == nil && isDim && exact && name == key:
				return name, nil, ""
			case found == nil, exact && found.Name != key, !exact && !found.means(means):
				continue
			}
			switch dims := found.shownDims(); {
			case len(dims) == 0:
				return "", found, found.path(of.Name)
			case len(dims) == 1 && slices.Contains(v.Dims, dims[0]):
				return dims[0], found, found.path(of.Name)
			}
		}
	}
	return "", nil, ""
}

// isName reports whether a group has a dimension or coordinate with the name of a key. The key then stands
// for no other.
func (c *chooser) isName(g *Group, key string) bool {
	return slices.ContainsFunc(g.Variables, func(v *Variable) bool { return slices.Contains(v.Dims, key) || v.Coordinate && v.Name == key })
}

// means reports whether the coordinate has the meaning that a key asks for. A time of validity
// counts as the time of variables without another.
func (v *Variable) means(m meaning) bool {
	own := v.meaning()
	return own != meansNothing && (own == m || m == meansTime && own == meansValidTime)
}

// matches are the positions of the items of a selector along an axis.
func (c *chooser) matches(s *Selector, v *Variable, dim string, coordinate *Variable, path string) ([]match, error) {
	of := coordinate
	if of == nil { // numbered by its positions
		of = v
	}
	if known, ok := c.found[s.String()][of]; ok {
		return known, nil
	}
	l, name := c.known[of], dim
	var err error
	switch {
	case coordinate == nil:
		l = &labels{isIndex: true}
		for i := range v.Shape[slices.Index(v.Dims, dim)] {
			l.numbers = append(l.numbers, float64(i))
		}
	case l == nil:
		if l, err = c.d.labelsOf(coordinate, path, c.arrays); err != nil {
			return nil, fmt.Errorf("the labels of %s: %w", path, err)
		}
		c.known[of] = l
	}
	if coordinate != nil {
		name = coordinate.Name
	}
	var list []match
	for _, item := range s.Items {
		m, err := l.find(item)
		if err != nil {
			return nil, fmt.Errorf("--sel %s: %w; %s has %s", s, err, name, l.list())
		}
		if len(m.at) > 0 {
			c.hits[s.String()+"|"+item] = true
		}
		list = append(list, m)
	}
	if c.found[s.String()] == nil {
		c.found[s.String()] = make(map[*Variable][]match)
	}
	c.found[s.String()][of] = list
	c.note(s, name+" "+l.list())
	return list, nil
}

// note notes labels that there are.
func (c *chooser) note(s *Selector, text string) {
	if !slices.Contains(c.seen[s.String()], text) {
		c.seen[s.String()] = append(c.seen[s.String()], text)
	}
}

// apply reduces the variables of a group to the selection.
func (chosen *chosenGroup) apply(c *chooser, g *Group) error {
	moved := make(map[string]map[uint64]float64) // by the name of the variable
	for v, shift := range chosen.shift {
		if len(shift) > 0 {
			moved[v.Name] = shift
			if bounds, _ := v.Attr(cf.AttrBounds).(string); bounds != "" {
				moved[bounds] = shift
			}
		}
	}
	var list []*Variable
	for _, v := range g.Variables {
		at, empty := make([][]uint64, len(v.Dims)), chosen.out[v]
		for i, dim := range v.Dims {
			if positions, ok := chosen.at[dim]; ok && v.Shape[i] > 0 {
				at[i] = positions
				empty = empty || len(positions) == 0
				if isAll(positions, v.Shape[i]) {
					at[i] = nil
				}
			}
		}
		if empty {
			chosen.out[v] = true
			continue
		}
		part := c.d.take(v, at)
		if shift := moved[v.Name]; shift != nil && len(v.Dims) > 0 {
			var err error
			if part, err = c.shifted(v.path(g.Name), part, chosen.at[v.Dims[0]], shift); err != nil {
				return err
			}
		}
		list = append(list, part)
	}
	g.Variables = list
	return nil
}

// shifted is a coordinate, or its bounds, with numbers added to its values at positions.
func (c *chooser) shifted(path string, part *Variable, at []uint64, shift map[uint64]float64) (*Variable, error) {
	numbers, _, err := c.d.Select(path).Floats(context.Background(), c.arrays)
	if err != nil {
		return nil, err
	}
	each := 1
	for _, n := range part.Shape[1:] {
		each *= int(n)
	}
	values := make([]float64, 0, len(at)*each)
	for _, p := range at {
		for k := range each {
			values = append(values, numbers[int(p)*each+k]+shift[p])
		}
	}
	moved := floatVariable(part.Name, part.Dims, part.Shape, part.Attrs, constantFloats(values))
	moved.Coordinate, moved.DType = part.Coordinate, tgm.Float64
	moved.Attrs = slices.DeleteFunc(slices.Clone(part.Attrs), func(a Attribute) bool {
		return slices.Contains([]string{cf.AttrScaleFactor, cf.AttrAddOffset, cf.AttrFillValue, cf.AttrMissingValue, "valid_min", "valid_max", "valid_range", "actual_range"}, a.Key)
	})
	return moved, nil
}
