package keys

import (
	"math"
	"strconv"
	"strings"

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

// exprName is the key name that an argument stands for.
func exprName(e *defs.Expr) defs.Sym {
	switch e.Kind {
	case defs.ExKey, defs.ExInList, defs.ExLength, defs.ExIsInteger:
		return e.Sym
	case defs.ExNeg, defs.ExNot:
		return exprName(e.Args[0])
	}
	return defs.NoSym
}

func arg(list []*defs.Expr, i int) *defs.Expr {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// argName is the name given as an accessor's i-th argument, NoSym if there is
// none.
func (a *accessor) argName(i int) defs.Sym {
	if e := arg(a.act.Args, i); e != nil {
		return exprName(e)
	}
	return defs.NoSym
}

// argLong evaluates an accessor's i-th argument, 0 if there is none.
func (h *Handle) argLong(a *accessor, i int) int64 {
	e := arg(a.act.Args, i)
	if e == nil {
		return 0
	}
	v, err := h.exprLong(e)
	if err != nil {
		return 0
	}
	return v
}

// argKeyLong reads the key named by the i-th argument.
func (h *Handle) argKeyLong(a *accessor, i int) (int64, error) { return h.getLong(a.argName(i)) }

// argLongs reads the integer keys named by the first arguments.
func (h *Handle) argLongs(a *accessor, out ...*int64) error {
	for i, p := range out {
		v, err := h.argKeyLong(a, i)
		if err != nil {
			return err
		}
		*p = v
	}
	return nil
}

// call evaluates a function.
func (h *Handle) call(e *defs.Expr) (int64, error) {
	key := defs.NoSym
	if len(e.Args) > 0 {
		key = exprName(e.Args[0])
	}
	switch h.lib.Name(e.Sym) {
	case "new", "gribex_mode_on":
		return 0, nil // nothing is being encoded; GRIBEX mode is off by default
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
		return 0, nil // the environment does not change what a message means
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
