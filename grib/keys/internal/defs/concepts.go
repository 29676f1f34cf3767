package defs

import (
	"fmt"
	"path"
	"slices"
	"sync"
)

// A ConceptTable is the content of one concept file, in file order, with an
// index over the integer conditions that most of its entries have. For the
// parameter tables of GRIB 2 these are discipline, parameterCategory and
// parameterNumber, for GRIB 1 table2Version and indicatorOfParameter.
type ConceptTable struct {
	Entries []TableConcept
	// Keys are the indexed condition keys. Entries that have all of them are
	// found through Candidates, the others are in Rest.
	Keys  []Sym
	index map[uint64][]int32
	rest  []int32
}

// A TableConcept is one entry of a concept table.
type TableConcept struct {
	Value string
	Conds []Cond
}

// Rest lists the entries that are not indexed, in order.
func (t *ConceptTable) Rest() []int32 { return t.rest }

// Candidates lists in order the indexed entries that may hold when the keys
// have the given values.
func (t *ConceptTable) Candidates(values []int64) []int32 { return t.index[hashValues(values)] }

func hashValues(v []int64) uint64 {
	h := uint64(1469598103934665603)
	for _, x := range v {
		h = (h ^ uint64(x)) * 1099511628211
		h ^= h >> 29
	}
	return h
}

type conceptSlot struct {
	once   sync.Once
	err    error
	tables map[string]*ConceptTable
}

// Concept returns the concept table of a file such as "grib2/paramId.def", nil
// if there is no such file.
func (l *Library) Concept(file string) (*ConceptTable, error) {
	dir, base := path.Split(file)
	if _, ok := l.parts["concepts/"+dir]; !ok {
		return nil, nil
	}
	v, ok := l.concepts.Load(dir)
	if !ok {
		v, _ = l.concepts.LoadOrStore(dir, &conceptSlot{})
	}
	s := v.(*conceptSlot)
	s.once.Do(func() { s.err = s.open(l, dir) })
	if s.err != nil {
		return nil, s.err
	}
	return s.tables[base], nil
}

// open decodes the concept part of a folder: values, conditions, lists of
// conditions, then per file the pairs (value, list).
func (s *conceptSlot) open(l *Library, dir string) error {
	text, err := l.text("concepts/" + dir)
	if err != nil {
		return err
	}
	r := &reader{s: text}
	values := make([]string, r.count())
	for i := range values {
		values[i] = r.str()
	}
	conds := make([]Cond, r.count())
	for i := range conds {
		conds[i] = r.cond()
	}
	lists := make([][]Cond, r.count())
	for i := range lists {
		n := r.count()
		list := make([]Cond, 0, n)
		for ; n > 0 && r.err == nil; n-- {
			c := r.uint()
			if c >= uint64(len(conds)) {
				r.fail()
				break
			}
			list = append(list, conds[c])
		}
		lists[i] = list
	}
	s.tables = map[string]*ConceptTable{}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		name := r.str()
		m := r.count()
		t := &ConceptTable{Entries: make([]TableConcept, 0, m)}
		v, c := int64(0), int64(0)
		for ; m > 0 && r.err == nil; m-- {
			v, c = v+r.int(), c+r.int()
			if v < 0 || v >= int64(len(values)) || c < 0 || c >= int64(len(lists)) {
				return fmt.Errorf("compiled definitions: concept %s%s is damaged", dir, name)
			}
			t.Entries = append(t.Entries, TableConcept{values[v], lists[c]})
		}
		t.buildIndex()
		s.tables[name] = t
	}
	return r.err
}

// NewConceptTable makes a table of entries written in place.
func NewConceptTable(list []ConceptEntry) *ConceptTable {
	t := &ConceptTable{}
	for _, e := range list {
		t.Entries = append(t.Entries, TableConcept(e))
	}
	t.buildIndex()
	return t
}

const (
	minIndexed = 24 // smaller tables are scanned
	maxKeys    = 3
)

func (t *ConceptTable) buildIndex() {
	if len(t.Entries) >= minIndexed {
		t.Keys = t.chooseKeys()
	}
	if len(t.Keys) == 0 {
		t.rest = make([]int32, len(t.Entries))
		for i := range t.rest {
			t.rest[i] = int32(i)
		}
		return
	}
	t.index = make(map[uint64][]int32, len(t.Entries)/2)
	vals := make([]int64, len(t.Keys))
	for i := range t.Entries {
		if !t.Entries[i].keyValues(t.Keys, vals) {
			t.rest = append(t.rest, int32(i))
			continue
		}
		h := hashValues(vals)
		t.index[h] = append(t.index[h], int32(i))
	}
}

// keyValues fills in the constants that an entry wants for the keys.
func (e *TableConcept) keyValues(keys []Sym, vals []int64) bool {
	for i, k := range keys {
		found := false
		for j := range e.Conds {
			if c := &e.Conds[j]; c.Key == k && c.Kind == ExInt {
				vals[i], found = c.Int, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// chooseKeys picks the integer conditions that at least two thirds of the
// entries share.
func (t *ConceptTable) chooseKeys() []Sym {
	count := map[Sym]int{}
	for i := range t.Entries {
		seen := map[Sym]bool{}
		for j := range t.Entries[i].Conds {
			if c := &t.Entries[i].Conds[j]; c.Kind == ExInt && !seen[c.Key] {
				seen[c.Key] = true
				count[c.Key]++
			}
		}
	}
	var order []Sym
	for k := range count {
		order = append(order, k)
	}
	slices.SortFunc(order, func(a, b Sym) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return int(a - b)
	})
	var keys []Sym
	vals := make([]int64, maxKeys)
	for _, k := range order {
		if len(keys) == maxKeys || count[k]*3 < len(t.Entries)*2 {
			break
		}
		try := append(slices.Clone(keys), k)
		n := 0
		for i := range t.Entries {
			if t.Entries[i].keyValues(try, vals) {
				n++
			}
		}
		if n*3 >= len(t.Entries)*2 {
			keys = try
		}
	}
	return keys
}
