package keys

import (
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// A List is a list of keys that are read together, see [Handle.Derive].
type List struct {
	space string
	names []string // nil for a namespace

	once    sync.Once
	symbols []defs.Sym // of names, as far as ecCodes knows them
}

// KeysNamed lists keys by their plain names.
func KeysNamed(names ...string) *List { return &List{names: names} }

// KeysOf lists the keys of a namespace.
func KeysOf(space string) *List { return &List{space: space} }

// Derive returns what derive makes of the keys of a list, as [Handle.Namespace] gives them. A handle of a
// [Reader] gives the same result again, without calling derive, for messages in which the keys have the same
// bytes. So derive must depend on the keys alone, do the same whenever it gets this list, and make a value that is not
// changed later. Keys with several values or octets are read each time.
func (h *Handle) Derive(l *List, derive func([]Key) any) any {
	if h.memo == nil {
		return derive(h.keys(h.namesIn(l)))
	}
	return h.memo.list(l, derive)
}

// namesIn are the names of a list that ecCodes knows.
func (h *Handle) namesIn(l *List) []defs.Sym {
	if l.names == nil {
		if s := h.lib.Sym(l.space); s != defs.NoSym {
			return h.namesOf(s)
		}
		return nil
	}
	l.once.Do(func() {
		for _, name := range l.names {
			if s := h.lib.Sym(name); s != defs.NoSym {
				l.symbols = append(l.symbols, s)
			}
		}
	})
	return l.symbols
}
