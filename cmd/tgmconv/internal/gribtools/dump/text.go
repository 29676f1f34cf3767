package dump

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// shownElements is how many elements of an array are shown.
const shownElements = 100

// limit is how many of n elements are shown.
func (d *Dumper) limit(n int) int {
	if d.Full {
		return n
	}
	return min(n, shownElements)
}

// writeKey writes a key in the language of ecCodes' rules, with the meaning of its code in front.
func (d *Dumper) writeKey(f fields.Field, e keys.Entry) {
	value, err := d.value(f, e)
	if err != nil {
		return
	}
	if note := meaning(e); note != "" {
		fmt.Fprintf(d.out, "  # %s\n", note)
	}
	mark := ""
	if e.ReadOnly {
		mark = "#-READ ONLY- "
	}
	switch v := value.(type) {
	case []int64:
		writeArray(d, mark+e.Name, v, func(n int64) string { return strconv.FormatInt(n, 10) })
	case []float64:
		writeArray(d, mark+e.Name, v, numberText)
	default:
		fmt.Fprintf(d.out, "  %s%s = %s;\n", mark, e.Name, d.scalar(f, e, value))
	}
}

// meaning is the meaning of a code in its table.
func meaning(e keys.Entry) string {
	switch {
	case e.Class != "codetable":
		return ""
	case !e.Known:
		return fmt.Sprintf("Unknown code table entry (%s)", e.Table)
	case e.Units != "" && e.Units != "unknown":
		return fmt.Sprintf("%s (%s)  (%s)", e.Meaning, e.Units, e.Table)
	}
	return fmt.Sprintf("%s (%s)", e.Meaning, e.Table)
}

func (d *Dumper) scalar(f fields.Field, e keys.Entry, value any) string {
	if f.Missing(e) {
		return "MISSING"
	}
	switch v := value.(type) {
	case float64:
		return numberText(v)
	case []byte:
		if n := d.limit(len(v)); n < len(v) {
			return hex.EncodeToString(v[:n]) + "..."
		}
		return hex.EncodeToString(v)
	}
	return fmt.Sprint(value)
}

// numberText is a number with the six digits that ecCodes' tools show.
func numberText(v float64) string { return fmt.Sprintf("%.6g", v) }

func writeArray[T any](d *Dumper, name string, values []T, text func(T) string) {
	fmt.Fprintf(d.out, "  %s(%d) =  {", name, len(values))
	const perLine = 5
	n := d.limit(len(values))
	for i, v := range values[:n] {
		if i%perLine == 0 {
			d.out.WriteString("\n  ")
		}
		d.out.WriteString(text(v))
		if i < n-1 {
			d.out.WriteString(", ")
		}
	}
	if rest := len(values) - n; rest > 0 {
		fmt.Fprintf(d.out, "\n  ... %d more values", rest)
	}
	d.out.WriteString("\n  } \n")
}
