package keys

import (
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// A class reads accessors of one kind. The types that implement it carry no
// state: all of it is in the accessor.
//
// long, double and str read a single value; longs and doubles all of them.
type class interface {
	init(h *Handle, a *accessor) error
	native(h *Handle, a *accessor) Type
	count(h *Handle, a *accessor) (int, error)
	long(h *Handle, a *accessor) (int64, error)
	double(h *Handle, a *accessor) (float64, error)
	str(h *Handle, a *accessor) (string, error)
	longs(h *Handle, a *accessor) ([]int64, error)
	doubles(h *Handle, a *accessor) ([]float64, error)
	bytes(h *Handle, a *accessor) ([]byte, error)
	missing(h *Handle, a *accessor) bool
}

// genClass is the base of all classes: nothing can be read.
type genClass struct{}

func (genClass) init(h *Handle, a *accessor) error { a.length = int(a.act.Len); return nil }
func (genClass) native(*Handle, *accessor) Type    { return Undefined }
func (genClass) count(*Handle, *accessor) (int, error) {
	return 1, nil
}
func (genClass) long(*Handle, *accessor) (int64, error)     { return 0, ErrNotImplemented }
func (genClass) double(*Handle, *accessor) (float64, error) { return 0, ErrNotImplemented }
func (genClass) str(*Handle, *accessor) (string, error)     { return "", ErrNotImplemented }
func (genClass) longs(h *Handle, a *accessor) ([]int64, error) {
	v, err := a.cls.long(h, a)
	return []int64{v}, err
}
func (genClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := a.cls.double(h, a)
	return []float64{v}, err
}
func (genClass) bytes(h *Handle, a *accessor) ([]byte, error) {
	b, ok := h.coded(a)
	if !ok {
		return nil, ErrDecoding
	}
	return b, nil
}

// missing: all bytes are ones.
func (genClass) missing(h *Handle, a *accessor) bool {
	if a.is(defs.Transient) {
		return a.v.missing
	}
	return allOnes(h, a)
}

func allOnes(h *Handle, a *accessor) bool {
	coded, ok := h.coded(a)
	if !ok {
		return false
	}
	for _, b := range coded {
		if b != 0xff {
			return false
		}
	}
	return true
}

// coded returns the bytes of a key. In a damaged message it may lie outside, or
// have a negative length.
func (h *Handle) coded(a *accessor) ([]byte, bool) {
	return h.octets(a.offset, a.length)
}

// longClass is the base of integer keys: long must be given.
type longClass struct{ genClass }

func (longClass) native(*Handle, *accessor) Type { return Long }

func (longClass) double(h *Handle, a *accessor) (float64, error) {
	n, err := a.cls.count(h, a)
	if err != nil {
		return 0, err
	}
	if n > 1 {
		return 0, ErrArrayTooSmall
	}
	v, err := a.cls.long(h, a)
	return float64(v), err
}

// str ignores errors as ecCodes does: a key that cannot be read is "0".
func (longClass) str(h *Handle, a *accessor) (string, error) {
	v, err := a.cls.long(h, a)
	if err != nil {
		v = 0
	}
	if v == Missing && a.is(defs.CanBeMissing) {
		return "MISSING", nil
	}
	return strconv.FormatInt(v, 10), nil
}

func (longClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	v, err := a.cls.longs(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out, nil
}

// doubleClass is the base of real keys: double must be given.
type doubleClass struct{ genClass }

func (doubleClass) native(*Handle, *accessor) Type { return Double }

// long casts and, as ecCodes, does not see errors.
func (doubleClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := a.cls.double(h, a)
	if err != nil {
		return 0, nil
	}
	return castLong(v), nil
}

func castLong(v float64) int64 {
	if v == MissingFloat {
		return Missing
	}
	return truncate(v)
}

func (doubleClass) str(h *Handle, a *accessor) (string, error) {
	v, err := a.cls.double(h, a)
	if err != nil {
		v = 0
	}
	if v == MissingFloat && a.is(defs.CanBeMissing) {
		return "MISSING", nil
	}
	return formatG(v), nil
}

func (doubleClass) longs(h *Handle, a *accessor) ([]int64, error) {
	v, err := a.cls.doubles(h, a)
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = castLong(x)
	}
	return out, nil
}

// stringClass is the base of text keys without a coded form; a derived class must define str.
type stringClass struct{ genClass }

func (stringClass) native(*Handle, *accessor) Type { return String }

func (stringClass) long(h *Handle, a *accessor) (int64, error) {
	s, err := a.cls.str(h, a)
	if err != nil {
		s = ""
	}
	v, rest := strtol(s)
	if rest != "" {
		return 0, ErrNotImplemented
	}
	return v, nil
}

func (stringClass) double(h *Handle, a *accessor) (float64, error) {
	s, err := a.cls.str(h, a)
	if err != nil {
		s = ""
	}
	v, rest := strtod(s)
	if rest != "" {
		return 0, ErrNotImplemented
	}
	return v, nil
}

// asciiClass is coded text, and the base of text that is computed from keys.
type asciiClass struct{ genClass }

func (asciiClass) native(*Handle, *accessor) Type { return String }

func (asciiClass) str(h *Handle, a *accessor) (string, error) {
	b, err := a.cls.bytes(h, a)
	if err != nil {
		return "", err
	}
	return cstring(b), nil
}

func (asciiClass) long(h *Handle, a *accessor) (int64, error) {
	s, err := a.cls.str(h, a)
	if err != nil {
		return 0, err
	}
	i := 0
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if i == len(s) {
		return 0, nil
	}
	if i+1 < len(s) && s[i+1] == ' ' {
		s = s[:i+1]
	}
	v, _ := strtol(s)
	return v, nil
}

func (asciiClass) double(h *Handle, a *accessor) (float64, error) {
	s, err := a.cls.str(h, a)
	if err != nil {
		return 0, err
	}
	v, rest := strtod(s)
	if rest != "" {
		return 0, ErrNotImplemented
	}
	return v, nil
}
