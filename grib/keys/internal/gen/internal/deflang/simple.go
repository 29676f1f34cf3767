package deflang

import (
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

func (p *parser) gen(op string) *defs.Action {
	a := action(defs.Gen)
	a.Op = p.in.Op(op)
	return a
}

// sized are statements of the form class[n] name …
var sized = map[string]string{
	"unsigned": "unsigned", "signed": "signed", "ascii": "ascii", "byte": "bytes", "ksec1expver": "ksec1expver",
	"codetable": "codetable", "flags": "codeflag", "lookup": "lookup",
	"section_length": "section_length", "g1_message_length": "g1_message_length",
	"g1_section4_length": "g1_section4_length",
}

// plain are statements of the form class name [(args)] [= default] [: flags];
// the number is the octets that a key takes.
var plain = map[string]struct {
	op  string
	len int32
}{
	"ibmfloat": {"ibmfloat", 4}, "ieeefloat": {"ieeefloat", 4}, "position": {"position", 0}, "label": {"label", 0},
	"g1_half_byte_codeflag": {"g1_half_byte_codeflag", 0}, "pad": {"pad", 0}, "padto": {"padto", 0},
	"padtoeven": {"padtoeven", 0}, "padtomultiple": {"padtomultiple", 0}, "section_padding": {"section_padding", 0},
	"flagbit": {"bit", 0},
}

// simple parses a statement up to, not including, its semicolon.
func (p *parser) simple(word string) *defs.Action {
	if op, ok := sized[word]; ok {
		if p.peekOp("[") || p.peekOp("(") {
			return p.sized(word, op)
		}
	}
	if pl, ok := plain[word]; ok && p.tok.kind != tokOp {
		return p.plain(pl.op, pl.len)
	}
	switch word {
	case "constant", "transient":
		return p.variable(word)
	case "template", "template_nofail":
		a := action(defs.Template)
		a.NoFail = word == "template_nofail"
		a.Name = p.sym(p.ident())
		a.Path = p.str()
		return a
	case "alias":
		return p.alias()
	case "unalias":
		a := action(defs.Unalias)
		p.qualified(a)
		return a
	case "meta":
		return p.meta()
	case "iterator", "nearest":
		return p.iterator(word)
	case "remove":
		a := action(defs.Remove)
		a.Args = p.args(";")
		return a
	case "modify":
		a := action(defs.Modify)
		a.Name = p.sym(p.ident())
		a.Flags = p.flags()
		return a
	case "set", "set_nofail":
		p.ident()
		p.expect("=")
		if !p.acceptWord("MISSING") {
			p.expr()
		}
		return action(defs.Noop)
	case "assert":
		p.parenthesised()
		return action(defs.Noop)
	}
	return p.assignment(word)
}

func (p *parser) sized(word, op string) *defs.Action {
	a := p.gen(op)
	switch {
	case p.accept("("):
		a.Len = int32(p.integer())
		p.expect(")")
		a.Op = p.in.Op(op + "_bits")
	default:
		p.expect("[")
		if word == "codetable" && p.tok.kind == tokIdent {
			a.Args = []*defs.Expr{{Kind: defs.ExKey, Sym: p.sym(p.ident())}}
		} else {
			a.Len = int32(p.integer())
		}
		p.expect("]")
	}
	if p.tok.kind == tokString { // ascii[4] '7777'
		a.Name = p.sym(p.str())
	} else {
		a.Name = p.sym(p.ident())
	}
	switch {
	case op == "codetable":
		if p.accept("(") {
			a.Args = append(a.Args, p.args(")")...)
			p.expect(")")
		} else {
			a.Args = append(a.Args, p.expr())
		}
	case op == "codeflag":
		a.Args = []*defs.Expr{p.expr()}
	case p.accept("("):
		a.Args = p.args(")")
		p.expect(")")
	case p.accept("["):
		a.Args = p.args("]")
		p.expect("]")
	}
	a.Init = p.initial()
	if p.acceptWord("set") {
		p.expect("(")
		a.Target = p.sym(p.ident())
		p.expect(")")
	}
	a.Flags = p.flags()
	return a
}

func (p *parser) plain(op string, n int32) *defs.Action {
	a := p.gen(op)
	a.Len = n
	if p.tok.kind == tokString {
		a.Name = p.sym(p.str())
	} else {
		a.Name = p.sym(p.ident())
	}
	if p.accept(".") {
		a.NS, a.Name = a.Name, p.sym(p.ident())
	}
	switch {
	case p.accept("("):
		a.Args = p.args(")")
		p.expect(")")
	case p.accept("["):
		a.Args = p.args("]")
		p.expect("]")
	}
	a.Init = p.initial()
	a.Flags = p.flags()
	return a
}

func (p *parser) variable(op string) *defs.Action {
	a := p.gen(op)
	a.Name = p.sym(p.ident())
	p.expect("=")
	a.Args = []*defs.Expr{p.expr()}
	a.Flags = p.flags()
	return a
}

func (p *parser) alias() *defs.Action {
	a := action(defs.Alias)
	p.qualified(a)
	p.expect("=")
	a.Target = p.sym(p.ident())
	a.Flags = p.flags()
	return a
}

func (p *parser) meta() *defs.Action {
	a := action(defs.Gen)
	p.qualified(a)
	a.Op = p.in.Op(p.ident())
	p.expect("(")
	a.Args = p.args(")")
	p.expect(")")
	a.Init = p.initial()
	a.Flags = p.flags()
	return a
}

func (p *parser) iterator(word string) *defs.Action {
	a := p.gen(word)
	a.Name = p.sym(strings.ToUpper(word))
	a.Args = []*defs.Expr{{Kind: defs.ExKey, Sym: p.sym(p.ident())}}
	p.expect("(")
	a.Args = append(a.Args, p.args(")")...)
	p.expect(")")
	a.Flags = defs.Hidden | defs.ReadOnly
	return a
}

// assignment parses name = getenv(args), the only class written in this form.
func (p *parser) assignment(name string) *defs.Action {
	p.expect("=")
	if !p.acceptWord("getenv") {
		p.fail("statement %q not understood", name)
	}
	a := p.gen("getenv")
	a.Name = p.sym(name)
	p.expect("(")
	a.Args = p.args(")")
	p.expect(")")
	a.Flags = p.flags()
	return a
}
