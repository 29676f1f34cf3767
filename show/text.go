package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/catalog"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/zarr"
)

// Text is a value as people read it: texts as they are, everything else as JSON.
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

// Shape is the lengths of the axes: 181x360.
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

// Value is the value of a key of an object as people read it; false if there is none, or an empty
// one.
func Value(o catalog.Object, key string) (string, bool) { return textOf(o.Value(key)) }

// BaseValue is [Value] of metadata that are not in a file yet.
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
