package mapping

import (
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/partdate"
)

// A Lookup gives the value of a key in the three types in which it can be asked for. The second
// result is false if there is no such key, or it has no value of this type.
type Lookup interface {
	Text(key string) (string, bool)
	Int(key string) (int64, bool)
	Real(key string) (float64, bool)
}

// An Operator is a comparison of a key with a value.
type Operator string

// The operators.
const (
	Equal        Operator = "="
	NotEqual     Operator = "!="
	Less         Operator = "<"
	LessEqual    Operator = "<="
	Greater      Operator = ">"
	GreaterEqual Operator = ">="
)

// A Clause compares a key with values. [ParseClause] makes it.
type Clause struct {
	Key      string
	Type     byte // 's', 'i' or 'd'; 0 leaves it to the values
	Operator Operator
	Values   []ClauseValue
	text     string // the values as they were given
}

// Clauses hold if each of them holds.
type Clauses []Clause

// A clauseKind is how a value is compared.
type clauseKind uint8

const (
	kindText clauseKind = iota
	kindPattern
	kindInteger
	kindDecimal
	kindDay   // 2017-03-22; integer is 20170322
	kindClock // 06:00; integer is 600
	kindSpan  // low to high, by step
)

// A ClauseValue is a value to compare with in a clause.
type ClauseValue struct {
	kind    clauseKind
	text    string // as it was given
	integer int64
	real    float64
	date    partdate.Date // nil if the text is no date; numbers are none
	// Of a span: low <= high; step is 0 if every value between belongs to it.
	low, high *ClauseValue
	step      float64
}

// String returns the clause as [ParseClause] reads it.
func (c *Clause) String() string {
	key := c.Key
	if c.Type != 0 {
		key += ":" + string(c.Type)
	}
	return key + string(c.Operator) + c.text
}

// Only returns the integer that the key must have; ok is false if the clause permits other values.
func (c *Clause) Only() (n int64, ok bool) {
	if c.Operator != Equal || len(c.Values) != 1 || c.Values[0].kind != kindInteger {
		return 0, false
	}
	return c.Values[0].integer, true
}

// number returns the value as a number.
func (v *ClauseValue) number() float64 {
	if v.kind == kindDecimal {
		return v.real
	}
	return float64(v.integer)
}

// newValue finds out the kind of a text.
func newValue(s string) ClauseValue {
	v := ClauseValue{text: s}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		v.kind, v.integer = kindInteger, n
		return v
	}
	if f, ok := parseReal(s); ok {
		v.kind, v.real = kindDecimal, f
		return v
	}
	v.date, _ = partdate.Parse(s)
	if n, ok := digits(s, "dddd-dd-dd"); ok {
		v.kind, v.integer = kindDay, n
		return v
	}
	if n, ok := digits(s, "dd:dd"); ok {
		v.kind, v.integer = kindClock, n
		return v
	}
	if strings.ContainsAny(s, "*?") {
		v.kind = kindPattern
	}
	return v
}

// parseReal reads a decimal number. Names such as inf and nan are texts.
func parseReal(s string) (float64, bool) {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// digits reads the number in the digits of s, if it has the form of layout. In layout d stands for
// a digit.
func digits(s, layout string) (n int64, ok bool) {
	if len(s) != len(layout) {
		return 0, false
	}
	for i := range len(s) {
		switch isDigit := '0' <= s[i] && s[i] <= '9'; {
		case layout[i] == 'd' && isDigit:
			n = 10*n + int64(s[i]-'0')
		case layout[i] != s[i]:
			return 0, false
		}
	}
	return n, true
}
