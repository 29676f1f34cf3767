package keys

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys computed from others.

func arithmeticClass(op string) class {
	switch op {
	case "evaluate":
		return evaluateClass{}
	case "scale":
		return scaleClass{}
	case "sprintf":
		return sprintfClass{}
	case "element":
		return elementClass{}
	case "round":
		return roundClass{}
	case "divdouble":
		return productClass{divide: true}
	case "multdouble":
		return productClass{}
	case "from_scale_factor_scaled_value":
		return scaledValueClass{}
	case "size":
		return sizeClass{}
	case "sum":
		return sumClass{}
	case "vector":
		return vectorClass{}
	case "md5":
		return md5Class{}
	case "library_version":
		return constTextClass{text: "2.50.0"}
	}
	return nil
}

// evaluateClass is an expression.
type evaluateClass struct{ computedLong }

func (evaluateClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (evaluateClass) long(h *Handle, a *accessor) (int64, error) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return 0, ErrInvalid
	}
	return h.exprLong(e)
}

// scaleClass is value * multiplier / divisor.
type scaleClass struct{ computedDouble }

func (scaleClass) double(h *Handle, a *accessor) (float64, error) {
	div, err := h.argKeyLong(a, 2)
	if err != nil {
		return 0, err
	}
	mul, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	if v == Missing {
		return MissingFloat, nil
	}
	return float64(v*mul) / float64(div), nil
}

func (scaleClass) missing(h *Handle, a *accessor) bool {
	v := h.find(a.argName(0))
	return v == nil || v.cls.missing(h, v)
}

// sprintfClass formats keys; %d of a missing key is MISSING.
type sprintfClass struct{ computedText }

func (sprintfClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (sprintfClass) str(h *Handle, a *accessor) (string, error) {
	format := ""
	if e := arg(a.act.Args, 0); e != nil {
		format = e.Str
	}
	var b strings.Builder
	next := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		prec := -1
		if i < len(format) && format[i] == '.' {
			p, rest := strtol(format[i+1:])
			prec = int(p)
			i = len(format) - len(rest)
		}
		if i >= len(format) {
			break
		}
		key := a.argName(next)
		switch format[i] {
		case 'd':
			v, err := h.getLong(key)
			if err != nil {
				return "", err
			}
			miss, err := h.isMissing(key)
			if err != nil {
				return "", err
			}
			switch {
			case miss:
				b.WriteString("MISSING")
			case prec >= 0 && prec < 64:
				fmt.Fprintf(&b, "%.*d", prec, v)
			default:
				b.WriteString(strconv.FormatInt(v, 10))
			}
		case 'g':
			v, err := h.getDouble(key)
			if err != nil {
				return "", err
			}
			b.WriteString(formatG(v))
		case 's':
			s, err := h.getString(key)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		default:
			continue
		}
		next++
	}
	return b.String(), nil
}

// elementClass is one element of a list key.
type elementClass struct{ computedLong }

func (elementClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.getLongs(a.argName(0))
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}

func (elementClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDoubles(a.argName(0))
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}

// roundClass rounds an expression: round(expr, factor).
type roundClass struct{ computedDouble }

func (roundClass) double(h *Handle, a *accessor) (float64, error) {
	e := arg(a.act.Args, 0)
	if e == nil {
		return 0, ErrInvalid
	}
	v, err := h.exprDouble(e)
	if err != nil {
		return 0, err
	}
	p := float64(h.argLong(a, 1))
	// Half away from zero.
	x := v * p
	if x < 0 {
		return -floorHalf(-x) / p, nil
	}
	return floorHalf(x) / p, nil
}

func floorHalf(x float64) float64 { return float64(int64(x + 0.5)) }

// productClass multiplies or divides a key by a number.
type productClass struct {
	computedDouble
	divide bool
}

func (c productClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDouble(a.argName(0))
	if err != nil {
		return 0, err
	}
	by := 0.0
	if e := arg(a.act.Args, 1); e != nil {
		if by, err = h.exprDouble(e); err != nil {
			return 0, err
		}
	}
	if !c.divide {
		return v * by, nil
	}
	if by == 0 {
		return 0, ErrInvalid
	}
	return v / by, nil
}

// scaledValueClass is scaledValue / 10^scaleFactor; the value may be a list.
type scaledValueClass struct{ computedDouble }

