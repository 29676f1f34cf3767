package defs

// The statements of a file, one after the other. A field that most statements
// lack is announced by a bit of the header word.

const (
	hasNS = 1 << iota
	hasTarget
	hasPath
	hasArgs
	hasInit
	hasCond
	hasThen
	hasElse
	hasFlags
	hasLen
	hasConcept
	isNoFail
)

// Actions appends a list of statements.
func (w *Writer) Actions(list []*Action) {
	w.Uint(uint64(len(list)))
	for _, a := range list {
		w.action(a)
	}
}

func bit(on bool, b uint64) uint64 {
	if on {
		return b
	}
	return 0
}

func (w *Writer) action(a *Action) {
	concept := a.Kind == Concept
	h := bit(a.NS != NoSym, hasNS) | bit(a.Target != NoSym, hasTarget) | bit(a.Path != "", hasPath) |
		bit(len(a.Args) > 0, hasArgs) | bit(len(a.Init) > 0, hasInit) | bit(a.Cond != nil, hasCond) |
		bit(len(a.Then) > 0, hasThen) | bit(len(a.Else) > 0, hasElse) | bit(a.Flags != 0, hasFlags) |
		bit(a.Len != 0, hasLen) | bit(concept, hasConcept) | bit(a.NoFail, isNoFail)
	w.B = append(w.B, byte(a.Kind), a.Op)
	w.Uint(h)
	w.Sym(a.Name)
	if a.NS != NoSym {
		w.Sym(a.NS)
	}
	if a.Target != NoSym {
		w.Sym(a.Target)
	}
	if a.Path != "" {
		w.Str(a.Path)
	}
	if len(a.Args) > 0 {
		w.Exprs(a.Args)
	}
	if len(a.Init) > 0 {
		w.Exprs(a.Init)
	}
	if a.Cond != nil {
		w.Expr(a.Cond)
	}
	if len(a.Then) > 0 {
		w.Actions(a.Then)
	}
	if len(a.Else) > 0 {
		w.Actions(a.Else)
	}
	if a.Flags != 0 {
		w.Uint(uint64(a.Flags))
	}
	if a.Len != 0 {
		w.Int(int64(a.Len))
	}
	if concept {
		w.Sym(a.DefaultKey)
		w.Sym(a.MasterDir)
		w.Sym(a.LocalDir)
		w.Uint(uint64(len(a.Inline)))
		for _, e := range a.Inline {
			w.Str(e.Value)
			w.Conds(e.Conds)
		}
	}
}

func (r *reader) actions() []*Action {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]*Action, 0, n)
	arena := make([]Action, n)
	for i := 0; i < n && r.err == nil; i++ {
		r.action(&arena[i])
		out = append(out, &arena[i])
	}
	return out
}

func (r *reader) action(a *Action) {
	*a = Action{NS: NoSym, Target: NoSym, DefaultKey: NoSym, MasterDir: NoSym, LocalDir: NoSym}
	a.Kind, a.Op = Kind(r.byte()), r.byte()
	h := r.uint()
	a.Name = r.sym()
	a.NoFail = h&isNoFail != 0
	if h&hasNS != 0 {
		a.NS = r.sym()
	}
	if h&hasTarget != 0 {
		a.Target = r.sym()
	}
	if h&hasPath != 0 {
		a.Path = r.str()
	}
	if h&hasArgs != 0 {
		a.Args = r.exprs()
	}
	if h&hasInit != 0 {
		a.Init = r.exprs()
	}
	if h&hasCond != 0 {
		a.Cond = r.expr()
	}
	if h&hasThen != 0 {
		a.Then = r.actions()
	}
	if h&hasElse != 0 {
		a.Else = r.actions()
	}
	if h&hasFlags != 0 {
		a.Flags = Flags(r.uint())
	}
	if h&hasLen != 0 {
		a.Len = int32(r.int())
	}
	if h&hasConcept != 0 {
		a.DefaultKey, a.MasterDir, a.LocalDir = r.sym(), r.sym(), r.sym()
		for n := r.count(); n > 0 && r.err == nil; n-- {
			a.Inline = append(a.Inline, ConceptEntry{Value: r.str(), Conds: r.conds()})
		}
	}
}
