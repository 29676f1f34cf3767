package deflang

import (
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// A File is the content of a definition file: statements or concept entries.
type File struct {
	Actions  []*defs.Action
	Concepts []defs.ConceptEntry
	// IsConcept distinguishes an empty concept table from an empty list of statements.
	IsConcept bool
}

// An Interner gives each identifier and each accessor class its number.
type Interner interface {
	Sym(name string) defs.Sym
	Op(class string) uint8
}

// A parser descends through the grammar. The first error is kept and the rest
// of the file skipped: every further token is the end of the file.
type parser struct {
	file string
	toks []token
	pos  int
	tok  token
	in   Interner
	err  error
}

// Parse parses one file.
func Parse(name string, src []byte, in Interner) (*File, error) {
	toks, err := lex(name, src)
	if err != nil {
		return nil, err
	}
	p := &parser{file: name, toks: toks, in: in, tok: toks[0]}
	f := &File{}
	if p.atConceptEntry() {
		f.IsConcept = true
		f.Concepts = p.conceptEntries()
		if p.tok.kind != tokEOF {
			p.fail("concept value expected, found %q", p.tok.text)
		}
	} else {
		f.Actions = p.statements("")
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &Error{p.file, p.tok.line, fmt.Sprintf(format, args...)}
	}
	p.pos = len(p.toks) - 1
	p.tok = p.toks[p.pos]
}

func (p *parser) sym(s string) defs.Sym { return p.in.Sym(s) }

// next moves on; the end of the file is never passed.
func (p *parser) next() {
	if p.pos+1 < len(p.toks) {
		p.pos++
		p.tok = p.toks[p.pos]
	}
}

func (p *parser) peek(n int) token {
	if p.pos+n < len(p.toks) {
		return p.toks[p.pos+n]
	}
	return token{}
}

func (p *parser) peekOp(op string) bool { return p.tok.kind == tokOp && p.tok.text == op }

func (p *parser) accept(op string) bool {
	if p.peekOp(op) {
		p.next()
		return true
	}
	return false
}

func (p *parser) acceptWord(w string) bool {
	if p.tok.kind == tokIdent && p.tok.text == w {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(op string) {
	if !p.accept(op) {
		p.fail("%q expected, found %q", op, p.tok.text)
	}
}

func (p *parser) ident() string {
	if p.tok.kind != tokIdent {
		p.fail("name expected, found %q", p.tok.text)
	}
	s := p.tok.text
	p.next()
	return s
}

func (p *parser) str() string {
	if p.tok.kind != tokString {
		p.fail("string expected, found %q", p.tok.text)
	}
	s := p.tok.text
	p.next()
	return s
}

func (p *parser) integer() int64 {
	if p.tok.kind != tokInt {
		p.fail("integer expected, found %q", p.tok.text)
	}
	v := p.tok.i
	p.next()
	return v
}

// atConceptEntry: value = { … } at the start of a file.
func (p *parser) atConceptEntry() bool {
	switch p.tok.kind {
	case tokString, tokIdent, tokInt, tokFloat:
	default:
		return false
	}
	a, b := p.peek(1), p.peek(2)
	return a.kind == tokOp && a.text == "=" && b.kind == tokOp && b.text == "{"
}

func (p *parser) conceptEntries() []defs.ConceptEntry {
	var out []defs.ConceptEntry
	for p.tok.kind != tokEOF && !p.peekOp("}") {
		var e defs.ConceptEntry
		switch p.tok.kind {
		case tokString, tokIdent:
			e.Value = p.tok.text
		case tokInt:
			e.Value = strconv.FormatInt(p.tok.i, 10)
		case tokFloat:
			e.Value = strconv.FormatFloat(p.tok.f, 'g', 6, 64)
		default:
			p.fail("concept value expected, found %q", p.tok.text)
		}
		p.next()
		p.expect("=")
		p.expect("{")
		for p.err == nil && !p.accept("}") {
			e.Conds = append(e.Conds, p.entryCondition())
		}
		out = append(out, e)
	}
	return out
}

func (p *parser) entryCondition() defs.Cond {
	c := defs.Cond{Key: p.sym(p.ident())}
	p.expect("=")
	if p.accept("[") {
		c.Ints = append(c.Ints, p.integer())
		for p.accept(",") {
			c.Ints = append(c.Ints, p.integer())
		}
		p.expect("]")
		p.expect(";")
		return c
	}
	e := p.expr()
	p.expect(";")
	switch e.Kind {
	case defs.ExInt:
		c.Kind, c.Int = defs.ExInt, e.Int
	case defs.ExFloat:
		c.Kind, c.Flt = defs.ExFloat, e.Float
	case defs.ExString:
		c.Kind, c.Str = defs.ExString, e.Str
	default:
		c.Expr = e
	}
	return c
}

var flagNames = map[string]defs.Flags{
	"read_only": defs.ReadOnly, "lowercase": defs.Lowercase, "dump": defs.Dump, "no_copy": defs.NoCopy,
	"no_fail": defs.NoFail, "hidden": defs.Hidden, "edition_specific": defs.EditionSpecific,
	"can_be_missing": defs.CanBeMissing, "constraint": defs.Constraint, "copy_ok": defs.CopyOK,
	"copy_as_long": defs.CopyAsLong, "copy_if_changing_edition": defs.CopyIfChangingEdition,
	"transient": defs.Transient, "string_type": defs.StringType, "long_type": defs.LongType,
	"double_type": defs.DoubleType, "override": defs.Override,
}

func (p *parser) flags() defs.Flags {
	if !p.accept(":") {
		return 0
	}
	var f defs.Flags
	for {
		name := p.ident()
		v, ok := flagNames[name]
		if !ok {
			p.fail("unknown flag %q", name)
		}
		f |= v
		if !p.accept(",") {
			return f
		}
	}
}

// initial parses an optional "= value, …".
func (p *parser) initial() []*defs.Expr {
	if !p.accept("=") {
		return nil
	}
	out := []*defs.Expr{p.expr()}
	for p.accept(",") {
		out = append(out, p.expr())
	}
	return out
}
