package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// The state of a handle is the meaning of names and the values of variables. Definitions and the
// reading of keys change it through these methods only, so that each change is reported to the
// memoiser.

// find returns the accessor that a plain name means: the accessor that was given the name last.
func (h *Handle) find(name defs.Sym) *accessor {
	if name < 0 {
		return nil
	}
	if h.memo != nil {
		h.memo.lookup(name)
	}
	return h.store[name]
}

// findQualified is find for a "ns.name" in the definitions.
func (h *Handle) findQualified(key string) *accessor {
	if h.memo != nil {
		h.memo.lookup(defs.NoSym)
	}
	name, ns, ok := h.split(key)
	if !ok {
		return nil
	}
	if a := h.store[name]; a != nil && (ns == defs.NoSym || a.has(name, ns)) {
		return a
	}
	a := h.search(&h.root, name, ns)
	h.setName(name, a)
	return a
}

// setName lets a name mean an accessor.
func (h *Handle) setName(name defs.Sym, a *accessor) {
	if h.memo != nil {
		h.memo.setName(name, a)
	}
	h.store[name] = a
}

// variable is the value of a variable key.
func (h *Handle) variable(a *accessor) *variable {
	if a.lazy && h.memo != nil {
		h.memo.variable(a)
	}
	return &a.v
}

// setVariable changes a variable.
func (h *Handle) setVariable(a *accessor, v variable) {
	if h.memo != nil {
		h.memo.setVariable(a, v)
	}
	a.v = v
	h.gen++
}

// setLong sets a transient key as a side effect of reading another key.
func (h *Handle) setLong(key string, v int64) error {
	a := h.find(h.lib.Sym(key))
	if a == nil {
		return ErrNotFound
	}
	if a.v.typ == Long && a.v.i == v {
		return nil
	}
	h.setVariable(a, variable{typ: Long, i: v, f: float64(v)})
	return nil
}

func (h *Handle) setString(key string, s string) error {
	a := h.find(h.lib.Sym(key))
	if a == nil {
		return ErrNotFound
	}
	if a.v.typ == String && a.v.s == s {
		return nil
	}
	h.setVariable(a, variable{typ: String, s: s, f: atof(s)})
	return nil
}

// tables are the code tables of a key. They are looked for when the key is first read, as their
// folder may depend on keys that change later. For another answer they are looked for again, as
// that answer depends on the folder too.
func (h *Handle) tables(a *accessor) *tables {
	if t := a.tab; t != nil && (t.epoch == 0 || t.epoch == h.epoch) {
		return t
	}
	a.tab = h.loadTables(a)
	return a.tab
}
