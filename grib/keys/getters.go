package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// enter guards against endless recursion. A look-up that came too deep is given up as a whole: were
// its other branches tried, each would come as deep again, and their number doubles with every
// level.
func (h *Handle) enter() error {
	if h.depth >= maxDepth || h.tooDeep {
		return h.giveUp()
	}
	h.depth++
	return nil
}

func (h *Handle) giveUp() error {
	h.tooDeep = true
	h.dependsOn(onEverything) // asked for at less depth it may have a value
	return errTooDeep
}

func (h *Handle) leave() {
	h.depth--
	h.tooDeep = h.tooDeep && h.depth > 0
}

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
	return h.sizeOf(a)
}

func (h *Handle) sizeOf(a *accessor) (int, error) {
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

// chain lists an accessor and the accessors of the same name before it, first to last.
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
	return elements(h, name, func(a *accessor) ([]int64, error) { return a.cls.longs(h, a) })
}

func (h *Handle) getDoubles(name defs.Sym) ([]float64, error) {
	return elements(h, name, func(a *accessor) ([]float64, error) { return a.cls.doubles(h, a) })
}

// elements reads the values of a key, over all its repetitions.
func elements[T any](h *Handle, name defs.Sym, read func(*accessor) ([]T, error)) ([]T, error) {
	a := h.find(name)
	if a == nil {
		return nil, ErrNotFound
	}
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.leave()
	if a.same == nil {
		return read(a)
	}
	var out []T
	for _, x := range chain(a) {
		v, err := read(x)
		if err != nil {
			return nil, err
		}
		out = append(out, v...)
	}
	return out, nil
}

// Getters by text, for the few keys that classes name themselves.

func (h *Handle) long(key string) (int64, error) { return h.getLong(h.lib.Sym(key)) }

func (h *Handle) double(key string) (float64, error) { return h.getDouble(h.lib.Sym(key)) }

func (h *Handle) text(key string) (string, error) { return h.getString(h.lib.Sym(key)) }

func (h *Handle) defined(key string) bool { return h.find(h.lib.Sym(key)) != nil }