func (scaledValueClass) count(h *Handle, a *accessor) (int, error) { return h.getSize(a.argName(1)) }

func scaled(v, factor int64) float64 {
	x := float64(v)
	const enough = 700 // powers of ten that lead to zero or infinity anyway
	for factor = max(factor, -enough); factor < 0; factor++ {
		x *= 10
	}
	for factor = min(factor, enough); factor > 0; factor-- {
		x /= 10
	}
	return x
}

func (c scaledValueClass) double(h *Handle, a *accessor) (float64, error) {
	return single(c.doubles(h, a))
}

func (scaledValueClass) doubles(h *Handle, a *accessor) ([]float64, error) {
	factor, err := h.argKeyLong(a, 0)
	if err != nil {
		return nil, err
	}
	n, err := h.getSize(a.argName(1))
	if err != nil {
		return nil, err
	}
	if n == 1 {
		v, err := h.argKeyLong(a, 1)
		if err != nil {
			return nil, err
		}
		if miss, err := h.isMissing(a.argName(1)); miss && err == nil {
			return []float64{MissingFloat}, nil
		}
		if miss, err := h.isMissing(a.argName(0)); miss && err == nil {
			factor = 0
		}
		return []float64{scaled(v, factor)}, nil
	}
	list, err := h.getLongs(a.argName(1))
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = scaled(v, factor)
	}
	return out, nil
}

func (scaledValueClass) missing(h *Handle, a *accessor) bool {
	f, err := h.argKeyLong(a, 0)
	if err != nil {
		return true
	}
	v, err := h.argKeyLong(a, 1)
	return err != nil || f == Missing || v == Missing
}

// sizeClass is the number of values of a key.
type sizeClass struct{ computedLong }

func (sizeClass) long(h *Handle, a *accessor) (int64, error) {
	n, err := h.getSize(a.argName(0))
	return int64(n), err
}

// sumClass is the sum of a list key.
type sumClass struct{ computedDouble }

func (sumClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := h.getDoubles(a.argName(0))
	if err != nil {
		return 0, err
	}
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s, nil
}

func (sumClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := h.getLongs(a.argName(0))
	if err != nil {
		return 0, err
	}
	s := int64(0)
	for _, x := range v {
		s += x
	}
	return s, nil
}

// vectorClass is one element of a list of computed numbers.
type vectorClass struct{ computedDouble }

func (vectorClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.Function
	return nil
}

func (vectorClass) double(h *Handle, a *accessor) (float64, error) {
	x := h.find(a.argName(0))
	if x == nil {
		return 0, ErrNotFound
	}
	v, err := x.cls.doubles(h, x)
	if err != nil {
		return 0, err
	}
	return pick(v, h.argLong(a, 1))
}

// md5Class is the checksum of part of the message.
// Arguments: the key of its offset, an expression for its length, and keys whose
// bytes count as zero.
type md5Class struct{ genClass }

func (md5Class) init(*Handle, *accessor) error  { return nil }
func (md5Class) native(*Handle, *accessor) Type { return String }

func (md5Class) str(h *Handle, a *accessor) (string, error) {
	off, err := h.argKeyLong(a, 0)
	if err != nil {
		return "", err
	}
	e := arg(a.act.Args, 1)
	if e == nil {
		return "", ErrInvalid
	}
	n, err := h.exprLong(e)
	if err != nil {
		return "", err
	}
	if off < 0 || n < 0 || off > int64(len(h.buf)) || n > int64(len(h.buf))-off {
		return "", ErrDecoding
	}
	part := h.buf[off : off+n]
	if len(a.act.Args) > 2 {
		part = append([]byte(nil), part...)
		for i := 2; i < len(a.act.Args); i++ {
			k := h.find(a.argName(i))
			if k == nil {
				return "", ErrNotFound
			}
			for j := max(k.offset, int(off)); j < k.offset+k.length && j < int(off+n); j++ {
				part[j-int(off)] = 0
			}
		}
	}
	sum := md5.Sum(part)
	return hex.EncodeToString(sum[:]), nil
}

// constTextClass is a fixed text.
type constTextClass struct {
	computedText
	text string
}

func (c constTextClass) str(*Handle, *accessor) (string, error) { return c.text, nil }
