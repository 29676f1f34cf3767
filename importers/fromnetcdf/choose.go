package fromnetcdf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// CheckPattern returns an error if a pattern of Options.Variables or Options.Groups is malformed.
func CheckPattern(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is not a pattern", pattern)
	}
	return nil
}

// chooses reports whether the options choose among the variables of a file.
func (o *Options) chooses() bool {
	return len(o.Variables) > 0 || len(o.Groups) > 0 || len(o.Where) > 0
}

// choice is the variables of a file that were asked for, and the variables that they need.
type choice struct {
	file   *file
	parent map[*netcdf.Group]*netcdf.Group
	of     map[*netcdf.Var]*netcdf.Group
	named  map[nameIn]*netcdf.Var
	taken  map[*netcdf.Var]bool
	asked  int // for, and not needed by another
}

// choose finds the variables to convert; nil means all.
func (f *file) choose() *choice {
	opts := &f.source.opts
	if !opts.chooses() {
		return nil
	}
	c := newChoice(f)
	clauses, _ := f.clauses()
	known := newKnower(f, f.Name, c)
	c.each(f.nc.Root(), func(g *netcdf.Group, v *netcdf.Var) {
		if opts.named(v) && opts.inGroup(g) && (len(clauses) == 0 || known.of(v).Match(clauses, &f.source.asked)) {
			c.asked++
			c.take(v)
		}
	})
	return c
}

// nameIn is the name of a variable in a group.
type nameIn struct {
	group *netcdf.Group
	name  string
}

// newChoice is a choice of nothing.
func newChoice(f *file) *choice {
	c := &choice{file: f, parent: map[*netcdf.Group]*netcdf.Group{}, of: map[*netcdf.Var]*netcdf.Group{}, named: map[nameIn]*netcdf.Var{}, taken: map[*netcdf.Var]bool{}}
	c.enter(f.nc.Root())
	return c
}

// enter notes where the variables below g are.
func (c *choice) enter(g *netcdf.Group) {
	for _, v := range g.Vars {
		c.of[v] = g
		if at := (nameIn{g, v.Name}); c.named[at] == nil {
			c.named[at] = v
		}
	}
	for _, sub := range g.Groups {
		c.parent[sub] = g
		c.enter(sub)
	}
}

func (c *choice) each(g *netcdf.Group, do func(*netcdf.Group, *netcdf.Var)) {
	for _, v := range g.Vars {
		do(g, v)
	}
	for _, sub := range g.Groups {
		c.each(sub, do)
	}
}

// named reports whether a pattern is of the variable: of its name, or of its path if there is a
// slash in the pattern.
func (o *Options) named(v *netcdf.Var) bool {
	if len(o.Variables) == 0 {
		return true
	}
	path := pathOf(v)
	return slices.ContainsFunc(o.Variables, func(pattern string) bool {
		if !strings.Contains(pattern, "/") {
			return pattern == text(v.Name) || doublestar.MatchUnvalidated(pattern, text(v.Name))
		}
		pattern = strings.TrimPrefix(pattern, "/")
		return pattern == path || doublestar.MatchUnvalidated(pattern, path)
	})
}

// inGroup reports whether a pattern is of the path of the group, or of one around it.
func (o *Options) inGroup(g *netcdf.Group) bool {
	if len(o.Groups) == 0 {
		return true
	}
	path := strings.Trim(text(g.Path), "/")
	return slices.ContainsFunc(o.Groups, func(pattern string) bool {
		pattern = strings.Trim(pattern, "/")
		return pattern == path || strings.HasPrefix(path, pattern+"/") || pattern == "" ||
			doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path)
	})
}

// clauses divides Options.Where into clauses about variables and about records.
func (f *file) clauses() (variables, records mapping.Clauses) {
	for _, c := range f.source.opts.Where {
		if f.record != nil && (c.Key == mapping.KeyValidTime || c.Key == text(f.record.Name)) {
			records = append(records, c)
		} else {
			variables = append(variables, c)
		}
	}
	return variables, records
}

// take takes a variable and the variables that it needs.
func (c *choice) take(v *netcdf.Var) {
	if c.taken[v] {
		return
	}
	c.taken[v] = true
	for _, other := range c.belongings(v) {
		c.take(other)
	}
}

// belongings are the variables without which a variable is not understood: its coordinates, their
// bounds, its grid mapping, and the counts and indices of ragged arrays.
func (c *choice) belongings(v *netcdf.Var) (list []*netcdf.Var) {
	add := func(other *netcdf.Var) {
		if other != nil && other != v {
			list = append(list, other)
		}
	}
	for _, d := range v.Dims {
		add(c.find(v, d.Name))
		for _, other := range c.of[v].Vars {
			if cf.Ragged(attrWords(other), d.Name) {
				add(other)
			}
		}
	}
	for _, name := range cf.Needs(attrWords(v)) {
		add(c.find(v, name))
	}
	return list
}

// attrWords returns the words of an attribute that is text, "" if it is none.
func attrWords(v *netcdf.Var) func(attr string) string {
	return func(attr string) string { return strings.Join(words(v, attr), " ") }
}

// words are the words of an attribute that is text.
func words(v *netcdf.Var, attr string) []string {
	a := v.Attr(attr)
	if a == nil {
		return nil
	}
	switch s := a.Value.(type) {
	case string:
		return strings.Fields(text(s))
	case []string:
		return strings.Fields(text(strings.Join(s, " ")))
	}
	return nil
}

// find is the variable that v calls by a name: in its group, or the nearest one around it; or
// anywhere by a path.
func (c *choice) find(v *netcdf.Var, name string) *netcdf.Var {
	g := c.of[v]
	if strings.HasPrefix(name, "/") {
		g = c.file.nc.Root()
	}
	parts := strings.Split(strings.Trim(name, "/"), "/")
	for ; g != nil; g = c.parent[g] {
		in := g
		for _, part := range parts[:len(parts)-1] {
			if in = subgroup(in, part); in == nil {
				break
			}
		}
		if in == nil {
			continue
		}
		if found := c.named[nameIn{in, parts[len(parts)-1]}]; found != nil {
			return found
		}
	}
	return nil
}

func subgroup(g *netcdf.Group, name string) *netcdf.Group {
	for _, sub := range g.Groups {
		if sub.Name == name {
			return sub
		}
	}
	return nil
}
