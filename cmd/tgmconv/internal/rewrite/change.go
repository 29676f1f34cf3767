package rewrite

import (
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A Changed is a message with changed metadata.
type Changed struct {
	Items iter.Seq2[edit.Item, error]
	Extra map[string]any // the metadata of the message as a whole
}

// Change applies changes to a message and to those of its objects that are selected. It returns nil
// if no object is selected.
func (s Selection) Change(m *catalog.Message, changes []edit.Change) (*Changed, error) {
	chosen := map[int]bool{}
	for o, err := range s.Objects(m) {
		if err != nil {
			return nil, err
		}
		chosen[o.Index()] = true
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	n, err := m.NumObjects()
	if err == nil {
		err = checkObjects(m, n, changes)
	}
	if err != nil {
		return nil, err
	}
	extra, err := edit.Apply(m.Shared.Extra, changes, true)
	if err != nil {
		return nil, err
	}
	items := func(yield func(edit.Item, error) bool) {
		for item, err := range edit.Items(m.Message) {
			if err == nil && chosen[item.Object.Index()] {
				item.Base, err = changed(item.Object, changes)
			}
			if err == nil {
				item.Params, err = edit.ApplyDescriptor(item.Object.Descriptor().Params, changes, item.Object.Index())
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
	return &Changed{items, extra}, nil
}

// changed returns the metadata of an object with changes, as they are to be written.
func changed(o *tgm.Object, changes []edit.Change) (map[string]any, error) {
	base, err := edit.Apply(o.Base(), changes, false)
	if err != nil {
		return nil, err
	}
	return o.Reduced(base), nil
}

// checkObjects returns an error for a change to an object that a message of n objects does not
// have.
func checkObjects(m *catalog.Message, n int, changes []edit.Change) error {
	for _, c := range changes {
		if c.Descriptor && c.Object >= n {
			return fmt.Errorf("message %d has %d objects, expected one with number %d", m.Index(), n, c.Object)
		}
	}
	return nil
}
