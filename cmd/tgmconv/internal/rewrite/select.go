package rewrite

import (
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A Selection is the objects for which all clauses hold.
type Selection struct {
	Clauses mapping.Clauses
	Asked   *mapping.Asked // records which keys the clauses asked for; may be nil
}

// Objects yields the selected objects of a message.
func (s Selection) Objects(m *catalog.Message) iter.Seq2[catalog.Object, error] {
	return m.Select(s.Clauses, s.Asked)
}

// Matches reports whether the selection chooses an object.
func (s Selection) Matches(o catalog.Object) bool {
	return len(s.Clauses) == 0 || o.Known().Match(s.Clauses, s.Asked)
}

// Items returns the items that copy objects to a message, with their metadata.
func Items(objects iter.Seq2[catalog.Object, error]) iter.Seq2[edit.Item, error] {
	return func(yield func(edit.Item, error) bool) {
		for o, err := range objects {
			item := edit.Item{Object: o.Object}
			if err == nil {
				item.File = o.Message.File
			}
			if !yield(item, err) || err != nil {
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
			if !yield(edit.Item{Object: o, File: r.File()}, err) || err != nil {
				return
			}
		}
	}
}

// A Group is the selected objects of a message that go to one output.
type Group struct {
	Output  string
	Whole   bool // all objects of the message are in the group
	refs    []catalog.Ref
	sources map[string]bool // of the objects
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
		known := o.Known()
		name := template.Expand(func(key string) (string, bool) { return show.Known(known, key) })
		g := byName[name]
		if g == nil {
			g = &Group{Output: name, sources: make(map[string]bool)}
			byName[name] = g
			groups = append(groups, g)
		}
		g.refs = append(g.refs, o.Ref())
		g.sources[mapping.Read(o.Base()).Source()] = true
	}
	for _, g := range groups {
		g.Whole = len(g.refs) == n
	}
	return groups, nil
}

// NumberedName returns the name of the output of one object. The template's [index] becomes index,
// in four digits.
func NumberedName(template edit.Template, o catalog.Object, index int) string {
	known := o.Known()
	return template.Expand(func(key string) (string, bool) {
		if key == "index" {
			return fmt.Sprintf("%04d", index), true
		}
		return show.Known(known, key)
	})
}
