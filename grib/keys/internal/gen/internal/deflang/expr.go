package deflang

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// Expressions, lowest precedence first: or, and, comparison, sum, product,
// power, atom.

func (p *parser) expr() *defs.Expr { return p.disjunction() }

func binary(k defs.ExprKind, l, r *defs.Expr) *defs.Expr {
	return &defs.Expr{Kind: k, Sym: defs.NoSym, Args: []*defs.Expr{l, r}}
}

func (p *parser) disjunction() *defs.Expr {
	l := p.conjunction()
	for p.accept("||") || p.acceptWord("or") {
		l = binary(defs.ExOr, l, p.conjunction())
	}
	return l
}

func (p *parser) conjunction() *defs.Expr {
	l := p.condition()
	for p.accept("&&") || p.acceptWord("and") {
		l = binary(defs.ExAnd, l, p.condition())
	}
	return l
}

var comparisons = map[string]defs.ExprKind{
	">": defs.ExGT, "==": defs.ExEQ, "<": defs.ExLT, ">=": defs.ExGE, "<=": defs.ExLE, "!=": defs.ExNE, "<>": defs.ExNE,
}

func (p *parser) condition() *defs.Expr {
	if p.accept("!") || p.acceptWord("not") {
		return &defs.Expr{Kind: defs.ExNot, Sym: defs.NoSym, Args: []*defs.Expr{p.condition()}}
	}
	l := p.term()
	switch {
	case p.acceptWord("is"):
		l = binary(defs.ExIs, l, p.stringOrIdent())
	case p.acceptWord("isnot"):
		l = binary(defs.ExIsNot, l, p.stringOrIdent())
	}
	for p.tok.kind == tokOp {
		k, ok := comparisons[p.tok.text]
		if !ok {
			break
		}
		p.next()
		l = binary(k, l, p.term())
	}
	return l
}

func (p *parser) term() *defs.Expr {
	l := p.factor()
	for p.tok.kind == tokOp && (p.tok.text == "+" || p.tok.text == "-") {
		k := defs.ExAdd
		if p.tok.text == "-" {
			k = defs.ExSub
		}
		p.next()
		l = binary(k, l, p.factor())
	}
	return l
}

func (p *parser) factor() *defs.Expr {
	l := p.power()
	for {
		switch {
		case p.accept("*"):
			l = binary(defs.ExMul, l, p.power())
		case p.accept("/"):
			l = binary(defs.ExDiv, l, p.power())
		case p.accept("%"):
			l = binary(defs.ExMod, l, p.power())
		case p.acceptWord("bit"):
			l = binary(defs.ExBit, l, p.power())
		case p.acceptWord("notbit"):
			l = binary(defs.ExBitOff, l, p.power())
		default:
			return l
		}
	}
}

func (p *parser) power() *defs.Expr {
	l := p.atom()
	if p.accept("^") {
		return binary(defs.ExPow, l, p.power())
	}
	return l
}

func (p *parser) stringOrIdent() *defs.Expr {
	if p.tok.kind != tokString && p.tok.kind != tokIdent {
		p.fail("string or name expected")
	}
	return p.atom()
}

func (p *parser) atom() *defs.Expr {
	t := p.tok
	switch t.kind {
	case tokString:
		p.next()
		return &defs.Expr{Kind: defs.ExString, Sym: defs.NoSym, Str: t.text}
	case tokInt:
		p.next()
		return &defs.Expr{Kind: defs.ExInt, Sym: defs.NoSym, Int: t.i}
	case tokFloat:
		p.next()
		return &defs.Expr{Kind: defs.ExFloat, Sym: defs.NoSym, Float: t.f}
	case tokOp:
		switch t.text {
		case "(":
			p.next()
			e := p.expr()
			p.expect(")")
			return e
		case "-":
			p.next()
			return &defs.Expr{Kind: defs.ExNeg, Sym: defs.NoSym, Args: []*defs.Expr{p.atom()}}
		case "~":
			p.next()
			return &defs.Expr{Kind: defs.ExTrue, Sym: defs.NoSym}
		}
	case tokIdent:
		return p.identExpr()
	}
	p.fail("expression expected, found %q", t.text)
	return nil
}

func (p *parser) identExpr() *defs.Expr {
	name := p.tok.text
	p.next()
	if name == "null" {
		return &defs.Expr{Kind: defs.ExNil, Sym: defs.NoSym}
	}
	if !p.peekOp("(") {
		return &defs.Expr{Kind: defs.ExKey, Sym: p.sym(name)}
	}
	p.next()
	switch name {
	case "length":
		e := &defs.Expr{Kind: defs.ExLength, Sym: p.sym(p.ident())}
		p.expect(")")
		return e
	case "is_in_list", "is_in_dict":
		e := &defs.Expr{Kind: defs.ExInList, Sym: p.sym(p.ident())}
		p.expect(",")
		e.Str = p.str()
		p.expect(")")
		return e
	case "is_integer", "is_number":
		e := &defs.Expr{Kind: defs.ExIsInteger, Sym: p.sym(p.ident())}
		if p.accept(",") {
			e.Start = int32(p.integer())
		}
		if p.accept(",") {
			e.Len = int32(p.integer())
		}
		p.expect(")")
		return e
	case "substr":
		e := &defs.Expr{Kind: defs.ExKey, Sym: defs.NoSym}
		if p.tok.kind == tokString {
			e.Kind, e.Str = defs.ExSubstr, p.str()
		} else {
			e.Sym = p.sym(p.ident())
		}
		p.expect(",")
		e.Start = int32(p.integer())
		p.expect(",")
		e.Len = int32(p.integer())
		p.expect(")")
		return e
	}
	e := &defs.Expr{Kind: defs.ExFunc, Sym: p.sym(name), Args: p.args(")")}
	p.expect(")")
	return e
}

// args parses a possibly empty list of expressions up to the closing token.
func (p *parser) args(closing string) []*defs.Expr {
	var out []*defs.Expr
	for !p.peekOp(closing) {
		out = append(out, p.expr())
		if !p.accept(",") {
			break
		}
	}
	return out
}
