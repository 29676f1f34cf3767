package keys

import (
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// conceptClass is a key whose value is found by conditions on other keys, such
// as paramId. Of all entries whose conditions hold the entry with most
// conditions counts, of several such the last.
type conceptClass struct{ genClass }

// A conceptMemo is the value of a concept as of one generation of the handle.
type conceptMemo struct {
	gen   uint64
	value string
	ok    bool
}

type condMemo struct {
	gen uint64
	v   int64
	err error
}

func (conceptClass) init(_ *Handle, a *accessor) error { return nil }

func (conceptClass) native(_ *Handle, a *accessor) Type {
	if a.is(defs.LongType) {
		return Long
	}
	return String
}

func (conceptClass) long(h *Handle, a *accessor) (int64, error) {
	s, ok := h.concept(a)
	if !ok {
		if a.act.DefaultKey != defs.NoSym {
			return h.getLong(a.act.DefaultKey)
		}
		return 0, ErrNotFound
	}
	return atol(s), nil
}

func (conceptClass) double(h *Handle, a *accessor) (float64, error) {
	if a.is(defs.LongType) {
		v, err := a.cls.long(h, a)
		return float64(v), err
	}
	if a.is(defs.DoubleType) {
		s, ok := h.concept(a)
		if !ok {
			if a.act.DefaultKey != defs.NoSym {
				return h.getDouble(a.act.DefaultKey)
			}
			return 0, ErrNotFound
		}
		return atof(s), nil
	}
	return 0, nil
}

func (conceptClass) str(h *Handle, a *accessor) (string, error) {
	s, ok := h.concept(a)
	if !ok {
		if a.act.DefaultKey != defs.NoSym {
			return h.getString(a.act.DefaultKey)
		}
		return "", ErrNotFound
	}
	return s, nil
}

func (conceptClass) missing(*Handle, *accessor) bool { return false }

// concept evaluates a concept, ok is false if no entry holds.
func (h *Handle) concept(a *accessor) (string, bool) {
	if m, ok := h.concepts[a]; ok && m.gen == h.gen {
		return m.value, m.ok
	}
	gen := h.gen
	value, ok := h.evaluateConcept(a)
	if h.gen == gen {
		h.concepts[a] = conceptMemo{gen, value, ok}
	}
	return value, ok
}

func (h *Handle) evaluateConcept(a *accessor) (string, bool) {
	act := a.act
	if len(act.Inline) > 0 {
		v, ok := h.eng.inline.Load(act)
		if !ok {
			v, _ = h.eng.inline.LoadOrStore(act, defs.NewConceptTable(act.Inline))
		}
		best, _ := h.bestEntry(v.(*defs.ConceptTable), 0)
		if best == nil {
			return "", false
		}
		return best.Value, true
	}
	master, _ := h.getString(act.MasterDir)
	base := act.Path
	if s, err := h.getString(h.lib.Sym(base)); err == nil {
		base = s // the file may be named by a key
	}
	var best *defs.TableConcept
	match := 0
	if act.LocalDir != defs.NoSym {
		if local, err := h.getString(act.LocalDir); err == nil || local != "" {
			best, match = h.bestIn(local+"/"+base, nil, 0)
		}
	}
	best, _ = h.bestIn(master+"/"+base, best, match)
	if best == nil {
		return "", false
	}
	return best.Value, true
}

func (h *Handle) bestIn(path string, best *defs.TableConcept, match int) (*defs.TableConcept, int) {
	path, err := h.recompose(path, false)
	if err != nil {
		return best, match
	}
	t, err := h.lib.Concept(path)
	if err != nil || t == nil {
		return best, match
	}
	if e, n := h.bestEntry(t, match); e != nil {
		return e, n
	}
	return best, match
}

// bestEntry returns the last entry with the most true conditions, if it has at
// least match of them.
func (h *Handle) bestEntry(t *defs.ConceptTable, match int) (*defs.TableConcept, int) {
	var best *defs.TableConcept
	consider := func(i int32) {
		e := &t.Entries[i]
		if n, ok := h.holds(e.Conds); ok && n >= match {
			best, match = e, n
		}
	}
	index := t.Index()
	cand, rest := h.candidates(index), index.Rest
	for len(cand) > 0 || len(rest) > 0 {
		if len(rest) == 0 || len(cand) > 0 && cand[0] < rest[0] {
			consider(cand[0])
			cand = cand[1:]
		} else {
			consider(rest[0])
			rest = rest[1:]
		}
	}
	return best, match
}

func (h *Handle) candidates(x *defs.ConceptIndex) []int32 {
	if len(x.Keys) == 0 {
		return nil
	}
	var vals [4]int64
	for i, k := range x.Keys {
		v, err := h.condLong(k)
		if err != nil {
			return nil
		}
		vals[i] = v
	}
	return x.Candidates(vals[:len(x.Keys)])
}

// condLong reads an integer key once per generation.
func (h *Handle) condLong(k defs.Sym) (int64, error) {
	if m, ok := h.conds[k]; ok && m.gen == h.gen {
		return m.v, m.err
	}
	gen := h.gen
	v, err := h.getLong(k)
	if gen == h.gen {
		h.conds[k] = condMemo{gen, v, err}
	}
	return v, err
}

// holds tests conditions and counts them; a list counts by its elements.
func (h *Handle) holds(conds []defs.Cond) (int, bool) {
	n := 0
	for i := range conds {
		c := &conds[i]
		k := 1
		switch {
		case c.Kind == defs.ExInt:
			v, err := h.condLong(c.Key)
			if err != nil || v != c.Int {
				return 0, false
			}
		case c.Kind == defs.ExFloat:
			v, err := h.getDouble(c.Key)
			if err != nil || v != c.Flt {
				return 0, false
			}
		case c.Kind == defs.ExString:
			v, err := h.getString(c.Key)
			if err != nil || v != c.Str {
				return 0, false
			}
		case c.Expr != nil:
			if !h.exprHolds(c) {
				return 0, false
			}
		default:
			size, err := h.getSize(c.Key)
			if err != nil || size != len(c.Ints) {
				return 0, false
			}
			v, err := h.getLongs(c.Key)
			if err != nil || !slices.Equal(v, c.Ints) {
				return 0, false
			}
			k = size
		}
		if k == 0 {
			return 0, false
		}
		n += k
	}
	return n, true
}

func (h *Handle) exprHolds(c *defs.Cond) bool {
	switch h.exprType(c.Expr) {
	case Long:
		want, _ := h.exprLong(c.Expr)
		v, err := h.condLong(c.Key)
		return err == nil && v == want
	case Double:
		want, _ := h.exprDouble(c.Expr)
		v, err := h.getDouble(c.Key)
		return err == nil && v == want
	case String:
		v, err := h.getString(c.Key)
		if err != nil {
			return false
		}
		want, err := h.exprString(c.Expr)
		return err == nil && v == want
	}
	return false
}
