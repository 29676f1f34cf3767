package keys

import (
	"errors"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// An engine is shared by all handles. It has the compiled definitions, the
// accessor classes and the identifiers that classes ask for by name.
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
	table := classTable()
	for i, op := range lib.Ops {
		var known bool
		if e.classes[i], known = table[op]; !known {
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

	// gen changes whenever an accessor is added or a variable set: earlier results
	// may be stale.
	gen      uint64
	concepts map[*accessor]conceptMemo
	conds    map[defs.Sym]condMemo
	depth    int
	// tooDeep is true from when depth has reached its limit to when it is 0 again.
	tooDeep bool

	data     dataMemo
	dataKey  *accessor // the last key whose length is the length of the data
	dataKeys int       // how many there are

	loadErr error // why the definitions were not run to their end

	lists  map[defs.Sym][]defs.Sym // names of the namespaces that were asked for
	listed map[listing]bool        // the names that Lists was asked for

	memo   memoiser             // nil for a handle of New
	found  map[string]*accessor // by key as users write them; nil for a handle of New
	epoch  uint64               // of the answer that is being found, see tables
	blocks [][]accessor         // all accessors, in the order of seq
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
// the keys of the earlier sections; Err says where reading stopped.
func New(msg []byte, ds DataSource) (*Handle, error) {
	h, err := newHandle(msg, ds)
	if err != nil {
		return nil, err
	}
	if err := h.build(); err != nil {
		return nil, err
	}
	return h, nil
}

// newHandle makes a handle without keys.
func newHandle(msg []byte, ds DataSource) (*Handle, error) {
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
	return &Handle{eng: eng, lib: eng.lib, buf: msg, ds: ds,
		store:    make([]*accessor, len(eng.lib.Names)),
		concepts: map[*accessor]conceptMemo{}, conds: map[defs.Sym]condMemo{}}, nil
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
	if h.found == nil {
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
