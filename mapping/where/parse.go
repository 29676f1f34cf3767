package where

import (
	"errors"
	"fmt"
	"strings"
)

// A ParseError reports a clause that cannot be understood.
type ParseError struct {
	Clause string
	Reason string
}

func (e *ParseError) Error() string { return fmt.Sprintf("%q: %s", e.Clause, e.Reason) }

// expected is the end of the messages about the form of a clause.
const expected = "expected KEY=VALUE, KEY!=VALUE, or KEY with <, <=, > or >= and a value"

// ParseAll reads clauses. One text may have several, separated by commas. A comma belongs to a
// value if no clause follows it.
func ParseAll(texts []string) (Clauses, error) {
	var all Clauses
	for _, s := range split(texts) {
		c, err := Parse(s)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func split(texts []string) (clauses []string) {
	for _, s := range texts {
		for i, part := range strings.Split(s, ",") {
			if i > 0 && !strings.ContainsAny(part, "=<>") {
				clauses[len(clauses)-1] += "," + part
			} else {
				clauses = append(clauses, part)
			}
		}
	}
	return clauses
}

// Parse reads one clause.
func Parse(s string) (Clause, error) {
	fail := func(format string, args ...any) (Clause, error) {
		return Clause{}, &ParseError{s, fmt.Sprintf(format, args...)}
	}
	at := strings.IndexAny(s, "=<>")
	if at < 0 {
		return fail("%s", expected)
	}
	c := Clause{Operator: Operator(s[at : at+1])}
	key, rest := s[:at], s[at+1:]
	switch {
	case c.Operator == Equal:
		if before, ok := strings.CutSuffix(key, "!"); ok {
			key, c.Operator = before, NotEqual
		}
	case strings.HasPrefix(rest, "="):
		c.Operator, rest = c.Operator+"=", rest[1:]
	}
	if c.Key = strings.TrimSpace(key); c.Key == "" {
		return fail("it names no key, %s", expected)
	}
	if n := len(c.Key) - 2; n > 0 && c.Key[n] == ':' {
		c.Key, c.Type = c.Key[:n], c.Key[n+1]
		if c.Type == 'l' {
			c.Type = 'i'
		}
		if strings.IndexByte("sid", c.Type) < 0 {
			return fail("type %q is not known, expected s, i or d", c.Type)
		}
	}
	c.text = rest
	var err error
	if c.Values, err = parseValues(rest); err != nil {
		return fail("%v", err)
	}
	if c.Operator != Equal && c.Operator != NotEqual && len(c.Values) != 1 {
		return fail("%s takes one value", c.Operator)
	}
	if c.Operator != Equal && c.Operator != NotEqual && c.Values[0].kind == span {
		return fail("%s takes a value, not a range", c.Operator)
	}
	return c, nil
}

// parseValues reads the text after the operator.
func parseValues(s string) ([]Value, error) {
	parts := strings.Split(s, "/")
	var values []Value
	for i := 0; i < len(parts); i++ {
		v := newValue(parts[i])
		if i+2 < len(parts) && parts[i+1] == "to" {
			by := ""
			high := parts[i+2]
			i += 2
			if i+2 < len(parts) && parts[i+1] == "by" {
				by = parts[i+2]
				i += 2
			}
			var err error
			if v, err = newSpan(v, newValue(high), by); err != nil {
				return nil, err
			}
		}
		values = append(values, v)
	}
	return values, nil
}

func newSpan(low, high Value, by string) (Value, error) {
	v := Value{kind: span, low: &low, high: &high}
	for _, end := range []Value{low, high} {
		if end.kind == text || end.kind == pattern {
			return v, fmt.Errorf("a range goes from number to number or from date to date, not to %q", end.text)
		}
	}
	if (low.kind == day) != (high.kind == day) || (low.kind == clock) != (high.kind == clock) {
		return v, fmt.Errorf("a range from %s to %s has ends of two kinds", low.text, high.text)
	}
	if low.number() > high.number() {
		v.low, v.high = &high, &low
	}
	if by == "" {
		return v, nil
	}
	step := newValue(by)
	if step.kind != integer && step.kind != decimal || step.number() <= 0 {
		return v, fmt.Errorf("a range goes by a number above 0, not by %q", by)
	}
	if low.kind == clock {
		return v, errors.New("a range of times of day has no step")
	}
	v.step = step.number()
	return v, nil
}
