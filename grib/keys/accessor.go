package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// An accessor is one key of a message: where it lies, its names, and the class
// that reads it. It is ecCodes' object of that name.
type accessor struct {
	act *defs.Action
	cls class
	up  *section  // the section it is part of
	sub *section  // the section it owns, for blocks
	nxt *accessor // next in the same section

	// same is the accessor of this name that came before. Together they are the
	// elements of an array (list blocks repeat their keys).
	same *accessor

	names  [2]alias // all names, the first is its own
	more   []alias
	nnames int

	offset, length int
	flags          defs.Flags
	seq            int32 // how many were made before it, and 1
	changed        int32 // how many were made when it was last changed
	lazy           bool  // a variable whose first value is not part of the layout, see initials
	touched        bool  // its variable has changed since the start

	v   variable // constants, transients and virtual coded keys
	tab *tables  // code tables, once looked for

	results *results // answers that were given for other messages
}

// An alias is a name with the namespace it is listed in.
type alias struct{ name, ns defs.Sym }

// A variable is a value that is not coded in the message.
type variable struct {
	typ     Type
	f       float64
	i       int64
	s       string
	missing bool
}

func (a *accessor) alias(i int) alias {
	if i < len(a.names) {
		return a.names[i]
	}
	return a.more[i-len(a.names)]
}

func (a *accessor) setAlias(i int, al alias) {
	if i < len(a.names) {
		a.names[i] = al
		return
	}
	a.more[i-len(a.names)] = al
}

func (a *accessor) addAlias(al alias) {
	if a.nnames < len(a.names) {
		a.names[a.nnames] = al
	} else {
		a.more = append(a.more[:a.nnames-len(a.names)], al)
	}
	a.nnames++
}

func (a *accessor) removeAlias(i int) {
	for ; i+1 < a.nnames; i++ {
		a.setAlias(i, a.alias(i+1))
	}
	a.nnames--
}

// has reports whether the accessor has a name, in a namespace unless ns is
// NoSym.
func (a *accessor) has(name, ns defs.Sym) bool {
	for i := 0; i < a.nnames; i++ {
		al := a.alias(i)
		if al.name == name && (ns == defs.NoSym || al.ns == ns) {
			return true
		}
	}
	return false
}

// inNamespace returns the first name within a namespace.
func (a *accessor) inNamespace(ns defs.Sym) (defs.Sym, bool) {
	for i := 0; i < a.nnames; i++ {
		if al := a.alias(i); al.ns == ns {
			return al.name, true
		}
	}
	return defs.NoSym, false
}

func (a *accessor) is(f defs.Flags) bool { return a.flags&f != 0 }

// A section is a list of accessors: the message, a template, an if block.
type section struct {
	owner       *accessor // nil for the message
	first, last *accessor
	lengthKey   *accessor // the key that says how long the section is
	padding     int
}

func (s *section) push(a *accessor) {
	if s.first == nil {
		s.first = a
	} else {
		s.last.nxt = a
	}
	s.last = a
}

// previous finds the accessor before a in its section.
func (s *section) previous(a *accessor) *accessor {
	for p := s.first; p != nil; p = p.nxt {
		if p.nxt == a {
			return p
		}
	}
	return nil
}
