package keys

import (
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// call evaluates a function.
func (h *Handle) call(e *defs.Expr) (int64, error) {
	key := defs.NoSym
	if len(e.Args) > 0 {
		key = exprName(e.Args[0])
	}
	switch h.lib.Name(e.Sym) {
	case "new", "gribex_mode_on":
		return 0, nil // this is no encoding; GRIBEX mode is off by default
	case "changed":
		return 1, nil
	case "defined":
		return b2i(key != defs.NoSym && h.find(key) != nil), nil
	case "missing":
		if len(e.Args) == 0 {
			return Missing, nil
		}
		v, err := h.getLong(key)
		return b2i(v == Missing), err
	case "size":
		n, err := h.getSize(key)
		return int64(n), err
	case "element":
		return h.element(key, arg(e.Args, 1))
	case "abs":
		v, err := h.exprLong(e.Args[0])
		if v < 0 {
			v = -v
		}
		return v, err
	case "max", "min":
		return h.extreme(e)
	case "is_one_of":
		return h.isOneOf(key, e.Args[1:])
	case "contains":
		return h.contains(key, e.Args)
	case "environment_variable":
		return 0, nil // the environment does not change the meaning of a message
	}
	return 0, ErrNotImplemented
}

// extreme is the largest or the smallest of integer expressions.
func (h *Handle) extreme(e *defs.Expr) (int64, error) {
	if len(e.Args) == 0 {
		return 0, ErrInvalid
	}
	best, err := h.exprLong(e.Args[0])
	if err != nil {
		return 0, err
	}
	for _, x := range e.Args[1:] {
		v, err := h.exprLong(x)
		if err != nil {
			return 0, err
		}
		if (v > best) == (h.lib.Name(e.Sym) == "max") {
			best = v
		}
	}
	return best, nil
}

func (h *Handle) element(key defs.Sym, index *defs.Expr) (int64, error) {
	if index == nil {
		return 0, ErrInvalid
	}
	i, err := h.exprLong(index)
	if err != nil {
		return 0, err
	}
	v, err := h.getLongs(key)
	if err != nil {
		return 0, err
	}
	return pick(v, i)
}

// pick takes an element; negative indices count from the end.
func pick[T any](v []T, i int64) (T, error) {
	if i < 0 {
		i += int64(len(v))
	}
	if i < 0 || i >= int64(len(v)) {
		var zero T
		return zero, ErrInvalid
	}
	return v[i], nil
}

func (h *Handle) isOneOf(key defs.Sym, list []*defs.Expr) (int64, error) {
	t, err := h.nativeType(key)
	if err != nil {
		return 0, err
	}
	switch t {
	case String:
		s, err := h.getString(key)
		if err != nil {
			return 0, err
		}
		for _, e := range list {
			if e.Kind == defs.ExString && e.Str == s {
				return 1, nil
			}
		}
	case Long:
		v, err := h.getLong(key)
		if err != nil {
			return 0, err
		}
		for _, e := range list {
			if x, _ := h.exprLong(e); x == v {
				return 1, nil
			}
		}
	case Double:
		return 0, ErrNotImplemented
	}
	return 0, nil
}

func (h *Handle) contains(key defs.Sym, args []*defs.Expr) (int64, error) {
	if len(args) != 3 {
		return 0, ErrInvalid
	}
	if t, err := h.nativeType(key); err != nil || t != String {
		return 0, ErrInvalid
	}
	s, err := h.getString(key)
	if err != nil {
		return 0, err
	}
	part, err := h.exprString(args[1])
	if err != nil {
		return 0, ErrInvalid
	}
	if ignoreCase, _ := h.exprLong(args[2]); ignoreCase != 0 {
		s, part = strings.ToLower(s), strings.ToLower(part)
	}
	return b2i(strings.Contains(s, part)), nil
}
