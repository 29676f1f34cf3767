package keys

import (
	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// An Entry is a key as it is in the message, for dumps.
type Entry struct {
	Name   string
	Type   Type   // Section for a section of the message
	Offset int    // in the message
	Length int    // bytes; 0 for keys that are computed
	Class  string // of the key in the definitions, such as unsigned or codetable
	// Padding is the number of bytes at the end of a section that belong to no
	// key.
	Padding  int
	Dump     bool // one of the keys that describe a message to people
	Hidden   bool
	ReadOnly bool
	// Flags is set for an integer whose bits each have a meaning.
	Flags bool
	// Table is the path of the code table of an integer, or both paths if the
	// centre has its own. It is "" if there is none.
	Table string
	// Meaning is the title, and Units the units in the code table. Known is false
	// if that has no such code.
	Meaning, Units string
	Known          bool

	a *accessor
}

// Value returns the value of an entry as grib_dump shows it. It is the code of a code table
// entry, even where Get gives its abbreviation; the text of a concept, even where that is a
// number; else the value of Get.
func (h *Handle) Value(e Entry) (any, error) {
	if e.a == nil || e.Type == Section {
		return nil, wrap(e.Name, errNoValue)
	}
	q := askValue
	switch e.Class {
	case "codetable":
		q = askLong
	case "optimal_step_units", "concept":
		q = askString
	}
	v, err := h.ask(e.a, q)
	return v, wrap(e.Name, err)
}

// Missing reports whether the value of an entry is coded as missing.
func (h *Handle) Missing(e Entry) bool {
	m, _ := h.ask(e.a, askMissing)
	return as[bool](m)
}

// Count returns the number of values of an entry: 1, or the length of an array.
func (h *Handle) Count(e Entry) (int, error) { return e.a.cls.count(h, e.a) }

// Entries lists the sections of the message and all keys in their order.
func (h *Handle) Entries() []Entry {
	var out []Entry
	h.entries(&h.root, &out)
	return out
}

// Entry returns the entry of a key under one of its names.
func (h *Handle) Entry(key string) (Entry, bool) {
	a := h.lookup(key)
	if a == nil || a.sub != nil {
		return Entry{}, false
	}
	return h.entry(a, key), true
}

// Span returns where a key lies in the message. It has its offset and its length, which is 0 for
// keys that are computed.
func (h *Handle) Span(key string) (offset, length int, ok bool) {
	a := h.lookup(key)
	if a == nil || a.sub != nil {
		return 0, 0, false
	}
	return a.offset, a.length, true
}

func (h *Handle) entries(s *section, out *[]Entry) {
	for a := s.first; a != nil; a = a.nxt {
		if a.sub != nil {
			e := Entry{Name: h.lib.Name(a.act.Name), Offset: a.offset, Length: a.length}
			if isMessageSection(e.Name) {
				e.Type, e.Padding = Section, a.sub.padding
				*out = append(*out, e)
			}
			h.entries(a.sub, out)
			continue
		}
		if a.nnames > 0 && a.act.Kind != defs.When {
			*out = append(*out, h.entry(a, h.lib.Name(a.alias(0).name)))
		}
	}
}

func (h *Handle) entry(a *accessor, name string) Entry {
	t, _ := h.ask(a, askNative)
	e := Entry{Name: name, Type: as[Type](t), Offset: a.offset, Length: a.length, a: a,
		Dump: a.is(defs.Dump), Hidden: a.is(defs.Hidden), ReadOnly: a.is(defs.ReadOnly)}
	switch a.act.Kind {
	case defs.Gen:
		e.Class = h.lib.Ops[a.act.Op]
	case defs.Concept:
		e.Class = "concept"
	}
	switch e.Class {
	case "constant", "codetable_title", "codetable_units", "size", "number_of_coded_values", "g1monthlydate",
		"g1number_of_coded_values_sh_simple", "g1number_of_coded_values_sh_complex":
		e.ReadOnly = true
	}
	h.describe(&e)
	return e
}

// isMessageSection reports whether a name belongs to a section of the WMO
// manual, not to a block of the definitions.
func isMessageSection(name string) bool {
	const prefix = "section_"
	return len(name) == len(prefix)+1 && name[:len(prefix)] == prefix
}

// describe adds the entry of a code table.
func (h *Handle) describe(e *Entry) {
	switch e.a.cls.(type) {
	case codeflagClass:
		e.Flags = true
		if args := e.a.act.Args; len(args) > 0 && args[0].Kind == defs.ExString {
			e.Table, _ = h.recompose(args[0].Str, true)
		}
	case codetableClass:
		h.describeCode(e)
	}
}

func (h *Handle) describeCode(e *Entry) {
	v, err := e.a.cls.long(h, e.a)
	if err != nil || e.a.tab == nil {
		return
	}
	e.Table = h.tablePath(e.a)
	if entry := e.a.tab.lookup(v); entry != nil {
		e.Meaning, e.Units, e.Known = entry.Title, entry.Units, true
	}
}

// tablePath names the files that the code tables of a key come from.
func (h *Handle) tablePath(a *accessor) string {
	master, local := h.tablePaths(a)
	if a.tab.master == nil {
		return local
	}
	if a.tab.local == nil {
		return master
	}
	return master + " , " + local
}
