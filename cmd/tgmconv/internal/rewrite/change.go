package rewrite

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/tgmconv/tgmconv/internal/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// A Changed is a message with changed metadata.
type Changed struct {
	Items iter.Seq2[edit.Item, error]
	Extra map[string]any // the metadata of the message as a whole
}

// Changes are changes of any number of messages. Changes of descriptors note whether they changed
// anything.
type Changes struct {
	List      []edit.Change
	effective map[int]bool // by their numbers
}

// Idle returns an error for a change of a descriptor that changed nothing.
func (cs *Changes) Idle() error {
	for i, c := range cs.List {
		if c.Descriptor && !cs.effective[i] {
			return fmt.Errorf("objects.%d.%s changes nothing: no object %d is selected, or all of them have the value already", c.Object, strings.Join(c.Path, "."), c.Object)
		}
	}
	return nil
}

// descriptor returns the parameters of the descriptor of an object with changes, or nil if there are none.
func (cs *Changes) descriptor(o *tgm.Object) (changed map[string]any, err error) {
	before := o.Descriptor().Params
	for i := range cs.List {
		after, err := edit.ApplyDescriptor(before, cs.List[i:i+1], o.Index())
		if err != nil {
			return nil, err
		}
		if after == nil {
			continue
		}
		same, err := equalCBOR(before, after)
		if err != nil {
			return nil, err
		}
		if !same {
			if cs.effective == nil {
				cs.effective = make(map[int]bool)
			}
			cs.effective[i], changed, before = true, after, after
		}
	}
	return changed, nil
}

// equalCBOR reports whether maps are written as the same bytes.
func equalCBOR(a, b map[string]any) (bool, error) {
	first, err := mapping.MarshalCBOR(a)
	if err != nil {
		return false, err
	}
	second, err := mapping.MarshalCBOR(b)
	return bytes.Equal(first, second), err
}

// Change applies changes to a message and to its selected objects. It returns nil if no object is
// selected.
func (s Selection) Change(m *catalog.Message, changes *Changes) (*Changed, error) {
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
		err = checkObjects(m, n, changes.List)
	}
	if err != nil {
		return nil, err
	}
	extra, err := edit.Apply(m.Shared.Extra, changes.List, true)
	if err != nil {
		return nil, err
	}
	items := func(yield func(edit.Item, error) bool) {
		for item, err := range edit.Items(m.Message) {
			if err == nil && chosen[item.Object.Index()] {
				if item.Base, err = changed(item.Object, changes.List); err == nil {
					item.Params, err = changes.descriptor(item.Object)
				}
			}
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
	return &Changed{items, extra}, nil
}

// changed returns the metadata of an object with changes, for writing.
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
