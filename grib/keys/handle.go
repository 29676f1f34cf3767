package keys

import (
	"errors"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// An engine is what all handles share: the compiled definitions, the accessor
// classes and the identifiers that classes ask for by name.
type engine struct {
	lib     *defs.Library
	classes [256]class // by Action.Op
	paths   pathCache
	inline  sync.Map // *defs.Action of a concept -> *defs.ConceptTable
}

var sharedEngine = sync.OnceValues(newEngine)

func newEngine() (*engine, error) {
	lib, err := defs.Default()
	if err != nil {
		return nil, err
	}
	e := &engine{lib: lib}
	for i, op := range lib.Ops {
		e.classes[i] = classFor(op)
		if e.classes[i] == nil {
			e.classes[i] = unknownClass{}
		}
	}
	return e, nil
}

// A Handle gives the keys of one message. It must not be used by several
// goroutines at once.
type Handle struct {
	eng *engine
	lib *defs.Library
	buf []byte
	ds  DataSource

	root  section
	store []*accessor // by identifier: the accessor that was last given the name
	arena []accessor  // unused part of the current block of accessors
	count int         // accessors made

	// gen changes whenever an accessor is added or a variable set: what was
	// computed before may be stale.
	gen   uint64
	memo  map[*accessor]memo
	conds map[defs.Sym]condMemo
	depth int
	// tooDeep is true from when depth has reached its limit to when it is 0 again.
	tooDeep bool

	data dataMemo

	loadErr error // why the definitions were not run to their end

	lists map[defs.Sym][]defs.Sym // names of the namespaces that were asked for

	// Of handles that serve several messages:
	*kept
	blocks [][]accessor
	lay    layout
	tr     *trace // while dependencies are noted
}

const (
	maxDepth = 64 // nested evaluations of keys; real definitions stay below 20
	arenaLen = 128
)

var errTooDeep = errors.New("definitions are nested too deeply")

// New reads the structure of one GRIB message of edition 1 or 2. The message
// must hold a single field and start with "GRIB"; msg is not copied and must
// not change while the handle is in use. ds may be nil if no key that depends
// on the values will be asked for.
//
// As in ecCodes, a message whose later sections cannot be understood still has
// the keys of the earlier ones; Err says where reading stopped.
func New(msg []byte, ds DataSource) (*Handle, error) { return open(msg, ds, nil) }

func open(msg []byte, ds DataSource, tr *trace) (*Handle, error) {
	eng, err := sharedEngine()
	if err != nil {
		return nil, err
	}
	if len(msg) < 8 || string(msg[:4]) != "GRIB" {
		return nil, &MessageError{0, `does not start with "GRIB"`}
	}
	if ed := msg[7]; ed != 1 && ed != 2 {
		return nil, &MessageError{7, "edition is neither 1 nor 2"}
	}
	h := &Handle{eng: eng, lib: eng.lib, buf: msg, ds: ds, tr: tr,
		store: make([]*accessor, len(eng.lib.Names)),
		memo:  map[*accessor]memo{}, conds: map[defs.Sym]condMemo{}}
	if tr != nil {
		h.lay.initials.named = make([]int32, len(eng.lib.Names))
	}
	if err := h.build(); err != nil {
		return nil, err
	}
	return h, nil
}

// Err returns the reason why the keys of the message are incomplete, nil if
// they are complete.
func (h *Handle) Err() error { return h.loadErr }

// split takes "ns.name" apart.
func (h *Handle) split(key string) (name, ns defs.Sym, ok bool) {
	ns = defs.NoSym
	if i := strings.IndexByte(key, '.'); i > 0 {
		ns = h.lib.Sym(key[:i])
		key = key[i+1:]
		if ns == defs.NoSym {
			return 0, 0, false
		}
	}
	name = h.lib.Sym(key)
	return name, ns, name != defs.NoSym
}

// lookup finds the accessor of a key given by a user.
func (h *Handle) lookup(key string) *accessor {
	if h.kept == nil {
		return h.lookupName(key)
	}
	a, ok := h.found[key]
	if !ok {
		a = h.lookupName(key)
		h.found[key] = a
	}
	return a
}

func (h *Handle) lookupName(key string) *accessor {
	name, ns, ok := h.split(key)
	if !ok {
		return nil
	}
	if ns == defs.NoSym {
		return h.find(name)
	}
	if a := h.store[name]; a != nil && a.has(name, ns) {
		return a
	}
	return h.search(&h.root, name, ns)
}

// find returns the accessor that a plain name means: the one that was given the
// name last.
func (h *Handle) find(name defs.Sym) *accessor {
	if name < 0 {
		return nil
	}
	if h.lay.initials.checking > 0 {
		h.checkName(name)
	}
	return h.store[name]
}

// search returns the last accessor, in the order of the message, that has a
// name.
func (h *Handle) search(s *section, name, ns defs.Sym) *accessor {
	var match *accessor
	for a := s.first; a != nil; a = a.nxt {
		if a.has(name, ns) {
			match = a
		}
		if a.sub != nil {
			if b := h.search(a.sub, name, ns); b != nil {
				match = b
			}
		}
	}
	return match
}

// findQualified is find for a "ns.name" in the definitions.
func (h *Handle) findQualified(key string) *accessor {
	h.lay.initials.failed = true
	name, ns, ok := h.split(key)
	if !ok {
		return nil
	}
	if a := h.store[name]; a != nil && (ns == defs.NoSym || a.has(name, ns)) {
		return a
	}
	a := h.search(&h.root, name, ns)
	h.setName(name, a)
	return a
}
