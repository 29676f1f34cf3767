package mapping

import (
	"errors"
	"fmt"
	"strings"
)

// A ClauseError reports a clause that cannot be understood.
type ClauseError struct {
	Clause string
	Reason string
}

func (e *ClauseError) Error() string { return fmt.Sprintf("%q: %s", e.Clause, e.Reason) }

// expected is the end of the messages about the form of a clause.
const expectedClause = "expected KEY=VALUE, KEY!=VALUE, or KEY with <, <=, > or >= and a value"

// ParseClauses reads clauses. One text may have several, separated by commas. A comma belongs to a
// value if no clause follows it.
func ParseClauses(texts []string) (Clauses, error) {
	var all Clauses
	for _, s := range splitClauses(texts) {
		c, err := ParseClause(s)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func splitClauses(texts []string) (clauses []string) {
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

// ParseClause reads one clause.
func ParseClause(s string) (Clause, error) {
	fail := func(format string, args ...any) (Clause, error) {
		return Clause{}, &ClauseError{s, fmt.Sprintf(format, args...)}
	}
	at := strings.IndexAny(s, "=<>")
	if at < 0 {
		return fail("%s", expectedClause)
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
		return fail("it names no key, %s", expectedClause)
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
	if c.Operator != Equal && c.Operator != NotEqual && c.Values[0].kind == kindSpan {
		return fail("%s takes a value, not a range", c.Operator)
	}
	return c, nil
}

// parseValues reads the text after the operator.
func parseValues(s string) ([]ClauseValue, error) {
	parts := strings.Split(s, "/")
	var values []ClauseValue
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

func newSpan(low, high ClauseValue, by string) (ClauseValue, error) {
	v := ClauseValue{kind: kindSpan, low: &low, high: &high}
	for _, end := range []ClauseValue{low, high} {
		if end.kind == kindText || end.kind == kindPattern {
			return v, fmt.Errorf("a range goes from number to number or from date to date, not to %q", end.text)
		}
	}
	if (low.kind == kindDay) != (high.kind == kindDay) || (low.kind == kindClock) != (high.kind == kindClock) {
		return v, fmt.Errorf("a range from %s to %s has ends of two kinds", low.text, high.text)
	}
	if low.number() > high.number() {
		v.low, v.high = &high, &low
	}
	if by == "" {
		return v, nil
	}
	step := newValue(by)
	if step.kind != kindInteger && step.kind != kindDecimal || step.number() <= 0 {
		return v, fmt.Errorf("a range goes by a number above 0, not by %q", by)
	}
	if low.kind == kindClock {
		return v, errors.New("a range of times of day has no step")
	}
	v.step = step.number()
	return v, nil
}
