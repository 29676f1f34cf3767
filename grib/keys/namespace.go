package keys

import (
	"errors"
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// wrap makes a KeyError of an internal error.
func wrap(key string, err error) error {
	if err == nil {
		return nil
	}
	return &KeyError{key, err}
}

// Int returns a key as an integer, converted as ecCodes converts it. A missing
// key is Missing.
func (h *Handle) Int(key string) (int64, error) {
	a := h.lookup(key)
	if a == nil {
		return 0, wrap(key, ErrNotFound)
	}
	v, err := h.ask(a, askLong)
	return as[int64](v), wrap(key, err)
}

// Float returns a key as a number. A missing key is MissingFloat.
func (h *Handle) Float(key string) (float64, error) {
	a := h.lookup(key)
	if a == nil {
		return 0, wrap(key, ErrNotFound)
	}
	v, err := h.ask(a, askDouble)
	return as[float64](v), wrap(key, err)
}

// String returns a key as text: the abbreviation of a code table entry, the
// digits of a number, "MISSING".
func (h *Handle) String(key string) (string, error) {
	a := h.lookup(key)
	if a == nil {
		return "", wrap(key, ErrNotFound)
	}
	v, err := h.ask(a, askString)
	return as[string](v), wrap(key, err)
}

// Bytes returns the coded form of a key. The slice belongs to the message.
func (h *Handle) Bytes(key string) ([]byte, error) {
	a := h.lookup(key)
	if a == nil {
		return nil, wrap(key, ErrNotFound)
	}
	b, err := a.cls.bytes(h, a)
	return b, wrap(key, err)
}

// Ints returns all values of a key, over all its repetitions.
func (h *Handle) Ints(key string) ([]int64, error) {
	name, _, ok := h.split(key)
	if !ok {
		return nil, wrap(key, ErrNotFound)
	}
	v, err := h.getLongs(name)
	return v, wrap(key, err)
}

// Floats is like Ints for real numbers.
func (h *Handle) Floats(key string) ([]float64, error) {
	name, _, ok := h.split(key)
	if !ok {
		return nil, wrap(key, ErrNotFound)
	}
	v, err := h.getDoubles(name)
	return v, wrap(key, err)
}

// Size returns the number of values that Ints or Floats would return.
func (h *Handle) Size(key string) (int, error) {
	name, _, ok := h.split(key)
	if !ok {
		return 0, wrap(key, ErrNotFound)
	}
	a := h.find(name)
	if a == nil {
		return 0, wrap(key, ErrNotFound)
	}
	n, err := h.ask(a, askSize)
	return as[int](n), wrap(key, err)
}

// NativeType returns the type that fits a key best.
func (h *Handle) NativeType(key string) (Type, error) {
	a := h.lookup(key)
	if a == nil {
		return Undefined, wrap(key, ErrNotFound)
	}
	t, err := h.ask(a, askNative)
	return as[Type](t), err
}

// Has reports whether the message has a key.
func (h *Handle) Has(key string) bool { return h.lookup(key) != nil }

// IsMissing reports whether a key that may be missing is coded as missing.
func (h *Handle) IsMissing(key string) (bool, error) {
	a := h.lookup(key)
	if a == nil {
		return false, wrap(key, ErrNotFound)
	}
	m, err := h.ask(a, askMissing)
	return as[bool](m), err
}

// as is an answer as a value of its type, and the zero value for an error.
func as[T any](v any) T {
	x, _ := v.(T)
	return x
}

// Get returns a key in its native type: int64, float64, string or []byte. If it
// has several values, they are a slice of the first two.
func (h *Handle) Get(key string) (any, error) {
	a := h.lookup(key)
	if a == nil {
		return nil, wrap(key, ErrNotFound)
	}
	v, err := h.ask(a, askValue)
	return v, wrap(key, err)
}

var errNoValue = errors.New("not a value")

func (h *Handle) value(a *accessor) (any, error) {
	switch a.cls.native(h, a) {
	case Long:
		if n, err := a.cls.count(h, a); err == nil && n > 1 {
			return a.cls.longs(h, a)
		}
		return anyOf(h.accLong(a))
	case Double:
		if n, err := a.cls.count(h, a); err == nil && n > 1 {
			return a.cls.doubles(h, a)
		}
		return anyOf(h.accDouble(a))
	case String, Label:
		return anyOf(h.accString(a))
	case Bytes:
		return anyOf(a.cls.bytes(h, a))
	}
	return nil, errNoValue
}

func anyOf[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Namespace returns the keys of a namespace in the order of ecCodes' keys
// iterator. Namespaces are "mars", "ls", "geography", "time", "vertical",
// "parameter", "statistics". A key that cannot be read is left out; a key
// without a value is marked as missing. A name that is listed twice is returned
// twice.
//
// As with ecCodes, the iterator gives names, and the value belongs to the plain
// name, which is nearly always the listed key itself.
func (h *Handle) Namespace(ns string) []Key {
	s := h.lib.Sym(ns)
	if s == defs.NoSym {
		return nil
	}
	return h.keys(h.namesOf(s))
}

func (h *Handle) keys(names []defs.Sym) []Key {
	out := make([]Key, 0, len(names))
	for _, name := range names {
		if k, ok := h.key(name); ok {
			out = append(out, k)
		}
	}
	return out
}

// namesOf lists the names of a namespace, for NoSym the names of all keys.
func (h *Handle) namesOf(ns defs.Sym) []defs.Sym {
	list, ok := h.lists[ns]
	if ok {
		return list
	}
	h.each(&h.root, func(a *accessor) {
		if a.nnames == 0 {
			return
		}
		name, ok := a.alias(0).name, true
		if ns != defs.NoSym {
			name, ok = a.inNamespace(ns)
		}
		if ok {
			list = append(list, name)
		}
	})
	if h.lists == nil {
		h.lists = map[defs.Sym][]defs.Sym{}
	}
	h.lists[ns] = list
	return list
}

// All returns every key that is not hidden, in the order of the message.
func (h *Handle) All() []Key { return h.keys(h.namesOf(defs.NoSym)) }

func (h *Handle) key(name defs.Sym) (Key, bool) {
	a := h.find(name)
	if a == nil {
		return Key{}, false
	}
	v, err := h.ask(a, askValue)
	if err != nil {
		return Key{}, false
	}
	return h.keyOf(name, v), true
}

func (h *Handle) keyOf(name defs.Sym, v any) Key {
	return Key{Name: h.lib.Name(name), Value: v, Missing: noValue(v)}
}

func noValue(v any) bool {
	switch v := v.(type) {
	case string:
		return v == "MISSING" || v == "not_found"
	case int64:
		return v == Missing || v == -Missing
	}
	return false
}

// each visits the accessors that an iterator shows.
func (h *Handle) each(s *section, f func(*accessor)) {
	for a := s.first; a != nil; a = a.nxt {
		if a.sub != nil {
			h.each(a.sub, f)
			continue
		}
		if !a.is(defs.Hidden) {
			f(a)
		}
	}
}

// Lists reports whether a namespace has a key, without reading any values.
func (h *Handle) Lists(ns, key string) bool {
	q := listing{ns, key}
	listed, known := h.listed[q]
	if !known {
		s, name := h.lib.Sym(ns), h.lib.Sym(key)
		listed = s != defs.NoSym && name != defs.NoSym && slices.Contains(h.namesOf(s), name)
		if h.listed == nil || len(h.listed) >= maxListed {
			h.listed = make(map[listing]bool)
		}
		h.listed[q] = listed
	}
	return listed
}

// A listing asks whether a namespace lists a key.
type listing struct{ ns, key string }

// maxListed is how many answers of [Handle.Lists] are remembered.
const maxListed = 1 << 10

// Names lists the names of a namespace without reading their values. If ns is
// empty it lists the names of all keys.
func (h *Handle) Names(ns string) []string {
	s := h.lib.Sym(ns)
	if s == defs.NoSym && ns != "" {
		return nil
	}
	list := h.namesOf(s)
	out := make([]string, len(list))
	for i, name := range list {
		out[i] = h.lib.Name(name)
	}
	return out
}
