package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/zarr"
)

// A gribDumper writes fields as grib_dump does.
type gribDumper struct {
	*gribDump
	out   *bufio.Writer
	shown int
}

func (d *gribDumper) field(f gribField) error {
	d.shown++
	if d.json {
		return d.writeJSON(f)
	}
	title := fmt.Sprintf("#==============   MESSAGE %d ( length=%d )", f.count, len(f.field.Message.Data))
	fmt.Fprintf(d.out, "%-59s==============\n", title)
	if d.octets {
		d.writeOctets(f)
	} else {
		d.out.WriteString("GRIB {\n")
		for _, e := range d.entries(f) {
			d.writeKey(f, e)
		}
		d.out.WriteString("}\n")
	}
	return written(d.out.Flush())
}

// shownElements is how many elements of an array are shown.
const shownElements = 100

// limit is how many of n elements are shown.
func (d *gribDumper) limit(n int) int {
	if d.full {
		return n
	}
	return min(n, shownElements)
}

// writeKey writes a key in the language of ecCodes' rules, with the meaning of its code in front.
func (d *gribDumper) writeKey(f gribField, e keys.Entry) {
	value, err := f.Value(e)
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

// meaning is what the code table says of a code.
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

func (d *gribDumper) scalar(f gribField, e keys.Entry, value any) string {
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

func writeArray[T any](d *gribDumper, name string, values []T, text func(T) string) {
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

// writeOctets writes the coded keys of each section with their octets.
func (d *gribDumper) writeOctets(f gribField) {
	begin := 0
	for _, e := range f.Entries() {
		if e.Type == keys.Section {
			begin = e.Offset
			title := fmt.Sprintf("======================   %s ( length=%d, padding=%d )", strings.ToUpper(e.Name), e.Length, e.Padding)
			fmt.Fprintf(d.out, "%-60s   ======================\n", title)
			continue
		}
		if e.Length > 0 {
			d.writeOctet(f, e, begin)
		}
	}
}

func (d *gribDumper) writeOctet(f gribField, e keys.Entry, begin int) {
	octets := strconv.Itoa(e.Offset - begin + 1)
	if e.Length > 1 {
		octets += "-" + strconv.Itoa(e.Offset-begin+e.Length)
	}
	fmt.Fprintf(d.out, "%-10s%s = ", octets, e.Name)
	value, err := f.Value(e)
	if err != nil {
		fmt.Fprintf(d.out, "(not readable: %v)\n", err)
		return
	}
	switch v := value.(type) {
	case []int64:
		floats := make([]float64, len(v))
		for i, n := range v {
			floats[i] = float64(n)
		}
		d.writeOctetArray(e, floats)
	case []float64:
		d.writeOctetArray(e, coded(f, e, v))
	case []byte:
		d.writeOctetBytes(e, v)
	case int64:
		d.writeOctetInteger(f, e, v)
	default:
		fmt.Fprintln(d.out, d.scalar(f, e, value))
	}
}

func (d *gribDumper) writeOctetInteger(f gribField, e keys.Entry, v int64) {
	text := strconv.FormatInt(v, 10)
	switch {
	case e.Flags:
		text += fmt.Sprintf(" [%0*b (%s) ]", 8*e.Length, v, e.Table)
	case meaning(e) != "":
		text += " [" + meaning(e) + " ]"
	case f.Missing(e):
		text = "MISSING"
	}
	fmt.Fprintln(d.out, text)
}

// coded are the values that are in the data section: without those that the bitmap says are
// missing.
func coded(f gribField, e keys.Entry, values []float64) []float64 {
	if n, err := f.Count(e); err != nil || n == len(values) {
		return values
	}
	all, _, err := f.field.Decode(nil)
	if err != nil {
		return values
	}
	present := all[:0]
	for _, v := range all {
		if !math.IsNaN(v) {
			present = append(present, v)
		}
	}
	return present
}

func (d *gribDumper) writeOctetArray(e keys.Entry, values []float64) {
	fmt.Fprintf(d.out, "(%d,%d) {", len(values), e.Length)
	const perLine = 8
	n := d.limit(len(values))
	for i, v := range values[:n] {
		if i%perLine == 0 {
			d.out.WriteByte('\n')
		}
		fmt.Fprintf(d.out, "%.10e", v)
		if i < n-1 {
			d.out.WriteString(", ")
		}
	}
	if rest := len(values) - n; rest > 0 {
		fmt.Fprintf(d.out, "\n... %d more values", rest)
	}
	fmt.Fprintf(d.out, "\n} # %s %s \n", e.Class, e.Name)
}

func (d *gribDumper) writeOctetBytes(e keys.Entry, b []byte) {
	const indent, perLine = "                  ", 16
	fmt.Fprintf(d.out, "%d {", len(b))
	n := d.limit(len(b))
	for i, c := range b[:n] {
		if i%perLine == 0 {
			d.out.WriteString("\n" + indent)
		}
		fmt.Fprintf(d.out, "%02x", c)
		if i < n-1 {
			d.out.WriteString(", ")
		}
	}
	if rest := len(b) - n; rest > 0 {
		fmt.Fprintf(d.out, "\n%s... %d more values", indent, rest)
	}
	fmt.Fprintf(d.out, "\n%s} # %s %s \n", indent[3:], e.Class, e.Name)
}

// writeJSON writes a field as grib_dump -j does: a list of keys with values in their own types,
// null where they are missing. A long array has its size, and its first elements unless all are
// asked for.
func (d *gribDumper) writeJSON(f gribField) error {
	if d.shown > 1 {
		d.out.WriteByte(',')
	}
	d.out.WriteString("\n  [")
	first := true
	for _, e := range d.entries(f) {
		value, err := f.Value(e)
		if err != nil {
			continue
		}
		if f.Missing(e) {
			value = nil
		}
		if v, ok := value.([]float64); ok && e.Name == "values" {
			value = withoutMissing(f, v)
		}
		text, size, err := d.jsonText(value)
		if err != nil {
			return err
		}
		name, err := zarr.AppendJSON(nil, e.Name)
		if err != nil {
			return err
		}
		if !first {
			d.out.WriteByte(',')
		}
		first = false
		fmt.Fprintf(d.out, "\n    {\n      \"key\" : %s,\n%s      \"value\" : %s\n    }", name, size, text)
	}
	d.out.WriteString("\n  ]")
	return written(d.out.Flush())
}

// withoutMissing has NaN in place of the key missingValue.
func withoutMissing(f gribField, values []float64) []float64 {
	if all, mask, err := f.field.Decode(nil); err == nil && mask != nil && len(all) == len(values) {
		return all
	}
	return values
}

func (d *gribDumper) jsonText(value any) (text []byte, size string, err error) {
	n := 0
	switch v := value.(type) {
	case []int64:
		n, value = len(v), v[:d.limit(len(v))]
	case []float64:
		n, value = len(v), jsonNumbers(v[:d.limit(len(v))])
	case []byte:
		value = hex.EncodeToString(v[:d.limit(len(v))])
		n = len(v)
	case float64:
		value = json.RawMessage(numberText(v))
	}
	if n > d.limit(n) {
		size = fmt.Sprintf("      \"size\" : %d,\n", n)
	}
	switch v := value.(type) {
	case json.RawMessage:
		if !json.Valid(v) {
			v = json.RawMessage("null") // not finite
		}
		return v, size, nil
	case []json.RawMessage:
		text, err = json.Marshal(v)
		return text, size, err
	}
	text, err = zarr.AppendJSON(nil, value)
	return text, size, err
}

// jsonNumbers are numbers with the digits that are shown.
func jsonNumbers(values []float64) []json.RawMessage {
	out := make([]json.RawMessage, len(values))
	for i, v := range values {
		if out[i] = json.RawMessage(numberText(v)); !json.Valid(out[i]) {
			out[i] = json.RawMessage("null") // not finite
		}
	}
	return out
}
