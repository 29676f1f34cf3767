package deflang

import (
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

func (p *parser) statements(end func() bool) []*defs.Action {
	var out []*defs.Action
	for {
		for p.accept(";") {
		}
		if end() {
			return out
		}
		if p.tok.kind == tokEOF {
			p.fail("unexpected end of file")
		}
		out = append(out, p.statement())
	}
}

func (p *parser) block() []*defs.Action {
	p.expect("{")
	b := p.statements(func() bool { return p.peekOp("}") })
	p.expect("}")
	return b
}

func action(k defs.Kind) *defs.Action {
	return &defs.Action{Kind: k, Name: defs.NoSym, NS: defs.NoSym, Target: defs.NoSym,
		DefaultKey: defs.NoSym, MasterDir: defs.NoSym, LocalDir: defs.NoSym}
}

func (p *parser) gen(op string) *defs.Action {
	a := action(defs.Gen)
	a.Op = p.op(op)
	return a
}

// sized are statements of the form class[n] name …
var sized = map[string]string{
	"unsigned": "unsigned", "signed": "signed", "ascii": "ascii", "byte": "bytes", "ksec1expver": "ksec1expver",
	"codetable": "codetable", "complex_codetable": "codetable", "flags": "codeflag", "lookup": "lookup",
	"section_length": "section_length", "g1_message_length": "g1_message_length",
	"g1_section4_length": "g1_section4_length", "message": "message",
}

// plain are statements of the form class name [(args)] [= default] [: flags]
var plain = map[string]struct {
	op  string
	len int32
}{
	"ibmfloat": {"ibmfloat", 4}, "ieeefloat": {"ieeefloat", 4}, "position": {"position", 0}, "label": {"label", 0},
	"g1_half_byte_codeflag": {"g1_half_byte_codeflag", 0}, "pad": {"pad", 0}, "padto": {"padto", 0},
	"padtoeven": {"padtoeven", 0}, "padtomultiple": {"padtomultiple", 0}, "section_padding": {"section_padding", 0},
	"message_copy": {"message_copy", 0}, "flagbit": {"bit", 0}, "group": {"group", 0}, "non_alpha": {"non_alpha", 0},
	"smart_table": {"smart_table", 0}, "uint8": {"uint8", 1}, "uint16": {"uint16", 2}, "uint32": {"uint32", 4},
	"int16": {"int16", 2}, "int32": {"int32", 4}, "uint64": {"uint64", 8}, "int64": {"int64", 8}, "blob": {"blob", 0},
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
	// A missing semicolon before a block or the end is tolerated by none of the
	// shipped files except after an include.
	p.expect(";")
	return a
}

// control parses the statements that end with a block.
func (p *parser) control(word string) *defs.Action {
	switch word {
	case "if", "_if":
		return p.ifBlock(word)
	case "while":
		a := action(defs.While)
		p.expect("(")
		a.Cond = p.expr()
		p.expect(")")
		a.Then = p.block()
		return a
	case "when":
		return p.when()
	case "trigger":
		a := action(defs.Trigger)
		p.expect("(")
		a.Args = p.args(")")
		p.expect(")")
		a.Then = p.block()
		return a
	case "concept", "concept_nofail":
		return p.concept(word == "concept_nofail")
	case "switch":
		return p.switchBlock()
	}
	if p.acceptWord("list") {
		a := action(defs.List)
		a.Name = p.sym(word)
		p.expect("(")
		a.Cond = p.expr()
		p.expect(")")
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
	p.expect("(")
	a.Cond = p.expr()
	p.expect(")")
	a.Then = p.block()
	if p.acceptWord("else") {
		a.Else = p.block()
	}
	return a
}

// when holds settings that run when a key changes; reading never runs them.
func (p *parser) when() *defs.Action {
	a := action(defs.When)
	p.expect("(")
	a.Cond = p.expr()
	p.expect(")")
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

func (p *parser) switchBlock() *defs.Action {
	a := action(defs.Switch)
	p.expect("(")
	a.Args = p.args(")")
	p.expect(")")
	p.expect("{")
	end := func() bool {
		return p.peekOp("}") || p.tok.kind == tokIdent && (p.tok.text == "case" || p.tok.text == "default")
	}
	for p.acceptWord("case") {
		var c defs.Case
		for {
			c.Values = append(c.Values, p.expr())
			if !p.accept(",") {
				break
			}
		}
		p.expect(":")
		c.Body = p.statements(end)
		a.Cases = append(a.Cases, c)
	}
	if p.acceptWord("default") {
		p.expect(":")
		a.Else = p.statements(end)
	}
	p.expect("}")
	return a
}

func (p *parser) concept(nofail bool) *defs.Action {
	a := action(defs.Concept)
	a.Op = p.op("concept")
	a.NoFail = nofail
	a.Name = p.sym(p.ident())
	if p.accept(".") {
		a.NS, a.Name = a.Name, p.sym(p.ident())
	}
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
		a.Inline = p.conceptEntries(tokEOF)
		// ecCodes keeps a list written in place last to first, so that of equal
		// matches the first one counts; a list in a file of its own is not turned.
		slices.Reverse(a.Inline)
		p.expect("}")
	}
	a.Flags = p.flags()
	return a
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
	case "constant":
		return p.variable("constant")
	case "transient":
		return p.transient()
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
		a.Name = p.sym(p.ident())
		if p.accept(".") {
			a.NS, a.Name = a.Name, p.sym(p.ident())
		}
		return a
	case "meta":
		return p.meta()
	case "iterator", "nearest", "box":
		return p.iterator(word)
	case "remove":
		a := action(defs.Remove)
		a.Args = p.args(";")
		return a
	case "rename":
		a := action(defs.Rename)
		p.expect("(")
		a.Name = p.sym(p.ident())
		p.expect(",")
		a.Target = p.sym(p.ident())
		p.expect(")")
		return a
	case "modify":
		a := action(defs.Modify)
		a.Name = p.sym(p.ident())
		a.Flags = p.flags()
		return a
	case "set", "set_nofail":
		a := action(defs.Set)
		a.Name = p.sym(p.ident())
		p.expect("=")
		if !p.acceptWord("MISSING") {
			a.Cond = p.expr()
		}
		return a
	case "assert":
		p.expect("(")
		p.expr()
		p.expect(")")
		return action(defs.Noop)
	}
	return p.assignment(word)
}

func (p *parser) sized(word, op string) *defs.Action {
	bits := false
	a := p.gen(op)
	switch {
	case p.accept("("):
		bits = true
		a.Len = int32(p.integer())
		p.expect(")")
		a.Op = p.op(op + "_bits")
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
	_ = bits
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

func (p *parser) transient() *defs.Action {
	if t := p.peek(2); t.kind == tokOp && t.text == "{" {
		a := action(defs.TransientDarray)
		a.Name = p.sym(p.ident())
		p.expect("=")
		p.expect("{")
		for !p.accept("}") {
			switch p.tok.kind {
			case tokInt:
				a.Floats = append(a.Floats, float64(p.tok.i))
			case tokFloat:
				a.Floats = append(a.Floats, p.tok.f)
			default:
				p.fail("number expected")
			}
			p.next()
			p.accept(",")
		}
		a.Flags = p.flags()
		return a
	}
	return p.variable("transient")
}

func (p *parser) alias() *defs.Action {
	a := action(defs.Alias)
	a.Name = p.sym(p.ident())
	if p.accept(".") {
		a.NS, a.Name = a.Name, p.sym(p.ident())
	}
	p.expect("=")
	a.Target = p.sym(p.ident())
	a.Flags = p.flags()
	return a
}

func (p *parser) meta() *defs.Action {
	a := action(defs.Gen)
	a.Name = p.sym(p.ident())
	if p.accept(".") {
		a.NS, a.Name = a.Name, p.sym(p.ident())
	}
	a.Op = p.op(p.ident())
	p.expect("(")
	a.Args = p.args(")")
	p.expect(")")
	a.Init = p.initial()
	a.Flags = p.flags()
	return a
}

func (p *parser) iterator(word string) *defs.Action {
	a := p.gen(word)
	names := map[string]string{"iterator": "ITERATOR", "nearest": "NEAREST", "box": "BOX"}
	a.Name = p.sym(names[word])
	a.Args = []*defs.Expr{{Kind: defs.ExKey, Sym: p.sym(p.ident())}}
	p.expect("(")
	a.Args = append(a.Args, p.args(")")...)
	p.expect(")")
	a.Flags = defs.Hidden | defs.ReadOnly
	return a
}

// assignment parses name = class(args) for the few classes written so.
func (p *parser) assignment(name string) *defs.Action {
	p.expect("=")
	fn := p.ident()
	op, ok := map[string]string{"getenv": "getenv", "dict_search": "dictionary", "to_integer": "to_integer",
		"to_string": "to_string", "sexagesimal2decimal": "sexagesimal2decimal"}[fn]
	if !ok {
		p.fail("statement %q not understood", name)
	}
	a := p.gen(op)
	a.Name = p.sym(name)
	p.expect("(")
	a.Args = p.args(")")
	p.expect(")")
	a.Flags = p.flags()
	return a
}
