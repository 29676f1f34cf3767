package rewrite

import (
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping/where"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A Selection is the objects for which all clauses hold.
type Selection struct {
	Clauses where.Clauses
	Asked   *where.Asked // records which keys the clauses asked for; may be nil
}

// Objects yields the selected objects of a message.
func (s Selection) Objects(m *catalog.Message) iter.Seq2[catalog.Object, error] {
	return m.Select(s.Clauses, s.Asked)
}

// Items returns the items that copy objects to a message, with their metadata.
func Items(objects iter.Seq2[catalog.Object, error]) iter.Seq2[edit.Item, error] {
	return func(yield func(edit.Item, error) bool) {
		for o, err := range objects {
			if !yield(edit.Item{Object: o.Object}, err) || err != nil {
				return
			}
		}
	}
}

// reread are objects that were met before, read again one at a time.
func reread(refs []catalog.Ref) iter.Seq2[edit.Item, error] {
	return func(yield func(edit.Item, error) bool) {
		for _, r := range refs {
			o, err := r.Open()
			if !yield(edit.Item{Object: o}, err) || err != nil {
				return
			}
		}
	}
}

// A Group is the selected objects of a message that go to one output.
type Group struct {
	Output string
	Whole  bool // all objects of the message are in the group
	refs   []catalog.Ref
}

// Items reads the objects of the group again.
func (g *Group) Items() iter.Seq2[edit.Item, error] { return reread(g.refs) }

// Groups divides the selected objects of a message by output: the template with the values of each
// object's keys. Groups are in the order of their first objects. A message without objects is one
// group if there are no clauses and no keys.
func (s Selection) Groups(m *catalog.Message, template edit.Template) ([]*Group, error) {
	n, err := m.NumObjects()
	if err != nil {
		return nil, err
	}
	if n == 0 && len(s.Clauses) == 0 && len(template.Keys()) == 0 {
		return []*Group{{Output: template.Expand(nil), Whole: true}}, nil
	}
	var groups []*Group
	byName := map[string]*Group{}
	for o, err := range s.Objects(m) {
		if err != nil {
			return nil, err
		}
		name := template.Expand(func(key string) (string, bool) { return show.Value(o, key) })
		g := byName[name]
		if g == nil {
			g = &Group{Output: name}
			byName[name] = g
			groups = append(groups, g)
		}
		g.refs = append(g.refs, o.Ref())
	}
	for _, g := range groups {
		g.Whole = len(g.refs) == n
	}
	return groups, nil
}

// NumberedName returns the name of the output of one object. The template's [index] becomes index,
// in four digits.
func NumberedName(template edit.Template, o catalog.Object, index int) string {
	return template.Expand(func(key string) (string, bool) {
		if key == "index" {
			return fmt.Sprintf("%04d", index), true
		}
		return show.Value(o, key)
	})
}
