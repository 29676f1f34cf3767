// Package nameset hands out names, each once.
package nameset

import "fmt"

// A Set is the names that are taken.
type Set struct {
	taken map[string]bool
	last  map[string]int // the number that was tried last behind a name
}

// New returns a set of no names.
func New() *Set { return &Set{make(map[string]bool), make(map[string]int)} }

// Claim takes a name, and reports false if it is taken already.
func (s *Set) Claim(name string) bool {
	if s.taken[name] {
		return false
	}
	s.taken[name] = true
	return true
}

// Next takes name, or the first of name_1, name_2, … that is free. A name never becomes free
// again, so the search starts at the number after the last one used.
func (s *Set) Next(name string) string {
	free := name
	for !s.Claim(free) {
		s.last[name]++
		free = fmt.Sprintf("%s_%d", name, s.last[name])
	}
	return free
}
