package list

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// object is a field as grib_ls -j writes it: numbers are numbers, except numbers with an exponent.
func (l *Lister) object(f fields.Field) ([]byte, error) {
	b := []byte("  {\n")
	list := l.keysOf(f)
	for i, key := range list {
		text, err := l.text(f, key)
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, "    %s: %s", quote(key.Name), number(text))
		if i < len(list)-1 {
			b = append(b, ',')
		}
		b = append(b, '\n')
	}
	return append(b, "  }"...), nil
}

// number is a text as a JSON number if it is one without an exponent, else as a JSON string.
func number(text string) string {
	if strings.Trim(text, "0123456789-.") == "" && json.Valid([]byte(text)) {
		return text
	}
	return quote(text)
}

// quote is a text as a JSON string.
func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return `""` // strings can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// nearObject is a field as grib_ls -j -l writes it: its keys, and the points near the place.
func (l *Lister) nearObject(f fields.Field, n *near) ([]byte, error) {
	texts := make([]string, 0, len(l.columns))
	for _, key := range l.keysOf(f) {
		value, err := nearValue(f, key)
		if err != nil {
			return nil, err
		}
		texts = append(texts, fmt.Sprintf("%s : %s", quote(key.Name), value))
	}
	b := fmt.Appendf(nil, "{\n\"keys\" : {%s}\n", strings.Join(texts, ", "))
	first, last, method := n.chosen, n.chosen+1, "nearest"
	if l.Near.Four {
		b = fmt.Appendf(b, ", \"selected\" : %d", n.chosen)
		first, last = 0, len(n.points)
	}
	if l.Near.Mask != nil {
		method = "nearest_land"
	}
	b = fmt.Appendf(b, ", \"method\" : %q\n, \"neighbours\" : \n[\n", method)
	for i := first; i < last; i++ {
		if i > first {
			b = append(b, "\n,"...)
		}
		b = l.Near.appendPoint(b, n, i)
	}
	return append(b, "\n]\n}"...), nil
}

// nearValue is the value of a key in its own type.
func nearValue(f fields.Field, key fields.Key) (string, error) {
	text, err := f.Text(key, "%.6g")
	switch {
	case fields.IsNotFound(err):
		return "null", nil
	case err != nil:
		return "", err
	case text == "MISSING":
		return `"missing"`, nil
	}
	if key.Type != fields.Text && json.Valid([]byte(text)) {
		return text, nil
	}
	return quote(text), nil
}
