package edit

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Template is the name of an output with keys in brackets, such as forecast_[name]_[mars.step].tgm.
type Template struct {
	texts []string // around the keys, one more than these
	keys  []string
}

// ParseTemplate reads a template.
func ParseTemplate(s string) (Template, error) {
	var t Template
	rest := s
	for {
		text, after, found := strings.Cut(rest, "[")
		t.texts = append(t.texts, text)
		if !found {
			return t, nil
		}
		key, tail, closed := strings.Cut(after, "]")
		if !closed || key == "" {
			return t, fmt.Errorf("name %q: expected a key and ] after [", s)
		}
		t.keys, rest = append(t.keys, key), tail
	}
}

// Keys returns the keys in brackets.
func (t Template) Keys() []string { return t.keys }

// Unknown replaces the value of a key that an object does not have, in [Template.Expand].
const Unknown = "unknown"

// Expand returns the name with the values of the keys. Characters of values that could lead to
// another folder become "_".
func (t Template) Expand(value func(key string) (string, bool)) string {
	var out strings.Builder
	for i, key := range t.keys {
		out.WriteString(t.texts[i])
		v, ok := value(key)
		if !ok || v == "" {
			v = Unknown
		}
		if strings.Trim(v, ".") == "" {
			v = "_"
		}
		out.WriteString(strings.Map(func(r rune) rune {
			if r == '/' || r == '\\' || r < ' ' {
				return '_'
			}
			return r
		}, v))
	}
	out.WriteString(t.texts[len(t.keys)])
	parts := strings.Split(out.String(), "/")
	for i, part := range parts {
		parts[i] = ShortName(part)
	}
	return strings.Join(parts, "/")
}

// longestName is the longest name of a file, in bytes, that file systems take. The name of a file
// in the making may have roomForTemporary bytes more.
const (
	longestName      = 255
	roomForTemporary = 16
)

// ShortName returns the name of a file if file systems take it. A longer name becomes its beginning,
// a hash of all of it, and the extension.
func ShortName(name string) string {
	if len(name) <= longestName {
		return name
	}
	extension := path.Ext(name)
	if len(extension) > roomForTemporary {
		extension = ""
	}
	sum := sha256.Sum256([]byte(name))
	end := fmt.Sprintf("~%x%s", sum[:6], extension)
	head := name[:longestName-roomForTemporary-len(end)]
	for !utf8.ValidString(head) && len(head) > 0 && utf8.ValidString(name) {
		head = head[:len(head)-1]
	}
	return head + end
}

// WithIndex returns the template with [index] before the extension, unless it has [index] already.
func (t Template) WithIndex() Template {
	for _, key := range t.keys {
		if key == "index" {
			return t
		}
	}
	last := t.texts[len(t.texts)-1]
	stem, extension := last, ""
	if dot := strings.LastIndexByte(last, '.'); dot > strings.LastIndexByte(last, '/') {
		stem, extension = last[:dot], last[dot:]
	}
	texts := append(append([]string(nil), t.texts[:len(t.texts)-1]...), stem+"_", extension)
	return Template{texts, append(append([]string(nil), t.keys...), "index")}
}
