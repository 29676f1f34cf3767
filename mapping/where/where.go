// Package where is the language of --where, which selects objects and fields by the values of their keys.
//
//	clause   = key [":" type] operator values
//	operator = "=" | "!=" | "<" | "<=" | ">" | ">="
//	values   = value { "/" value }
//	value    = text | low "/to/" high [ "/by/" step ]
//
// If several clauses are given, one by one or joined by commas, all must hold. With = the key must
// equal one of the values, with != none of them; the other operators take one value.
//
//	shortName=t/q          one of two
//	level>500,level<=850   between
//	level=500/to/850/by/50 500, 550, … 850
//	name!=unknown*         * stands for any text, ? for one character
//	date=2017-03-22        a date as listings print it: 20170322; time=06:00 is 600
//
// # Types
//
// The value decides how it is compared, as in ecCodes' tools: an integer with the key's value as an
// integer, a decimal number with the key's value as a real number, anything else with its text. So
// centre=98 and centre=ecmf select the same GRIB fields. A type after the key overrides this: s for
// text, i (or l) for integer, d for real.
//
// A date without its end, such as 2020-01, stands for a span of time: time=2020-01 holds for all times of
// the month, time<2020-01 for earlier times, and time>2020-01 for times after the first moment of the month.
//
// An object without the key matches only clauses with !=.
//
// # Other words
//
// The value of a key may come in several words, such as the name of a parameter in the metadata of a message and in
// ecCodes. Then a clause holds if it does for any of them, and a clause with != if it does for all.
package where

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

// A Clause compares a key with values. [Parse] makes it.
type Clause struct {
	Key      string
	Type     byte // 's', 'i' or 'd'; 0 leaves it to the values
	Operator Operator
	Values   []Value
	text     string // the values as they were given
}

// Clauses hold if each of them holds.
type Clauses []Clause

// A kind is how a value is compared.
type kind uint8

const (
	text kind = iota
	pattern
	integer
	decimal
	day   // 2017-03-22; integer is 20170322
	clock // 06:00; integer is 600
	span  // low to high, by step
)

// A Value is a value to compare with in a clause.
type Value struct {
	kind    kind
	text    string // as it was given
	integer int64
	real    float64
	date    partdate.Date // nil if the text is no date; numbers are none
	// Of a span: low <= high; step is 0 if every value between belongs to it.
	low, high *Value
	step      float64
}

// String returns the clause as [Parse] reads it.
func (c *Clause) String() string {
	key := c.Key
	if c.Type != 0 {
		key += ":" + string(c.Type)
	}
	return key + string(c.Operator) + c.text
}

// Only returns the integer that the key must have; ok is false if the clause permits other values.
func (c *Clause) Only() (n int64, ok bool) {
	if c.Operator != Equal || len(c.Values) != 1 || c.Values[0].kind != integer {
		return 0, false
	}
	return c.Values[0].integer, true
}

// number returns the value as a number.
func (v *Value) number() float64 {
	if v.kind == decimal {
		return v.real
	}
	return float64(v.integer)
}

// newValue finds out the kind of a text.
func newValue(s string) Value {
	v := Value{text: s}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		v.kind, v.integer = integer, n
		return v
	}
	if f, ok := parseReal(s); ok {
		v.kind, v.real = decimal, f
		return v
	}
	v.date, _ = partdate.Parse(s)
	if n, ok := digits(s, "dddd-dd-dd"); ok {
		v.kind, v.integer = day, n
		return v
	}
	if n, ok := digits(s, "dd:dd"); ok {
		v.kind, v.integer = clock, n
		return v
	}
	if strings.ContainsAny(s, "*?") {
		v.kind = pattern
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
