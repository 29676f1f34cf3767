package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/mapping"
)

// Text returns a value as text: texts as they are, everything else as JSON.
func Text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	data, err := jsontext.Append(nil, v)
	return string(data), err
}

// Shape returns the lengths of the axes as text: "181x360".
func Shape(shape []uint64) string {
	if len(shape) == 0 {
		return "scalar"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.FormatUint(n, 10)
	}
	return strings.Join(parts, "x")
}

// Count shows a number of things: "1 message", "2 messages".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Bytes shows a number of bytes with three digits and a decimal unit.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		value /= 1000
		switch {
		case value < 9.995:
			return fmt.Sprintf("%.2f %s", value, unit)
		case value < 99.95:
			return fmt.Sprintf("%.1f %s", value, unit)
		case value < 999.5:
			return fmt.Sprintf("%.0f %s", value, unit)
		}
	}
	return fmt.Sprintf("%.0f PB", value/1000)
}

// Known returns the value of a key as text; false if there is none, or it is empty.
func Known(k *mapping.Known, key string) (string, bool) { return textOf(k.Value(key)) }

func textOf(v any, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	text, err := Text(v)
	return text, err == nil && text != ""
}
