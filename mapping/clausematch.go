package mapping

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/internal/partdate"
)

// Match reports whether all clauses hold for one object, whose values lookups give, each in its own words. The
// recorder asked, which may be nil, notes which keys were asked for, and the answer.
func (cs Clauses) Match(asked *Asked, ls ...Lookup) bool {
	for i := range cs {
		ok, found := cs[i].Match(ls...)
		if asked != nil {
			asked.Note(cs[i].Key, found)
		}
		if !ok {
			return false
		}
	}
	if asked != nil {
		asked.noteMatch()
	}
	return true
}

// Match reports whether the clause holds, and whether one of the lookups has its key. A clause with != holds
// if it does for each lookup, others if they do for any.
func (c *Clause) Match(ls ...Lookup) (ok, found bool) {
	ok = c.Operator == NotEqual
	for _, l := range ls {
		holds, has := c.match(l)
		found = found || has
		if holds != ok {
			return !ok, true
		}
	}
	return ok, found
}

// match is Match for one lookup.
func (c *Clause) match(l Lookup) (ok, found bool) {
	m := matcher{l, c, false}
	switch c.Operator {
	case Equal, NotEqual:
		for i := range c.Values {
			if m.equals(&c.Values[i]) {
				return c.Operator == Equal, true
			}
		}
		// Alternatives may be one text with slashes in it.
		if ok := len(c.Values) > 1 && m.textEquals(c.text); ok {
			return c.Operator == Equal, true
		}
		return c.Operator == NotEqual, m.has()
	}
	order, ok := m.compare(&c.Values[0])
	if !ok {
		return false, m.has()
	}
	switch c.Operator {
	case Less:
		ok = order < 0
	case LessEqual:
		ok = order <= 0
	case Greater:
		ok = order > 0
	case GreaterEqual:
		ok = order >= 0
	}
	return ok, true
}

// A matcher compares the value of one key.
type matcher struct {
	Lookup
	clause *Clause
	found  bool
}

// has reports whether the key has a value of any type.
func (m *matcher) has() bool {
	if !m.found {
		_, m.found = m.Text(m.clause.Key)
	}
	return m.found
}

func (m *matcher) text() (string, bool) {
	v, ok := m.Text(m.clause.Key)
	m.found = m.found || ok
	return v, ok
}

func (m *matcher) int() (int64, bool) {
	v, ok := m.Int(m.clause.Key)
	m.found = m.found || ok
	return v, ok
}

func (m *matcher) real() (float64, bool) {
	v, ok := m.Real(m.clause.Key)
	m.found = m.found || ok
	return v, ok
}

func (m *matcher) textEquals(want string) bool {
	got, ok := m.text()
	return ok && got == want
}

// equals reports whether the key's value is v.
func (m *matcher) equals(v *ClauseValue) bool {
	if v.kind == kindSpan {
		return m.within(v)
	}
	if order, ok := m.dateOrder(v); ok && order == 0 {
		return true
	}
	switch m.typeFor(v) {
	case 'i':
		if v.kind == kindDecimal {
			got, ok := m.int()
			return ok && float64(got) == v.real
		}
		got, ok := m.int()
		return ok && got == v.integer || v.kind != kindInteger && m.textEquals(v.text)
	case 'd':
		got, ok := m.real()
		return ok && got == v.number()
	}
	if v.kind != kindPattern {
		return m.textEquals(v.text)
	}
	got, ok := m.text()
	return ok && glob(v.text, got)
}

// typeFor is the type in which the key is asked for.
func (m *matcher) typeFor(v *ClauseValue) byte {
	isText := v.kind == kindText || v.kind == kindPattern
	switch {
	case m.clause.Type == 's', isText:
		return 's'
	case m.clause.Type != 0:
		return m.clause.Type
	case v.kind == kindDecimal:
		return 'd'
	}
	return 'i'
}

// within reports whether the key's value belongs to a range.
func (m *matcher) within(v *ClauseValue) bool {
	got, ok := m.real()
	if m.clause.Type == 'i' {
		var n int64
		n, ok = m.int()
		got = float64(n)
	}
	low, high := v.low.number(), v.high.number()
	if from, isDate := m.dateOrder(v.low); isDate {
		to, _ := m.dateOrder(v.high)
		return from >= 0 && to <= 0 && (v.step == 0 || m.onStep(v))
	}
	if !ok || got < low || got > high {
		return false
	}
	if v.step == 0 {
		return true
	}
	if v.low.kind == kindDay {
		got, low = days(got), days(low)
	}
	steps := (got - low) / v.step
	return math.Abs(steps-math.Round(steps)) < 1e-6
}

// onStep reports whether the key's date is some steps of days after the first of a range.
func (m *matcher) onStep(v *ClauseValue) bool {
	text, _ := m.text()
	d, _ := partdate.Fields(text)
	date := float64(d[0]*10000 + d[1]*100 + d[2])
	steps := (days(date) - days(v.low.number())) / v.step
	return math.Abs(steps-math.Round(steps)) < 1e-6
}

// dateOrder compares the key's value, a date as text, with a date; ok is false unless both are dates.
func (m *matcher) dateOrder(v *ClauseValue) (order int, ok bool) {
	if v.date == nil || m.clause.Type != 0 {
		return 0, false
	}
	text, ok := m.text()
	if !ok || !strings.Contains(text, "-") {
		return 0, false
	}
	fields, ok := partdate.Fields(text)
	if !ok {
		return 0, false
	}
	if order = v.date.Compare(fields); order == 0 && m.clause.Operator == Greater && fields != v.date.Start() {
		order = 1 // later than its first moment
	}
	return order, true
}

// days counts the days to a date given as 20170322.
func days(date float64) float64 {
	n := int(date)
	return float64(time.Date(n/10000, time.Month(n/100%100), n%100, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// compare orders the key's value and v: numbers as numbers, texts as texts.
func (m *matcher) compare(v *ClauseValue) (order int, ok bool) {
	if order, ok := m.dateOrder(v); ok {
		return order, true
	}
	if m.clause.Type != 's' && v.kind != kindText && v.kind != kindPattern {
		if m.clause.Type == 'i' {
			got, ok := m.int()
			return cmp.Compare(float64(got), v.number()), ok
		}
		if got, ok := m.real(); ok {
			return cmp.Compare(got, v.number()), !math.IsNaN(got)
		}
		if v.kind == kindInteger || v.kind == kindDecimal {
			return 0, false
		}
	}
	got, ok := m.text()
	return strings.Compare(got, v.text), ok
}

// glob reports whether s has the form of pattern. In it * stands for any text and ? for one
// character.
func glob(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	star, again := -1, 0 // where the last * stands, and which rune of t to try after it
	i := 0
	for j := 0; j < len(t); {
		switch {
		case i < len(p) && p[i] == '*':
			star, again = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i, j = i+1, j+1
		case star >= 0:
			again++
			i, j = star+1, again
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// OneOf returns the texts of which the key must have one. The result ok is false for clauses that
// other values can match as well.
func (c *Clause) OneOf() (texts []string, ok bool) {
	if c.Operator != Equal {
		return nil, false
	}
	for i := range c.Values {
		if k := c.Values[i].kind; k != kindText && k != kindInteger || c.Values[i].date != nil {
			return nil, false
		}
		texts = append(texts, c.Values[i].text)
	}
	return texts, true
}
