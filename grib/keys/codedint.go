package keys

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys that are coded in the message as numbers or text.

// argCount is the number of elements of a key, which the key in its first
// argument holds. It is 1 without arguments.
func argCount(h *Handle, a *accessor) (int, error) {
	if len(a.act.Args) == 0 {
		return 1, nil
	}
	n, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > math.MaxInt32 {
		return 0, ErrDecoding
	}
	return int(n), nil
}

// arrayLength is the number of bytes of an array key of the given element size. A count
// that cannot be read makes it empty, a count that the message cannot hold is an error.
func arrayLength(h *Handle, a *accessor, size int) (int, error) {
	if len(a.act.Args) == 0 {
		return size, nil
	}
	n, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, nil
	}
	if n < 0 || n > int64(h.size()) {
		return 0, errOverBoundary
	}
	return int(n) * size, nil
}

// checkArray refuses element counts that the message cannot hold.
func (h *Handle) checkArray(a *accessor, n, bitsEach int) error {
	if n < 0 || a.offset*8+n*bitsEach > h.size()*8 {
		return ErrDecoding
	}
	return nil
}

// unsignedClass is unsigned[n] name: n bytes, big-endian.
type unsignedClass struct{ longClass }

func (unsignedClass) init(h *Handle, a *accessor) error {
	if a.is(defs.Transient) {
		a.v.typ = Long
		initVirtual(h, a)
		return nil
	}
	n, err := arrayLength(h, a, elementSize(a))
	a.length = n
	return err
}

func (unsignedClass) count(h *Handle, a *accessor) (int, error) { return argCount(h, a) }

// size is the number of bytes of one element.
func elementSize(a *accessor) int { return int(a.act.Len) }

func (unsignedClass) long(h *Handle, a *accessor) (int64, error) {
	if a.is(defs.Transient) {
		return a.v.i, nil
	}
	if len(a.act.Args) > 0 {
		n, err := a.cls.count(h, a)
		if err != nil {
			return 0, err
		}
		if n > 1 {
			return 0, ErrArrayTooSmall
		}
		if n == 0 {
			return 0, nil
		}
	}
	return h.unsignedAt(a, a.offset), nil
}

func (h *Handle) unsignedAt(a *accessor, off int) int64 {
	nb := elementSize(a)
	v := h.decodeUnsigned(off*8, nb*8)
	if nb <= 4 && nb > 0 && a.is(defs.CanBeMissing) && v == 1<<(8*uint(nb))-1 {
		return Missing
	}
	return int64(v)
}

// integers reads all elements of an array. The function at reads the element at an offset.
func (h *Handle) integers(a *accessor, at func(a *accessor, off int) int64) ([]int64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return nil, err
	}
	if err := h.checkArray(a, n, elementSize(a)*8); err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = at(a, a.offset+i*elementSize(a))
	}
	return out, nil
}

func (unsignedClass) longs(h *Handle, a *accessor) ([]int64, error) {
	return h.integers(a, h.unsignedAt)
}

func (unsignedClass) missing(h *Handle, a *accessor) bool {
	if a.length == 0 {
		return a.v.missing
	}
	return allOnes(h, a)
}

// initVirtual gives a key with the flag transient its default.
func initVirtual(h *Handle, a *accessor) {
	if len(a.act.Init) == 0 {
		return
	}
	if v, err := h.exprLong(a.act.Init[0]); err == nil {
		a.v.i = v
	}
}

// unsignedBitsClass is a list of packed integers whose width and number are
// given by two keys.
type unsignedBitsClass struct{ longClass }

func (unsignedBitsClass) init(h *Handle, a *accessor) error {
	bits, err := h.argKeyLong(a, 0)
	if err != nil {
		return nil
	}
	n, err := h.argKeyLong(a, 1)
	if err != nil || bits < 0 || n < 0 || bits > 1<<20 || n > 1<<32 {
		return nil
	}
	a.length = int((bits*n + 7) / 8)
	return nil
}

func (unsignedBitsClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.argKeyLong(a, 1)
	return int(n), err
}

func (c unsignedBitsClass) long(h *Handle, a *accessor) (int64, error) {
	return single(a.cls.longs(h, a))
}

// single is the value of an array key for a caller who asks for a single value.
func single[T any](v []T, err error) (T, error) {
	var zero T
	if err != nil {
		return zero, err
	}
	switch len(v) {
	case 0:
		return zero, nil
	case 1:
		return v[0], nil
	}
	return zero, ErrArrayTooSmall
}

