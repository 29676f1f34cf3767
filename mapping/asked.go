package mapping

import (
	"slices"
	"sync"
)

// Asked records which keys were asked for, whether any object had them, and whether any object
// matched all clauses. The user can then be warned of misspelt keys and values. The zero value is
// ready to use. It may be used by several goroutines.
type Asked struct {
	mu      sync.Mutex
	found   map[string]bool
	matched bool
}

// None reports whether objects were asked, and no object matched all clauses.
func (a *Asked) None() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.found) > 0 && !a.matched
}

// noteMatch records that an object matched all clauses.
func (a *Asked) noteMatch() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.matched = true
}

// Note records that a key was asked for, and whether it was found.
func (a *Asked) Note(key string, found bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found == nil {
		a.found = make(map[string]bool)
	}
	a.found[key] = a.found[key] || found
}

// Unknown returns the keys that were asked for and not found, in order.
func (a *Asked) Unknown() (keys []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, found := range a.found {
		if !found {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
