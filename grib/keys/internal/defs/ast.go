// Package defs holds the compiled form of ecCodes' definition files. These are
// the statements of the definition language, the concept tables and the code
// tables, and the archive in which all of them are embedded.
//
// The archive (data/definitions.bin) is written by the command in
// grib/keys/internal/gen. Its layout is described in archive.go; every part is
// decompressed on first use only.
package defs

// A Sym is an interned identifier: an index into the archive's sorted table of
// names. NoSym means "no name".
type Sym int32

// NoSym is the absent identifier.
const NoSym Sym = -1

// Flags of an accessor, as the definition language names them.
type Flags uint32

// The accessor flags.
const (
	ReadOnly Flags = 1 << iota
	Dump
	EditionSpecific
	CanBeMissing
	Hidden
	Constraint
	Override
	NoCopy
	CopyOK
	Function
	DataFlag
	NoFail
	Transient
	StringType
	LongType
	DoubleType
	Lowercase
	CopyAsLong
	CopyIfChangingEdition
)

// A Kind is the kind of a statement.
type Kind uint8

// The statements. The statement When only matters to a message that is changed,
// but takes a place in the list of accessors.
const (
	Gen         Kind = iota // creates one accessor of class Op
	Alias                   // alias [ns.]name = target
	Unalias                 // unalias [ns.]name
	If                      // if (expr) { … } else { … }
	IfTransient             // _if: an If whose keys are not coded
	When                    // when (…) { set … }
	Template                // template name "path"
	List                    // name list(expr) { … }
	Concept                 // concept name(default, "file", dir, dir)
	Remove                  // remove name
	Modify                  // modify name : flags
	Include                 // include "file": its statements in place
	Noop                    // assert, set: of no meaning to a reader
)

// An Action is one statement.
type Action struct {
	Kind   Kind
	NoFail bool   // template_nofail, concept_nofail
	Op     uint8  // Gen: index into Library.Ops
	Flags  Flags  // Gen, Concept, Modify, Alias
	Len    int32  // Gen: the number in brackets
	Name   Sym    // key name
	NS     Sym    // namespace, NoSym if none
	Target Sym    // Alias: the key that gets the name
	Path   string // Template and Include: path, Concept: file
	Args   []*Expr
	Init   []*Expr // "= value" default of a Gen
	Cond   *Expr   // If, List
	Then   []*Action
	Else   []*Action

	// Concept only.
	DefaultKey Sym
	MasterDir  Sym
	LocalDir   Sym
	Inline     []ConceptEntry // entries written in place
}

// An ExprKind is the kind of an expression.
type ExprKind uint8

// The expressions, in the order of the grammar.
const (
	ExNil ExprKind = iota
	ExInt
	ExFloat
	ExString
	ExKey    // value of a key; Start and Len for substr
	ExSubstr // substring of a literal
	ExTrue
	ExFunc // function call
	ExLength
	ExInList
	ExIsInteger
	ExNeg
	ExNot
	ExPow
	ExMul
	ExDiv
	ExMod
	ExBit
	ExBitOff
	ExAdd
	ExSub
	ExGT
	ExEQ
	ExLT
	ExGE
	ExLE
	ExNE
	ExIs
	ExIsNot
	ExAnd
	ExOr
)

// An Expr is a node of an expression tree.
type Expr struct {
	Kind       ExprKind
	Sym        Sym     // ExKey, ExLength, ExInList, ExIsInteger, ExFunc
	Int        int64   // ExInt
	Float      float64 // ExFloat
	Str        string  // ExString, ExInList file, ExSubstr
	Start, Len int32   // ExKey, ExSubstr, ExIsInteger
	Args       []*Expr // operands, or ExFunc arguments
}

// A Cond is one condition of a concept entry: Key equals a constant, an
// expression or a list of integers.
type Cond struct {
	Key  Sym
	Kind ExprKind // ExInt, ExFloat, ExString, or ExNil for Expr or Ints
	Int  int64
	Flt  float64
	Str  string
	Expr *Expr
	Ints []int64
}

// A ConceptEntry is one "value = { conditions }".
type ConceptEntry struct {
	Value string
	Conds []Cond
}
