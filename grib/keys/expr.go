package keys

import (
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Evaluation of expressions. Types follow ecCodes: a binary operation is real
// if an operand is, everything logical is an integer.

func (h *Handle) exprType(e *defs.Expr) Type {
	switch e.Kind {
	case defs.ExFloat:
		return Double
	case defs.ExString, defs.ExSubstr:
		return String
	case defs.ExKey, defs.ExInList, defs.ExIsInteger:
		t, err := h.nativeType(e.Sym)
		if err != nil {
			return Undefined
		}
		return t
	case defs.ExPow, defs.ExMul, defs.ExDiv, defs.ExMod, defs.ExBit, defs.ExBitOff, defs.ExAdd, defs.ExSub,
		defs.ExGT, defs.ExEQ, defs.ExLT, defs.ExGE, defs.ExLE, defs.ExNE:
		if h.exprType(e.Args[0]) == Double || h.exprType(e.Args[1]) == Double {
			return Double
		}
	case defs.ExNil:
		return Undefined
	}
	return Long
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (h *Handle) exprLong(e *defs.Expr) (int64, error) {
	switch e.Kind {
	case defs.ExInt:
		return e.Int, nil
	case defs.ExFloat:
		return truncate(e.Float), nil
	case defs.ExKey:
		return h.getLong(e.Sym)
	case defs.ExString, defs.ExSubstr:
		return 0, ErrInvalid
	case defs.ExTrue:
		return 1, nil
	case defs.ExFunc:
		return h.call(e)
	case defs.ExLength:
		s, err := h.getString(e.Sym)
		return int64(len(s)), err
	case defs.ExNeg:
		v, err := h.exprLong(e.Args[0])
		return -v, err
	case defs.ExNot:
		v, err := h.exprLong(e.Args[0])
		return b2i(v == 0), err
	case defs.ExIs, defs.ExIsNot:
		return h.compareText(e)
	case defs.ExAnd, defs.ExOr:
		return h.logical(e)
	case defs.ExNil, defs.ExInList, defs.ExIsInteger:
		return 0, ErrNotImplemented
	}
	x, err := h.exprLong(e.Args[0])
	if err != nil {
		return 0, err
	}
	y, err := h.exprLong(e.Args[1])
	if err != nil {
		return 0, err
	}
	return binaryLong(e.Kind, x, y)
}

func binaryLong(k defs.ExprKind, x, y int64) (int64, error) {
	switch k {
	case defs.ExAdd:
		return x + y, nil
	case defs.ExSub:
		return x - y, nil
	case defs.ExMul:
		return x * y, nil
	case defs.ExDiv:
		if y == 0 {
			return 0, ErrInvalid
		}
		return x / y, nil
	case defs.ExMod:
		if y == 0 {
			return 0, ErrInvalid
		}
		return x % y, nil
	case defs.ExPow:
		return power(x, y), nil
	case defs.ExBit:
		return x & (1 << uint64(y&63)), nil
	case defs.ExBitOff:
		return b2i(x&(1<<uint64(y&63)) == 0), nil
	case defs.ExGT:
		return b2i(x > y), nil
	case defs.ExEQ:
		return b2i(x == y), nil
	case defs.ExLT:
		return b2i(x < y), nil
	case defs.ExGE:
		return b2i(x >= y), nil
	case defs.ExLE:
		return b2i(x <= y), nil
	case defs.ExNE:
		return b2i(x != y), nil
	}
	return 0, ErrNotImplemented
}

func power(x, y int64) int64 {
	if y < 0 || y > 64 {
		return truncate(math.Pow(float64(x), float64(y)))
	}
	r := int64(1)
	for ; y > 0; y-- {
		r *= x
	}
	return r
}

func (h *Handle) exprDouble(e *defs.Expr) (float64, error) {
	switch e.Kind {
	case defs.ExInt:
		return float64(e.Int), nil
	case defs.ExFloat:
		return e.Float, nil
	case defs.ExKey:
		return h.getDouble(e.Sym)
	case defs.ExNeg:
		v, err := h.exprDouble(e.Args[0])
		return -v, err
	case defs.ExNot:
		v, err := h.exprDouble(e.Args[0])
		return float64(b2i(truncate(v) == 0)), err
	case defs.ExAdd, defs.ExSub, defs.ExMul, defs.ExDiv, defs.ExGT, defs.ExEQ, defs.ExLT, defs.ExGE, defs.ExLE, defs.ExNE:
		x, err := h.exprDouble(e.Args[0])
		if err != nil {
			return 0, err
		}
		y, err := h.exprDouble(e.Args[1])
		if err != nil {
			return 0, err
		}
		return binaryDouble(e.Kind, x, y), nil
	}
	v, err := h.exprLong(e)
	return float64(v), err
}

func binaryDouble(k defs.ExprKind, x, y float64) float64 {
	switch k {
	case defs.ExAdd:
		return x + y
	case defs.ExSub:
		return x - y
	case defs.ExMul:
		return x * y
	case defs.ExDiv:
		return x / y
	case defs.ExGT:
		return float64(b2i(x > y))
	case defs.ExEQ:
		return float64(b2i(x == y))
	case defs.ExLT:
		return float64(b2i(x < y))
	case defs.ExGE:
		return float64(b2i(x >= y))
	case defs.ExLE:
		return float64(b2i(x <= y))
	}
	return float64(b2i(x != y))
}

func (h *Handle) exprString(e *defs.Expr) (string, error) {
	switch e.Kind {
	case defs.ExString:
		return e.Str, nil
	case defs.ExInt:
		return strconv.FormatInt(e.Int, 10), nil
	case defs.ExFloat:
		return formatG(e.Float), nil
	case defs.ExSubstr:
		return substring(e.Str, int(e.Start), int(e.Len)), nil
	case defs.ExKey:
		s, err := h.getString(e.Sym)
		if err != nil {
			return "", err
		}
		if e.Len != 0 {
			return substring(s, int(e.Start), int(e.Len)), nil
		}
		return s, nil
	}
	return "", ErrNotImplemented
}

func substring(s string, start, n int) string {
	if start < 0 {
		start += len(s)
	}
	if start < 0 || start > len(s) {
		return ""
	}
	s = s[start:]
	if n < len(s) {
		s = s[:n]
	}
	return s
}

func (h *Handle) compareText(e *defs.Expr) (int64, error) {
	x, err := h.exprString(e.Args[0])
	if err != nil {
		return 0, err
	}
	y, err := h.exprString(e.Args[1])
	if err != nil {
		return 0, err
	}
	return b2i((x == y) == (e.Kind == defs.ExIs)), nil
}

// truth evaluates an operand of a logical expression.
func (h *Handle) truth(e *defs.Expr) (bool, error) {
	switch h.exprType(e) {
	case Long:
		v, err := h.exprLong(e)
		return v != 0, err
	case Double:
		v, err := h.exprDouble(e)
		return v != 0, err
	}
	return false, ErrWrongType
}

func (h *Handle) logical(e *defs.Expr) (int64, error) {
	x, err := h.truth(e.Args[0])
	if err != nil {
		return 0, err
	}
	if x == (e.Kind == defs.ExOr) {
		return b2i(x), nil
	}
	y, err := h.truth(e.Args[1])
	return b2i(y), err
}
