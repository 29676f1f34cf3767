// Package deflang parses ecCodes' definition language, the files that say
// which keys a message has. Only the generator uses it.
//
// The grammar follows the tokens and statements that the files of ecCodes 2.50
// use. A file is a list of statements, or a concept table of
// "value = { key = expression; … }" entries.
package deflang

import (
	"fmt"
	"regexp"
	"strconv"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokIdent
	tokString
	tokInt
	tokFloat
	tokOp      // punctuation and operators
	tokInclude // text is the path
)

type token struct {
	kind tokenKind
	text string
	i    int64
	f    float64
	line int
}

// An Error is a place where a definition file does not follow the grammar.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

var (
	reIdent = regexp.MustCompile(`^(?:(?:[_A-Za-z]+[_0-9A-Za-z]*|#[0-9]+#[_A-Za-z]+[_0-9A-Za-z]*|[0-9]+[_A-Za-z]+[_0-9A-Za-z]*)(?:->[_A-Za-z]+[_0-9A-Za-z]*)*)`)
	reInt   = regexp.MustCompile(`^[-+]?[0-9]+`)
	reFloat = regexp.MustCompile(`^(?:[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+)`)
)

var twoCharOps = [...]string{"==", ">=", "<=", "!=", "<>", "&&", "||"}

// lex splits a file into tokens; the longest match wins, as in the original.
func lex(file string, src []byte) ([]token, error) {
	var out []token
	line := 1
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			line++
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '"' || c == '\'':
			s, n, nl, ok := quoted(src[i:], c)
			if !ok {
				return nil, &Error{file, line, "string is not closed"}
			}
			out = append(out, token{kind: tokString, text: s, line: line})
			i += n
			line += nl
			continue
		case c == '`':
			var v int64
			j := i + 1
			for j < len(src) && src[j] != '`' && src[j] != '\n' {
				v = v<<8 | int64(src[j])
				j++
			}
			out = append(out, token{kind: tokInt, i: v, line: line})
			i = j + 1
			continue
		}
		rest := src[i:]
		id, num, fl := len(reIdent.Find(rest)), len(reInt.Find(rest)), len(reFloat.Find(rest))
		switch {
		case id > 0 && id >= num && id >= fl:
			text := string(rest[:id])
			i += id
			if text == "include" {
				path, n := includePath(src[i:])
				out = append(out, token{kind: tokInclude, text: path, line: line})
				i += n
				continue
			}
			out = append(out, token{kind: tokIdent, text: text, line: line})
		case num > 0 && num >= fl:
			v, err := strconv.ParseInt(string(rest[:num]), 10, 64)
			if err != nil {
				return nil, &Error{file, line, err.Error()}
			}
			out = append(out, token{kind: tokInt, i: v, text: string(rest[:num]), line: line})
			i += num
		case fl > 0:
			v, err := strconv.ParseFloat(string(rest[:fl]), 64)
			if err != nil {
				return nil, &Error{file, line, err.Error()}
			}
			out = append(out, token{kind: tokFloat, f: v, text: string(rest[:fl]), line: line})
			i += fl
		case c == '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		default:
			op := string(c)
			for _, t := range twoCharOps {
				if len(rest) > 1 && string(rest[:2]) == t {
					op = t
				}
			}
			out = append(out, token{kind: tokOp, text: op, line: line})
			i += len(op)
		}
	}
	return append(out, token{kind: tokEOF, line: line}), nil
}

func quoted(src []byte, q byte) (s string, n, newlines int, ok bool) {
	var b []byte
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case q:
			return string(b), i + 1, newlines, true
		case '\\':
			i++
			if i < len(src) {
				b = append(b, src[i])
			}
		case '\n':
			newlines++
			b = append(b, '\n')
		default:
			b = append(b, src[i])
		}
	}
	return "", 0, 0, false
}

func includePath(src []byte) (path string, n int) {
	i := 0
	for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	if i >= len(src) {
		return "", i
	}
	q := src[i]
	i++
	start := i
	for i < len(src) && src[i] != q && src[i] != '\n' {
		i++
	}
	return string(src[start:i]), i + 1
}
