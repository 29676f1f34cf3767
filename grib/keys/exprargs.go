package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

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
