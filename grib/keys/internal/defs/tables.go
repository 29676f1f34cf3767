package defs

import (
	"sort"
	"sync"
)

// A TableEntry is one line of a code table.
type TableEntry struct {
	Code                 int32
	Abbrev, Title, Units string
}

// A Table is the content of a code table file, sorted by code.
type Table struct{ entries []*TableEntry }

// Lookup finds a code.
func (t *Table) Lookup(code int64) *TableEntry {
	if t == nil {
		return nil
	}
	i := sort.Search(len(t.entries), func(i int) bool { return int64(t.entries[i].Code) >= code })
	if i < len(t.entries) && int64(t.entries[i].Code) == code {
		return t.entries[i]
	}
	return nil
}

type tableSet struct {
	once    sync.Once
	err     error
	entries []TableEntry
	tables  []Table
	names   map[string]int32
}

// Table returns a code table file, nil if there is none with this path.
func (l *Library) Table(path string) (*Table, error) {
	s := &l.tables
	s.once.Do(func() { s.err = s.open(l) })
	if s.err != nil {
		return nil, s.err
	}
	i, ok := s.names[path]
	if !ok {
		return nil, nil
	}
	return &s.tables[i], nil
}

func (s *tableSet) open(l *Library) error {
	text, err := l.text("tables")
	if err != nil {
		return err
	}
	r := &reader{s: text}
	n := r.count()
	s.entries = make([]TableEntry, n)
	for i := range s.entries {
		s.entries[i] = TableEntry{Code: int32(r.uint()), Abbrev: r.str(), Title: r.str(), Units: r.str()}
	}
	n = r.count()
	s.tables = make([]Table, n)
	for i := range s.tables {
		m := r.count()
		list := make([]*TableEntry, 0, m)
		prev := int64(0)
		for j := 0; j < m && r.err == nil; j++ {
			prev += r.int()
			if prev < 0 || prev >= int64(len(s.entries)) {
				r.fail()
				break
			}
			list = append(list, &s.entries[prev])
		}
		s.tables[i].entries = list
	}
	n = r.count()
	s.names = make(map[string]int32, n)
	prev := ""
	for i := 0; i < n && r.err == nil; i++ {
		shared := int(r.uint())
		if shared > len(prev) {
			r.fail()
			break
		}
		name := prev[:shared] + r.str()
		id := r.uint()
		if id >= uint64(len(s.tables)) {
			r.fail()
			break
		}
		s.names[name] = int32(id)
		prev = name
	}
	return r.err
}

// Code finds the code of an abbreviation.
func (t *Table) Code(abbrev string) (int64, bool) {
	if t == nil {
		return 0, false
	}
	for _, e := range t.entries {
		if e.Abbrev == abbrev {
			return int64(e.Code), true
		}
	}
	return 0, false
}
