package defs

import "slices"

// A ConceptIndex finds the entries of a concept table by the integer
// conditions that most of them have. For the parameter tables of GRIB 2 these
// are discipline, parameterCategory and parameterNumber, for GRIB 1
// table2Version and indicatorOfParameter.
type ConceptIndex struct {
	// Keys are the indexed condition keys. Entries that have all of these keys are
	// found through Candidates, the others are in Rest.
	Keys []Sym
	// Rest lists the entries that are not indexed, in order.
	Rest []int32

	groups  map[uint64]int32 // by the hash of the values
	ends    []int32          // of the groups, in members
	members []int32          // entries, in order
}

const (
	minIndexed = 24 // smaller tables are scanned
	maxKeys    = 3
)

// Candidates lists in order the indexed entries that may hold when the keys
// have the given values.
func (x *ConceptIndex) Candidates(values []int64) []int32 {
	g, ok := x.groups[hashValues(values)]
	if !ok {
		return nil
	}
	from := int32(0)
	if g > 0 {
		from = x.ends[g-1]
	}
	return x.members[from:x.ends[g]]
}

func hashValues(v []int64) uint64 {
	h := uint64(1469598103934665603)
	for _, x := range v {
		h = (h ^ uint64(x)) * 1099511628211
		h ^= h >> 29
	}
	return h
}

func newIndex(entries []TableConcept) *ConceptIndex {
	x := &ConceptIndex{}
	if len(entries) >= minIndexed {
		x.Keys = chooseKeys(entries)
	}
	if len(x.Keys) == 0 {
		x.Rest = make([]int32, len(entries))
		for i := range x.Rest {
			x.Rest[i] = int32(i)
		}
		return x
	}
	groupOf := x.group(entries)
	end := int32(0)
	for g, n := range x.ends { // here ends are numbers of members, and become where groups begin
		x.ends[g] = end
		end += n
	}
	x.members = make([]int32, end)
	for i, g := range groupOf {
		if g >= 0 {
			x.members[x.ends[g]] = int32(i)
			x.ends[g]++
		}
	}
	return x
}

// group finds the groups and Rest. It returns the group of each entry, -1 for
// entries of Rest, and leaves the number of members of each group in ends.
func (x *ConceptIndex) group(entries []TableConcept) []int32 {
	x.groups = make(map[uint64]int32, len(entries)/2)
	groupOf := make([]int32, len(entries))
	vals := make([]int64, len(x.Keys))
	for i := range entries {
		if !entries[i].keyValues(x.Keys, vals) {
			x.Rest = append(x.Rest, int32(i))
			groupOf[i] = -1
			continue
		}
		h := hashValues(vals)
		g, ok := x.groups[h]
		if !ok {
			g = int32(len(x.ends))
			x.groups[h] = g
			x.ends = append(x.ends, 0)
		}
		x.ends[g]++
		groupOf[i] = g
	}
	return groupOf
}

// keyValues fills in the constants that an entry wants for the keys.
func (e *TableConcept) keyValues(keys []Sym, vals []int64) bool {
	for i, k := range keys {
		j := e.integer(k)
		if j < 0 {
			return false
		}
		vals[i] = e.Conds[j].Int
	}
	return true
}

// integer returns the index of the first integer condition on a key, -1 if
// there is none.
func (e *TableConcept) integer(k Sym) int {
	for j := range e.Conds {
		if c := &e.Conds[j]; c.Key == k && c.Kind == ExInt {
			return j
		}
	}
	return -1
}

// chooseKeys picks integer conditions shared by two thirds of the entries or
// more.
func chooseKeys(entries []TableConcept) []Sym {
	count := integerConditions(entries)
	var order []Sym
	for k, n := range count {
		if n*3 >= len(entries)*2 {
			order = append(order, Sym(k))
		}
	}
	slices.SortStableFunc(order, func(a, b Sym) int { return count[b] - count[a] })
	var keys []Sym
	vals := make([]int64, maxKeys)
	for _, k := range order {
		if len(keys) == maxKeys {
			break
		}
		try := append(slices.Clone(keys), k)
		n := 0
		for i := range entries {
			if entries[i].keyValues(try, vals) {
				n++
			}
		}
		if n*3 >= len(entries)*2 {
			keys = try
		}
	}
	return keys
}

// integerConditions returns, by key, how many entries have an integer
// condition on it.
func integerConditions(entries []TableConcept) []int {
	var count []int
	for i := range entries {
		e := &entries[i]
		for j := range e.Conds {
			c := &e.Conds[j]
			if c.Kind != ExInt || c.Key < 0 || e.integer(c.Key) != j {
				continue
			}
			for int(c.Key) >= len(count) {
				count = append(count, 0)
			}
			count[c.Key]++
		}
	}
	return count
}
