package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/zarr"
)

// Text returns a value as text: texts as they are, everything else as JSON.
func Text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	data, err := zarr.AppendJSON(nil, v)
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

// Value returns the value of a key of an object as text; false if there is none, or it is empty.
func Value(o catalog.Object, key string) (string, bool) { return textOf(o.Value(key)) }

// BaseValue is like [Value] for metadata that are not in a file.
func BaseValue(base map[string]any, key string) (string, bool) {
	v, ok := mapping.Read(base).Lookup(key)
	if name := catalog.Name(base); !ok && (key == mapping.KeyName || key == "shortName") && name != "" {
		return name, true
	}
	return textOf(v, ok)
}

func textOf(v any, ok bool) (string, bool) {
	if !ok {
		return "", false
	}
	text, err := Text(v)
	return text, err == nil && text != ""
}
