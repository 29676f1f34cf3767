package defs

// Exprs appends a list of expressions.
func (w *Writer) Exprs(list []*Expr) {
	w.Uint(uint64(len(list)))
	for _, e := range list {
		w.Expr(e)
	}
}

// Expr appends one expression.
func (w *Writer) Expr(e *Expr) {
	w.B = append(w.B, byte(e.Kind))
	switch e.Kind {
	case ExNil, ExTrue:
	case ExInt:
		w.Int(e.Int)
	case ExFloat:
		w.Float(e.Float)
	case ExString:
		w.Str(e.Str)
	case ExKey:
		w.Sym(e.Sym)
		w.Int(int64(e.Start))
		w.Int(int64(e.Len))
	case ExLength:
		w.Sym(e.Sym)
	case ExSubstr, ExInList, ExIsInteger:
		w.Sym(e.Sym)
		w.Str(e.Str)
		w.Int(int64(e.Start))
		w.Int(int64(e.Len))
	case ExFunc:
		w.Sym(e.Sym)
		w.Exprs(e.Args)
	default:
		w.Exprs(e.Args)
	}
}

func (r *reader) exprs() []*Expr {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]*Expr, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.expr())
	}
	return out
}

func (r *reader) expr() *Expr {
	e := &Expr{Kind: ExprKind(r.byte()), Sym: NoSym}
	switch e.Kind {
	case ExNil, ExTrue:
	case ExInt:
		e.Int = r.int()
	case ExFloat:
		e.Float = r.float()
	case ExString:
		e.Str = r.str()
	case ExKey:
		e.Sym, e.Start, e.Len = r.sym(), int32(r.int()), int32(r.int())
	case ExLength:
		e.Sym = r.sym()
	case ExSubstr, ExInList, ExIsInteger:
		e.Sym, e.Str, e.Start, e.Len = r.sym(), r.str(), int32(r.int()), int32(r.int())
	case ExFunc:
		e.Sym, e.Args = r.sym(), r.exprs()
	default:
		e.Args = r.exprs()
	}
	return e
}

// Conds appends the conditions of a concept entry.
func (w *Writer) Conds(list []Cond) {
	w.Uint(uint64(len(list)))
	for i := range list {
		w.Cond(&list[i])
	}
}

// Cond appends one condition.
func (w *Writer) Cond(c *Cond) {
	w.Sym(c.Key)
	switch {
	case c.Kind == ExInt:
		w.B = append(w.B, 1)
		w.Int(c.Int)
	case c.Kind == ExFloat:
		w.B = append(w.B, 2)
		w.Float(c.Flt)
	case c.Kind == ExString:
		w.B = append(w.B, 3)
		w.Str(c.Str)
	case c.Expr != nil:
		w.B = append(w.B, 4)
		w.Expr(c.Expr)
	default:
		w.B = append(w.B, 5)
		w.Uint(uint64(len(c.Ints)))
		for _, v := range c.Ints {
			w.Int(v)
		}
	}
}

func (r *reader) conds() []Cond {
	n := r.count()
	out := make([]Cond, 0, n)
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, r.cond())
	}
	return out
}

func (r *reader) cond() Cond {
	c := Cond{Key: r.sym()}
	switch r.byte() {
	case 1:
		c.Kind, c.Int = ExInt, r.int()
	case 2:
		c.Kind, c.Flt = ExFloat, r.float()
	case 3:
		c.Kind, c.Str = ExString, r.str()
	case 4:
		c.Expr = r.expr()
	case 5:
		for n := r.count(); n > 0 && r.err == nil; n-- {
			c.Ints = append(c.Ints, r.int())
		}
	default:
		r.fail()
	}
	return c
}
