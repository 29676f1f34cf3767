package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// A Condition is an integer that a key must have.
type Condition struct {
	Key   string
	Value int64
}

// Meanings lists the combinations of keys that a value of a concept, such as shortName, stands
// for. They are combinations of the centre of h; with one of them all conditions hold. Conditions
// that are not integers are left out. It returns nil for keys that are no concepts, and for values
// they do not have.
func (h *Handle) Meanings(key, value string) [][]Condition {
	a := h.lookup(key)
	if a == nil || a.sub != nil || a.act.Kind != defs.Concept {
		return nil
	}
	var found [][]Condition
	for _, conds := range h.combinations(a, value) {
		list := make([]Condition, 0, len(conds))
		for _, c := range conds {
			if c.Kind == defs.ExInt {
				list = append(list, Condition{h.lib.Name(c.Key), c.Int})
			}
		}
		found = append(found, list)
	}
	return found
}
