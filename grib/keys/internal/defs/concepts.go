package defs

import (
	"fmt"
	"path"
	"sync"
)

// A ConceptTable is the content of one concept file, in file order.
type ConceptTable struct {
	Entries []TableConcept

	once  sync.Once
	index *ConceptIndex
}

// A TableConcept is one entry of a concept table.
type TableConcept struct {
	Value string
	Conds []Cond
}

// Index returns the index of the table, which is made when it is first asked for. Most tables of a
// folder are not. It may be used by several goroutines.
func (t *ConceptTable) Index() *ConceptIndex {
	t.once.Do(func() { t.index = newIndex(t.Entries) })
	return t.index
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
	return t
}
