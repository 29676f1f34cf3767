package rewrite

import (
	"iter"
	"maps"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A Chooser chooses objects of messages that can be read twice, and with them the objects that they
// need: coordinates, bounds, grid mappings and ancillary variables; latitudes and longitudes of a
// grid. First Add takes all messages, then Groups, Objects or Outputs gives the chosen objects.
type Chooser struct {
	// Selection chooses objects.
	Selection
	// Output names the output of an object that is chosen. The objects that it needs go there as
	// well. Nil is one output.
	Output func(catalog.Object) string

	belongings cf.Belongings
	objects    []chooserObject
	messages   []int // the number of the first object of each message, and of the end
	next       int   // the message that Groups or Objects is asked for
	outputs    []string
	numbers    map[string]int
	chosen     [][]int // objects by output
	complete   bool
}

// A chooserObject keeps only the place of an object.
type chooserObject struct {
	ref     catalog.Ref
	source  string
	outputs []int
}

// Add adds a message.
func (c *Chooser) Add(m *catalog.Message) error {
	c.messages = append(c.messages, len(c.objects))
	for object, err := range m.Select(nil, nil) {
		if err != nil {
			return err
		}
		e := mapping.ReadIn(m.Shared.Extra, object.Base())
		var record mapping.Opt[uint64]
		record.Value, record.Known = e.RecordIndex()
		i := c.belongings.Add(e, m.File, m.Index(), len(object.Descriptor().Shape), record)
		c.objects = append(c.objects, chooserObject{ref: object.Ref(), source: e.Source()})
		if !c.Matches(object) {
			continue
		}
		output := ""
		if c.Output != nil {
			output = c.Output(object)
		}
		n, known := c.numbers[output]
		if !known {
			if c.numbers == nil {
				c.numbers = make(map[string]int)
			}
			n = len(c.outputs)
			c.numbers[output] = n
			c.outputs, c.chosen = append(c.outputs, output), append(c.chosen, nil)
		}
		c.chosen[n] = append(c.chosen[n], i)
	}
	return nil
}

// finish finds the objects that the chosen ones need.
func (c *Chooser) finish() {
	if c.complete {
		return
	}
	c.complete = true
	c.messages = append(c.messages, len(c.objects))
	for n, chosen := range c.chosen {
		c.chosen[n] = c.belongings.With(chosen)
		for _, i := range c.chosen[n] {
			c.objects[i].outputs = append(c.objects[i].outputs, n)
		}
	}
}

// Groups divides the objects of the next message by output. Groups are in the order of their first
// objects.
func (c *Chooser) Groups() []*Group {
	c.finish()
	first, end := c.messages[c.next], c.messages[c.next+1]
	c.next++
	byOutput := make(map[int]*Group)
	var groups []*Group
	for i := first; i < end; i++ {
		o := &c.objects[i]
		for _, n := range o.outputs {
			g := byOutput[n]
			if g == nil {
				g = &Group{Output: c.outputs[n], sources: make(map[string]bool)}
				byOutput[n] = g
				groups = append(groups, g)
			}
			g.refs = append(g.refs, o.ref)
			g.sources[o.source] = true
		}
	}
	for _, g := range groups {
		g.Whole = len(g.refs) == end-first
	}
	return groups
}

// Objects yields the objects of the next message, which is m, that go to some output.
func (c *Chooser) Objects(m *catalog.Message) iter.Seq2[catalog.Object, error] {
	c.finish()
	first := c.messages[c.next]
	c.next++
	return func(yield func(catalog.Object, error) bool) {
		for o, err := range m.Select(nil, nil) {
			if err == nil && len(c.objects[first+o.Index()].outputs) == 0 {
				continue
			}
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// Sources are the sources of all chosen objects.
func (c *Chooser) Sources() map[string]bool {
	c.finish()
	sources := make(map[string]bool)
	for _, o := range c.objects {
		if len(o.outputs) > 0 {
			sources[o.source] = true
		}
	}
	return sources
}

// Outputs yields all objects of each output, in the order in which the outputs were first named.
func (c *Chooser) Outputs() iter.Seq[*Group] {
	c.finish()
	return func(yield func(*Group) bool) {
		for n, name := range c.outputs {
			g := &Group{Output: name, sources: make(map[string]bool)}
			for _, i := range c.chosen[n] {
				g.refs = append(g.refs, c.objects[i].ref)
				g.sources[c.objects[i].source] = true
			}
			if !yield(g) {
				return
			}
		}
	}
}

// Extra returns the metadata of a message as the message of the group has them: metadata of other netCDF
// files are left out.
func (g *Group) Extra(extra map[string]any) map[string]any {
	return mapping.OfSources(extra, g.sources)
}

// JoinedExtra returns the metadata of all messages that have an object of the group. Of different
// values of a key it has the first.
func (g *Group) JoinedExtra() (map[string]any, error) {
	extra, last := make(map[string]any), -1
	for _, r := range g.refs {
		m, err := r.Message()
		if err != nil {
			return nil, err
		}
		if m.Index() == last {
			continue
		}
		last = m.Index()
		shared, err := m.SharedMetadata()
		if err != nil {
			return nil, err
		}
		if err := edit.JoinExtra(extra, maps.Clone(g.Extra(shared.Extra)), edit.First); err != nil {
			return nil, err
		}
	}
	return extra, nil
}

// Message returns the message that has exactly the objects of the group, nil if there is none.
func (g *Group) Message() (*tgm.Message, error) {
	var first *tgm.Message
	for _, r := range g.refs {
		m, err := r.Message()
		if err != nil {
			return nil, err
		}
		if first != nil && m.Index() != first.Index() {
			return nil, nil
		}
		first = m
	}
	if first == nil {
		return nil, nil
	}
	if n, err := first.NumObjects(); err != nil || n != len(g.refs) {
		return nil, err
	}
	return first, nil
}
