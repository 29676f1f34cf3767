package deflang

import (
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// statements parses up to the closing token, or the end of the file if there is
// none.
func (p *parser) statements(closing string) []*defs.Action {
	var out []*defs.Action
	for {
		for p.accept(";") {
		}
		if p.tok.kind == tokEOF {
			if closing != "" {
				p.fail("unexpected end of file")
			}
			return out
		}
		if closing != "" && p.peekOp(closing) {
			return out
		}
		out = append(out, p.statement())
	}
}

func (p *parser) block() []*defs.Action {
	p.expect("{")
	b := p.statements("}")
	p.expect("}")
	return b
}

func action(k defs.Kind) *defs.Action {
	return &defs.Action{Kind: k, Name: defs.NoSym, NS: defs.NoSym, Target: defs.NoSym,
		DefaultKey: defs.NoSym, MasterDir: defs.NoSym, LocalDir: defs.NoSym}
}

func (p *parser) statement() *defs.Action {
	if p.tok.kind == tokInclude {
		a := action(defs.Include)
		a.Path = p.tok.text
		p.next()
		return a
	}
	word := p.ident()
	if a := p.control(word); a != nil {
		return a
	}
	a := p.simple(word)
	p.expect(";")
	return a
}

// control parses the statements that end with a block.
func (p *parser) control(word string) *defs.Action {
	switch word {
	case "if", "_if":
		return p.ifBlock(word)
	case "when":
		return p.when()
	case "concept", "concept_nofail":
		return p.concept(word == "concept_nofail")
	}
	if p.acceptWord("list") {
		a := action(defs.List)
		a.Name = p.sym(word)
		a.Cond = p.parenthesised()
		a.Then = p.block()
		return a
	}
	return nil
}

func (p *parser) ifBlock(word string) *defs.Action {
	a := action(defs.If)
	if word == "_if" {
		a.Kind = defs.IfTransient
	}
	a.Cond = p.parenthesised()
	a.Then = p.block()
	if p.acceptWord("else") {
		a.Else = p.block()
	}
	return a
}

// when holds settings that run when a key changes; reading never runs them.
func (p *parser) when() *defs.Action {
	a := action(defs.When)
	p.parenthesised()
	if p.peekOp("{") {
		p.block()
	} else {
		p.statement()
	}
	if p.acceptWord("else") {
		p.block()
	}
	return a
}

func (p *parser) concept(nofail bool) *defs.Action {
	a := action(defs.Concept)
	a.NoFail = nofail
	p.qualified(a)
	if p.accept("(") {
		a.DefaultKey = p.sym(p.ident())
		if p.accept(",") {
			if p.tok.kind == tokString {
				a.Path = p.str()
			} else {
				a.Path = p.ident()
			}
			p.expect(",")
			a.MasterDir = p.sym(p.ident())
			if p.accept(",") {
				a.LocalDir = p.sym(p.ident())
			}
			if p.accept(",") {
				p.fail("a concept with three directories is not supported")
			}
		}
		p.expect(")")
	}
	if p.accept("{") {
		a.Inline = p.conceptEntries()
		// A list written in place is kept last to first, as in ecCodes: of equal
		// matches the first counts. A list in its own file is not turned.
		slices.Reverse(a.Inline)
		p.expect("}")
	}
	a.Flags = p.flags()
	return a
}

func (p *parser) parenthesised() *defs.Expr {
	p.expect("(")
	e := p.expr()
	p.expect(")")
	return e
}

// qualified parses "name" or "namespace.name".
func (p *parser) qualified(a *defs.Action) {
	a.Name = p.sym(p.ident())
	if p.accept(".") {
		a.NS, a.Name = a.Name, p.sym(p.ident())
	}
}