func (unsignedBitsClass) longs(h *Handle, a *accessor) ([]int64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return nil, err
	}
	bits, err := h.argKeyLong(a, 0)
	if err != nil {
		return nil, err
	}
	if bits < 0 || bits > 64 {
		return nil, ErrDecoding
	}
	if bits == 0 {
		if n < 0 || n > h.size()*8 {
			return nil, ErrDecoding
		}
		return make([]int64, n), nil
	}
	if err := h.checkArray(a, n, int(bits)); err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(h.decodeUnsigned(a.offset*8+i*int(bits), int(bits)))
	}
	return out, nil
}

// spdClass is the first values of a field packed by differences, and the bias of
// the differences. The bias has a sign. Arguments: width in bits, order.
type spdClass struct{ unsignedBitsClass }

func (spdClass) init(h *Handle, a *accessor) error {
	var width, order int64
	if err := h.argLongs(a, &width, &order); err == nil && width >= 0 && order >= 0 && width < 1<<20 && order < 1<<20 {
		a.length = int((width*(order+1) + 7) / 8)
	}
	return nil
}

func (spdClass) count(h *Handle, a *accessor) (int, error) {
	n, err := h.argKeyLong(a, 1)
	return int(n) + 1, err
}

func (c spdClass) longs(h *Handle, a *accessor) ([]int64, error) {
	v, err := c.unsignedBitsClass.longs(h, a)
	if err != nil || len(v) == 0 {
		return v, err
	}
	width, err := h.argKeyLong(a, 0)
	last := &v[len(v)-1]
	if sign := int64(1) << uint(max(width-1, 0)&63); width > 0 && *last&sign != 0 {
		*last = -(*last &^ sign)
	}
	return v, err
}

// signedClass is signed[n] name: sign and magnitude.
type signedClass struct{ longClass }

func (signedClass) init(h *Handle, a *accessor) error {
	n, err := arrayLength(h, a, elementSize(a))
	a.length = n
	return err
}

func (signedClass) count(h *Handle, a *accessor) (int, error) { return argCount(h, a) }

func (signedClass) long(h *Handle, a *accessor) (int64, error) {
	if len(a.act.Args) == 0 {
		return h.signedAt(a, a.offset), nil
	}
	return single(a.cls.longs(h, a))
}

func (h *Handle) signedAt(a *accessor, off int) int64 {
	nb := elementSize(a)
	v := h.decodeSigned(off, nb)
	if nb > 0 && nb <= 4 && a.is(defs.CanBeMissing) && v == -(1<<(8*uint(nb)-1)-1) {
		return Missing
	}
	return v
}

func (signedClass) longs(h *Handle, a *accessor) ([]int64, error) {
	return h.integers(a, h.signedAt)
}

// codeflagClass is flags[n] name "table".
type codeflagClass struct{ unsignedClass }

func (codeflagClass) init(_ *Handle, a *accessor) error { a.length = int(a.act.Len); return nil }

func (codeflagClass) count(*Handle, *accessor) (int, error) {
	return 1, nil
}

func (codeflagClass) long(h *Handle, a *accessor) (int64, error) {
	return h.unsignedAt(a, a.offset), nil
}

func (codeflagClass) longs(h *Handle, a *accessor) ([]int64, error) {
	return []int64{h.unsignedAt(a, a.offset)}, nil
}

// bitClass is flagbit name(key, bit).
type bitClass struct{ longClass }

func (bitClass) init(*Handle, *accessor) error { return nil }

func (bitClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	return b2i(v&(1<<uint64(h.argLong(a, 1)&63)) != 0), nil
}

// lookupClass reads bytes ahead of the current place without taking them.
type lookupClass struct{ longClass }

func (lookupClass) init(*Handle, *accessor) error { return nil }

func (lookupClass) long(h *Handle, a *accessor) (int64, error) {
	off := a.offset + int(h.argLong(a, 0))
	return int64(h.decodeUnsigned(off*8, int(a.act.Len)*8)), nil
}

func (lookupClass) str(h *Handle, a *accessor) (string, error) {
	off := a.offset + int(h.argLong(a, 0))
	b, ok := h.octets(off, int(a.act.Len))
	if !ok {
		return "", ErrDecoding
	}
	return cstring(b), nil
}

// halfByteClass is the lower half of a byte that another key also covers.
type halfByteClass struct{ longClass }

func (halfByteClass) init(*Handle, *accessor) error { return nil }

func (halfByteClass) long(h *Handle, a *accessor) (int64, error) {
	return int64(h.decodeUnsigned(a.offset*8, 8) & 0xf), nil
}
