package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// writeOctets writes the coded keys of each section with their octets.
func (d *Dumper) writeOctets(f fields.Field) {
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

func (d *Dumper) writeOctet(f fields.Field, e keys.Entry, begin int) {
	octets := strconv.Itoa(e.Offset - begin + 1)
	if e.Length > 1 {
		octets += "-" + strconv.Itoa(e.Offset-begin+e.Length)
	}
	value, err := d.value(f, e)
	width := 10
	switch value.(type) {
	case []int64, []float64:
		width = 12
	}
	fmt.Fprintf(d.out, "%-*s%s = ", width, octets, e.Name)
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
		d.writeOctetArray(e, v)
	case []byte:
		d.writeOctetBytes(e, v)
	case int64:
		d.writeOctetInteger(f, e, v)
	default:
		fmt.Fprintln(d.out, d.scalar(f, e, value))
	}
}

func (d *Dumper) writeOctetInteger(f fields.Field, e keys.Entry, v int64) {
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

func (d *Dumper) writeOctetArray(e keys.Entry, values []float64) {
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

func (d *Dumper) writeOctetBytes(e keys.Entry, b []byte) {
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
