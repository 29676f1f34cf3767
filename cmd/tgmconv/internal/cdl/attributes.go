package cdl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
)

// attributes writes the attributes of a variable, or of the group.
func (d *dumper) attributes(s *scope, variable string, attrs []netcdf.Attr) {
	for i := range attrs {
		a := &attrs[i]
		if a.Err == nil && !known(a.Type) {
			continue
		}
		items, err := d.attrItems(a)
		if err != nil {
			d.skip(fmt.Errorf("attribute %s:%s: %w", variable, a.Name, err))
			continue
		}
		d.printf("%s\t\t", d.indent)
		if a.Type.Class >= netcdf.String {
			d.printf("%s ", s.typeName(a.Type))
		}
		d.printf("%s", escapedName(variable))
		if isKeyword(variable) {
			d.printf(" ")
		}
		d.printf(":%s = ", escapedName(a.Name))
		for i, item := range items {
			if i < len(items)-1 {
				item += ", "
			}
			if a.Type.Class == netcdf.Vlen || a.Type.Class == netcdf.Compound {
				d.put(item)
			} else {
				d.out.WriteString(item)
			}
		}
		d.printf(" ;\n")
	}
}

// attrItems are the values of an attribute. One without values is an empty text.
func (d *dumper) attrItems(a *netcdf.Attr) ([]string, error) {
	if a.Err != nil {
		return nil, a.Err
	}
	n := a.Len()
	text, isText := a.Value.(string)
	if n == 0 || isText {
		return []string{d.attrText(text)}, nil
	}
	items := make([]string, n)
	for i := range items {
		if _, null := slices.BinarySearch(a.Null, i); null {
			items[i] = nullText
			continue
		}
		v := elementAt(a, i)
		if s, ok := v.(string); ok {
			items[i] = d.attrText(s)
			continue
		}
		item, err := elementText(a.Type, v)
		if err != nil {
			return nil, err
		}
		switch {
		case a.Type.Class == netcdf.Enum:
			item = escapedName(item)
		case a.Type.Class.Numeric():
			item = attrNumber(a.Type.Class, item)
		}
		items[i] = item
	}
	return items, nil
}

// elementAt is value i of an attribute.
func elementAt(a *netcdf.Attr, i int) any {
	switch v := a.Value.(type) {
	case []int64:
		return v[i]
	case []uint64:
		return v[i]
	case []float64:
		return v[i]
	case []string:
		return v[i]
	case []netcdf.Record:
		return v[i]
	case []any:
		return v[i]
	case []byte:
		return v[i*a.Type.Size:][:a.Type.Size]
	}
	return nil
}

// attrSuffix is the suffix that tells the type of a number in an attribute.
func attrSuffix(c netcdf.Class) string {
	switch c {
	case netcdf.Byte:
		return "b"
	case netcdf.Short:
		return "s"
	case netcdf.Float:
		return "f"
	case netcdf.UByte:
		return "UB"
	case netcdf.UShort:
		return "US"
	case netcdf.UInt:
		return "U"
	case netcdf.Int64:
		return "LL"
	case netcdf.UInt64:
		return "ULL"
	}
	return ""
}

// attrNumber gives the text of a number its suffix, and a floating-point number its point.
func attrNumber(c netcdf.Class, s string) string {
	if c.IsFloat() {
		s = strings.TrimSuffix(s, "f") // of NaNf and Infinityf
		if !strings.ContainsAny(s, ".Ny") {
			mantissa, exponent, ok := strings.Cut(s, "e")
			if s = mantissa + "."; ok {
				s += "e" + exponent
			}
		}
	}
	return s + attrSuffix(c)
}

// attrText is a text with quotes, without the zero bytes at its end. Outside netCDF-4 each line of
// it is a string of its own, which ncgen joins.
func (d *dumper) attrText(s string) string {
	text := quoted(strings.TrimRight(s, "\x00"), func(c byte) bool { return c < 0x20 || c == 0x7f })
	if !d.modern {
		text = strings.ReplaceAll(text, "\\n", "\\n\",\n\t\t\t\"")
	}
	return text
}

// quoted is a text with quotes around it. The bytes that escape reports are written in octal.
func quoted(s string, escape func(byte) bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\v':
			b.WriteString(`\v`)
		case '\\', '\'', '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			if escape(c) {
				fmt.Fprintf(&b, "\\%03o", c)
			} else {
				b.WriteByte(c)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
