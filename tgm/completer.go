package tgm

import (
	"maps"
	"reflect"
)

// A Completer derives keys of a base entry from its other keys. A writer then need not write the
// derived keys. A File with a Completer gives complete entries. It must be safe for concurrent
// use.
type Completer interface {
	// Needs lists the keys of an entry, each with the members of its map, that Complete reads.
	Needs() map[string][]string
	// Complete adds the derived keys and members that are wanted to an entry; nil wants all. Keys
	// of the entry take precedence over derived keys. extra gives the metadata of the message. It
	// returns false if it needs more of the entry than Needs lists.
	Complete(entry map[string]any, wanted *Selection, extra func() map[string]any) bool
	// Unshare returns the members of a shared map that an entry does not have itself. Entries of
	// earlier versions refer to such maps. It is an error if the map cannot belong to the entry.
	Unshare(entry, shared map[string]any, extra func() map[string]any) (map[string]any, error)
	// Check returns an error if the derived keys of an entry cannot be read. It also does if the
	// map that the entry refers to, which may be nil, contradicts them.
	Check(entry, shared map[string]any, extra func() map[string]any) error
}

// WithCompleter sets the Completer that gives base entries their derived keys.
func WithCompleter(c Completer) Option { return func(o *options) { o.completer = c } }

// completed adds the derived keys to a stored entry. The entry is changed.
func (m *Message) completed(entry map[string]any) map[string]any {
	if m.completer == nil {
		return entry
	}
	m.completer.Complete(entry, nil, m.extraOf)
	return entry
}

// extraOf returns the metadata of the message as far as they can be read.
func (m *Message) extraOf() map[string]any {
	m.mu.Lock()
	l := m.layout
	m.mu.Unlock()
	if l == nil {
		return nil
	}
	return l.extra(l.from(m.src))
}

// Reduced returns an entry, which is Base with changes, without its derived keys. Write it in
// place of StoredBase. A key that would be derived and is not in the entry is null there.
func (o *Object) Reduced(entry map[string]any) map[string]any {
	if o.base == nil || o.msg.completer == nil {
		return entry
	}
	reduced, full := maps.Clone(entry), o.Base()
	for key, value := range full {
		stored, isStored := o.base[key]
		if now, there := entry[key]; !there || !reflect.DeepEqual(now, value) || reflect.DeepEqual(stored, value) {
			continue
		}
		if delete(reduced, key); isStored {
			reduced[key] = stored // a part of a map
		}
	}
	for key, stored := range o.base {
		if _, there := entry[key]; !there && stored == nil {
			reduced[key] = nil // the key stays removed
		}
	}
	if !reflect.DeepEqual(o.msg.completed(maps.Clone(reduced)), entry) {
		reduced = maps.Clone(entry) // a key was changed that others are derived from
	}
	for key := range o.msg.completed(maps.Clone(reduced)) {
		if _, there := entry[key]; !there {
			reduced[key] = nil
		}
	}
	return reduced
}
