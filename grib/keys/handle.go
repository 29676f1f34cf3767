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

	data dataMemo

	loadErr error // why the definitions were not run to their end
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
func New(msg []byte, ds DataSource) (*Handle, error) {
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
	h := &Handle{eng: eng, lib: eng.lib, buf: msg, ds: ds,
		store: make([]*accessor, len(eng.lib.Names)),
		memo:  map[*accessor]memo{}, conds: map[defs.Sym]condMemo{}}
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
	name, ns, ok := h.split(key)
	if !ok {
		return nil
	}
	if a := h.store[name]; a != nil && (ns == defs.NoSym || a.has(name, ns)) {
		return a
	}
	a := h.search(&h.root, name, ns)
	h.store[name] = a
	return a
}

// enter guards against endless recursion.
func (h *Handle) enter() error {
	if h.depth >= maxDepth {
		return errTooDeep
	}
	h.depth++
	return nil
}

func (h *Handle) leave() { h.depth-- }

func (h *Handle) accLong(a *accessor) (int64, error) {
	if err := h.enter(); err != nil {
		return 0, err
	}
	v, err := a.cls.long(h, a)
	h.leave()
	return v, err
}

func (h *Handle) accDouble(a *accessor) (float64, error) {
	if err := h.enter(); err != nil {
		return 0, err
	}
	v, err := a.cls.double(h, a)
	h.leave()
	return v, err
}

func (h *Handle) accString(a *accessor) (string, error) {
	if err := h.enter(); err != nil {
		return "", err
	}
	v, err := a.cls.str(h, a)
	h.leave()
	return v, err
}

func (h *Handle) getLong(name defs.Sym) (int64, error) {
	if a := h.find(name); a != nil {
		return h.accLong(a)
	}
	return 0, ErrNotFound
}

func (h *Handle) getDouble(name defs.Sym) (float64, error) {
	if a := h.find(name); a != nil {
		return h.accDouble(a)
	}
	return 0, ErrNotFound
}

func (h *Handle) getString(name defs.Sym) (string, error) {
	if a := h.find(name); a != nil {
		return h.accString(a)
	}
	return "", ErrNotFound
}

func (h *Handle) nativeType(name defs.Sym) (Type, error) {
	if a := h.find(name); a != nil {
		if err := h.enter(); err != nil {
			return Undefined, err
		}
		t := a.cls.native(h, a)
		h.leave()
		return t, nil
	}
	return Undefined, ErrNotFound
}

// isMissing: only a key that can be missing is.
func (h *Handle) isMissing(name defs.Sym) (bool, error) {
	a := h.find(name)
	if a == nil {
		return true, ErrNotFound
	}
	return h.accMissing(a), nil
}

func (h *Handle) accMissing(a *accessor) bool {
	if !a.is(defs.CanBeMissing) || h.enter() != nil {
		return false
	}
	m := a.cls.missing(h, a)
	h.leave()
	return m
}

// getSize is the number of values of a key, over all its repetitions.
func (h *Handle) getSize(name defs.Sym) (int, error) {
	a := h.find(name)
	if a == nil {
		return 0, ErrNotFound
	}
	if err := h.enter(); err != nil {
		return 0, err
	}
	defer h.leave()
	n := 0
	for ; a != nil; a = a.same {
		c, err := a.cls.count(h, a)
		if err != nil {
			return 0, err
		}
		n += c
	}
	return n, nil
}

// chain lists an accessor and those of the same name before it, first to last.
func chain(a *accessor) []*accessor {
	var out []*accessor
	for ; a != nil; a = a.same {
		out = append(out, a)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (h *Handle) getLongs(name defs.Sym) ([]int64, error) {
	a := h.find(name)
	if a == nil {
		return nil, ErrNotFound
	}
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.leave()
	if a.same == nil {
		return a.cls.longs(h, a)
	}
	var out []int64
	for _, x := range chain(a) {
		v, err := x.cls.longs(h, x)
		if err != nil {
			return nil, err
		}
		out = append(out, v...)
	}
	return out, nil
}

func (h *Handle) getDoubles(name defs.Sym) ([]float64, error) {
	a := h.find(name)
	if a == nil {
		return nil, ErrNotFound
	}
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.leave()
	if a.same == nil {
		return a.cls.doubles(h, a)
	}
	var out []float64
	for _, x := range chain(a) {
		v, err := x.cls.doubles(h, x)
		if err != nil {
			return nil, err
		}
		out = append(out, v...)
	}
	return out, nil
}

// Getters by text, for the few keys that classes name themselves.

func (h *Handle) long(key string) (int64, error)     { return h.getLong(h.lib.Sym(key)) }
func (h *Handle) double(key string) (float64, error) { return h.getDouble(h.lib.Sym(key)) }
func (h *Handle) text(key string) (string, error)    { return h.getString(h.lib.Sym(key)) }
func (h *Handle) defined(key string) bool            { return h.find(h.lib.Sym(key)) != nil }

// setLong sets a transient key as a side effect of reading another one.
func (h *Handle) setLong(key string, v int64) error {
	a := h.find(h.lib.Sym(key))
	if a == nil {
		return ErrNotFound
	}
	if a.v.typ == Long && a.v.i == v {
		return nil
	}
	a.v = variable{typ: Long, i: v, f: float64(v)}
	h.gen++
	return nil
}

func (h *Handle) setString(key string, s string) error {
	a := h.find(h.lib.Sym(key))
	if a == nil {
		return ErrNotFound
	}
	if a.v.typ == String && a.v.s == s {
		return nil
	}
	a.v = variable{typ: String, s: s, f: atof(s)}
	h.gen++
	return nil
}
