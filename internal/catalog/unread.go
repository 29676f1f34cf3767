package catalog

import (
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
	"github.com/tgmconv/tgmconv/tgm"
)

// An unread is an object with only its metadata at first. The rest is read on demand: at an address
// each object takes a request.
type unread struct {
	message *Message
	index   int
	base    map[string]any // as they are stored
	object  *tgm.Object    // nil until it is read
	err     error          // the first one of reading more
}

// matches reports whether clauses hold for the object.
func (e *unread) matches(clauses mapping.Clauses, asked *mapping.Asked) (bool, error) {
	if len(clauses) == 0 {
		return true, nil
	}
	if e.base, e.err = e.message.StoredBase(e.index); e.err != nil {
		return false, e.err
	}
	matches := e.known().Match(clauses, asked)
	return matches, e.err
}

// read returns the object.
func (e *unread) read() (*tgm.Object, error) {
	if e.object == nil && e.err == nil {
		if e.base == nil {
			e.base, e.err = e.message.StoredBase(e.index)
		}
		if e.err == nil {
			e.object, e.err = e.message.reader.ObjectWith(e.message.Message, e.index, e.base)
		}
	}
	return e.object, e.err
}

// stored is the metadata of the object and its message as they are stored.
func (e *unread) stored() mapping.Entry { return mapping.ReadIn(e.message.Shared.Extra, e.base) }

// described is the metadata of the object with the number of its parameter, which may follow from the sections.
func (e *unread) described() mapping.Entry {
	known := e.stored()
	if _, there := mars.ParamOf(known); there || known.MARS()["param"] == nil {
		return known
	}
	base, err := e.choose(parameter)
	if err != nil {
		return known
	}
	return mapping.ReadIn(e.message.Shared.Extra, base)
}

// choose is the selected part of the metadata with the keys that follow from them.
func (e *unread) choose(s *tgm.Selection) (map[string]any, error) {
	if e.object != nil {
		return e.object.Select(s)
	}
	return e.message.SelectBase(e.index, s)
}

// parameter is an entry with the number of the parameter.
var parameter = &tgm.Selection{
	Members: map[string]map[string]tgm.Want{mapping.KeyReproduction: {keyParamID: tgm.WantDecoded}}, Others: tgm.WantDecoded,
}

// known is the description of the object for clauses.
func (e *unread) known() *mapping.Known {
	stored := e.stored()
	k := &mapping.Known{
		Entry: stored, Lookup: e.lookup, Label: func() mapping.Label { return mars.LabelOf(e.described()) },
		Place: &mapping.Place{File: e.message.File, Message: e.message.Index(), Object: e.index},
		Array: func() mapping.ArrayKeys {
			o, err := e.read()
			if err != nil {
				return mapping.ArrayKeys{}
			}
			return arrayOf(o, stored)
		},
		Stored: func(key string) (any, bool) {
			o, err := e.read()
			if err != nil {
				return nil, false
			}
			return storedAs(o, key)
		},
		Coded: e.message.coded.Coded(stored), Changeable: true,
	}
	if stored.MARS() != nil {
		mars.NameParam(k, e.described)
	}
	return k
}

// lookup looks for a key in the metadata of the object. Most are found in the stored metadata, which
// takes less time than the derived ones.
func (e *unread) lookup(key string) (any, bool) {
	first, rest, isPath := strings.Cut(key, ".")
	implied := first == mapping.KeyGeometry || first == mapping.KeyReproduction
	if implied && !isPath {
		return e.lookupAll(key)
	}
	if !implied {
		if value, ok := mapping.Read(e.base).Lookup(key); ok {
			return value, true
		}
		rest = key
	}
	wanted := &tgm.Selection{Keys: map[string]tgm.Want{mapping.KeyGeometry: tgm.WantDecoded}}
	if first != mapping.KeyGeometry {
		member, _, _ := strings.Cut(rest, ".")
		wanted = &tgm.Selection{Members: map[string]map[string]tgm.Want{mapping.KeyReproduction: {member: tgm.WantDecoded}}}
	}
	base, err := e.choose(wanted)
	if err != nil {
		return nil, false
	}
	return mapping.Read(base).Lookup(key)
}

// lookupAll looks for a key in all metadata of the object.
func (e *unread) lookupAll(key string) (any, bool) {
	var base map[string]any
	if e.object != nil {
		base = e.object.Base()
	} else if base, e.err = e.message.BaseEntry(e.index); e.err != nil {
		return nil, false
	}
	return mapping.Read(base).Lookup(key)
}
