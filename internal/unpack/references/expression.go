package references

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A value is an integer or a text.
type value struct {
	text      string
	n         int64
	isInteger bool
}

func number(n int64) value { return value{n: n, isInteger: true} }

// String implements fmt.Stringer.
func (v value) String() string {
	if v.isInteger {
		return strconv.FormatInt(v.n, 10)
	}
	return v.text
}

// An expression is the text between {{ and }}, in a part of the language Jinja. Kerchunk's description of its
// format names this part: integers, texts, names, calls of templates, + - * // % and parentheses, and the %
// that formats a number.
//
//	sum     = product { ("+" | "-") product }
//	product = factor { ("*" | "//" | "%") factor }
//	factor  = "-" factor | "(" sum ")" | integer | text | name [ "(" [ name "=" sum { "," name "=" sum } ] ")" ]
type expression struct {
	rest      string
	templates *templates
	variables map[string]value
	depth     int
}

// maxDepth bounds parentheses in parentheses.
const maxDepth = 32

// whole is the value of all of the expression.
func (e *expression) whole() (value, error) {
	v, err := e.sum()
	if err == nil && e.peek() != "" {
		err = fmt.Errorf("expected the end, found %.40q", e.rest)
	}
	return v, err
}

// peek skips spaces and returns the rest.
func (e *expression) peek() string {
	e.rest = strings.TrimLeft(e.rest, " \t\r\n")
	return e.rest
}

// accept takes a sign if it comes next.
func (e *expression) accept(sign string) bool {
	rest, ok := strings.CutPrefix(e.peek(), sign)
	if ok {
		e.rest = rest
	}
	return ok
}

func (e *expression) sum() (value, error) {
	if e.depth++; e.depth > maxDepth {
		return value{}, fmt.Errorf("more than %d parentheses in one another", maxDepth)
	}
	defer func() { e.depth-- }()
	return e.chain(e.product, "+", "-")
}

func (e *expression) product() (value, error) { return e.chain(e.factor, "*", "//", "%") }

// chain applies operators to operands, from the left.
func (e *expression) chain(operand func() (value, error), operators ...string) (value, error) {
	left, err := operand()
	for err == nil {
		operator := ""
		for _, o := range operators {
			if e.accept(o) {
				operator = o
				break
			}
		}
		if operator == "" {
			return left, nil
		}
		var right value
		if right, err = operand(); err == nil {
			left, err = apply(left, operator, right)
		}
	}
	return value{}, err
}

// within refuses a number that is too large.
func within(n int64) error {
	if n > maxRange || n < -maxRange {
		return fmt.Errorf("%d is beyond %d", n, int64(maxRange))
	}
	return nil
}

func apply(a value, operator string, b value) (value, error) {
	if !a.isInteger && operator == "%" {
		return format(a.text, b)
	}
	if !a.isInteger && !b.isInteger && operator == "+" {
		return value{text: a.text + b.text}, nil
	}
	if !a.isInteger || !b.isInteger {
		return value{}, fmt.Errorf("%.40q %s %.40q: expected integers", a, operator, b)
	}
	if err := errors.Join(within(a.n), within(b.n)); err != nil {
		return value{}, err
	}
	switch operator {
	case "+":
		return number(a.n + b.n), nil
	case "-":
		return number(a.n - b.n), nil
	case "*":
		if a.n != 0 && (a.n*b.n)/a.n != b.n {
			return value{}, fmt.Errorf("%d * %d: it is beyond 64 bits", a.n, b.n)
		}
		return number(a.n * b.n), nil
	}
	if b.n == 0 {
		return value{}, errors.New("division by 0")
	}
	q, r := a.n/b.n, a.n%b.n
	if r != 0 && (r < 0) != (b.n < 0) { // towards minus infinity, as Python divides
		q, r = q-1, r+b.n
	}
	if operator == "//" {
		return number(q), nil
	}
	return number(r), nil
}

// format is Python's "%03d" % number, or "%s" % anything.
func format(layout string, v value) (value, error) {
	before, rest, found := strings.Cut(layout, "%")
	end := strings.IndexAny(rest, "ds")
	if !found || end < 0 || strings.Contains(rest[end:], "%") || strings.Trim(rest[:end], "0123456789") != "" || end > 3 {
		return value{}, fmt.Errorf("the format %.40q is not supported, expected one such as %%03d", layout)
	}
	text := v.String()
	if rest[end] == 'd' {
		if !v.isInteger {
			return value{}, fmt.Errorf("%.40q in the format %.40q: expected an integer", text, layout)
		}
		text = fmt.Sprintf("%"+rest[:end]+"d", v.n)
	} else if width, _ := strconv.Atoi(rest[:end]); width > len(text) {
		text = strings.Repeat(" ", width-len(text)) + text
	}
	return value{text: before + text + rest[end+1:]}, nil
}

func (e *expression) factor() (value, error) {
	rest := e.peek()
	switch {
	case rest == "":
		return value{}, errors.New("it ends early")
	case e.accept("-"):
		if e.depth++; e.depth > maxDepth {
			return value{}, fmt.Errorf("more than %d signs in a row", maxDepth)
		}
		defer func() { e.depth-- }()
		v, err := e.factor()
		if err == nil && !v.isInteger {
			err = fmt.Errorf("-%.40q: expected an integer", v)
		}
		return number(-v.n), err
	case e.accept("("):
		v, err := e.sum()
		if err == nil && !e.accept(")") {
			err = fmt.Errorf("expected ), found %.40q", e.rest)
		}
		return v, err
	case rest[0] == '\'' || rest[0] == '"':
		text, after, ok := strings.Cut(rest[1:], rest[:1])
		if !ok || strings.Contains(text, `\`) {
			return value{}, fmt.Errorf("expected a text in quotes, found %.40q", rest)
		}
		e.rest = after
		return value{text: text}, nil
	case rest[0] >= '0' && rest[0] <= '9':
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		e.rest = rest[len(digits):]
		n, err := strconv.ParseInt(digits, 10, 64)
		return number(n), err
	}
	name := e.name()
	if name == "" {
		return value{}, fmt.Errorf("%.40q is not supported", rest)
	}
	if e.accept("(") {
		variables, err := e.arguments()
		if err != nil {
			return value{}, err
		}
		return e.templates.call(name, variables)
	}
	if v, ok := e.variables[name]; ok {
		return v, nil
	}
	return e.templates.call(name, nil)
}

// name takes a name if one comes next, else "".
func (e *expression) name() string {
	rest := e.peek()
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		end = len(rest)
	}
	e.rest = rest[end:]
	return rest[:end]
}

// arguments are the arguments of a call, up to the closing parenthesis.
func (e *expression) arguments() (map[string]value, error) {
	variables := make(map[string]value)
	for !e.accept(")") {
		if len(variables) > 0 && !e.accept(",") {
			return nil, fmt.Errorf("expected , or ), found %.40q", e.rest)
		}
		name := e.name()
		if name == "" || !e.accept("=") {
			return nil, fmt.Errorf("expected a name and =, found %.40q", e.rest)
		}
		v, err := e.sum()
		if err != nil {
			return nil, err
		}
		variables[name] = v
	}
	return variables, nil
}
