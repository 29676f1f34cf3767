package tgm

import (
	"maps"
	"reflect"
)

// A Completer knows what follows from the keys of a base entry, so that a writer need not write it
// beside them. A File that has one gives complete entries. It must be safe for concurrent use.
type Completer interface {
	// Needs lists the keys of an entry, each with the members of its map, that Complete reads.
	Needs() map[string][]string
	// Complete adds to an entry those keys and members that follow from others and are wanted; nil
	// wants all. What the entry has goes before what follows. extra gives the metadata of the
	// message. It returns false if it needs more of the entry than Needs lists.
	Complete(entry map[string]any, wanted *Selection, extra func() map[string]any) bool
	// Unshare returns the part of a map that an entry of earlier versions refers to which the entry
	// does not say itself, or an error if the map cannot be that of the entry.
	Unshare(entry, shared map[string]any, extra func() map[string]any) (map[string]any, error)
	// Check returns an error if what follows from an entry cannot be read, or if the map that it
	// refers to, which may be nil, says something else.
	Check(entry, shared map[string]any, extra func() map[string]any) error
}

// WithCompleter sets what gives base entries the keys that follow from others.
func WithCompleter(c Completer) Option { return func(o *options) { o.completer = c } }

// completed gives a stored entry what follows from it. The entry is changed.
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

// Reduced returns an entry, which is Base with changes, without what follows from it: the form to
// write in place of StoredBase. A key that would follow and is not in the entry is null there.
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
			reduced[key] = nil // it stays removed
		}
	}
	if !reflect.DeepEqual(o.msg.completed(maps.Clone(reduced)), entry) {
		reduced = maps.Clone(entry) // what it follows from was changed
	}
	for key := range o.msg.completed(maps.Clone(reduced)) {
		if _, there := entry[key]; !there {
			reduced[key] = nil
		}
	}
	return reduced
}
