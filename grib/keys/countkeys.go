package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// numberOfValuesClass is the number of points that are not missing.
// Arguments: values, bitsPerValue, number of points, bitmapPresent, bitmap, …
type numberOfValuesClass struct{ computedLong }

func (numberOfValuesClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (numberOfValuesClass) long(h *Handle, a *accessor) (int64, error) {
	n, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	present, err := h.argKeyLong(a, 3)
	if err != nil || present == 0 {
		return n, err
	}
	b := h.find(a.argName(4))
	if b == nil {
		return 0, ErrNotFound
	}
	size, err := b.cls.count(h, b)
	if err != nil {
		return 0, err
	}
	if int64(size) > n {
		return 0, ErrArrayTooSmall
	}
	return int64(h.ones(b, size)), nil
}

// codedCountClass is the number of values that the data section has room for.
// Arguments: bitsPerValue, offsets of the data and of its end, unused bits,
// numberOfValues and, for spectral data, the truncation of the part that is not
// packed.
type codedCountClass struct {
	computedLong
	spectral bool
}

func (c codedCountClass) long(h *Handle, a *accessor) (int64, error) {
	var width, begin, end, unused int64
	if err := h.argLongs(a, &width, &begin, &end, &unused); err != nil {
		return 0, err
	}
	unpacked := int64(0)
	if c.spectral {
		var jkm [3]int64
		for i := range jkm {
			v, err := h.argKeyLong(a, 5+i)
			if err != nil {
				return 0, err
			}
			jkm[i] = v
		}
		if jkm[0] != jkm[1] || jkm[1] != jkm[2] {
			return 0, ErrNotImplemented
		}
		unpacked = (jkm[2] + 1) * (jkm[2] + 2) * (width - 32)
	}
	if width != 0 {
		return ((end-begin)*8 - unused + unpacked) / width, nil
	}
	return h.argKeyLong(a, 4)
}

// rawCountClass is the number of IEEE values in the data section: values,
// precision.
type rawCountClass struct{ computedLong }

func (rawCountClass) long(h *Handle, a *accessor) (int64, error) {
	v := h.find(a.argName(0))
	if v == nil {
		return 0, ErrNotFound
	}
	precision, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	switch precision {
	case 1:
		return int64(v.length / 4), nil
	case 2:
		return int64(v.length / 8), nil
	case 3:
		return int64(v.length / 16), nil
	}
	return 0, ErrDecoding
}
