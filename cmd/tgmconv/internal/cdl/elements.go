package cdl

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
)

// ncdump prints this many digits of floating-point numbers.
const (
	floatDigits  = 7
	doubleDigits = 15
)

// elementText is an element, given as the values of attributes are.
func elementText(t *netcdf.Type, v any) (string, error) {
	switch v := v.(type) {
	case int64:
		if t.Class == netcdf.Enum {
			return memberName(t, v), nil
		}
		return strconv.FormatInt(v, 10), nil
	case uint64:
		if t.Class == netcdf.Enum {
			return memberName(t, int64(v)), nil
		}
		return strconv.FormatUint(v, 10), nil
	case float64:
		return floatText(t.Class, v), nil
	case string:
		return stringText(v), nil
	case []byte:
		return opaqueText(v), nil
	case netcdf.Record:
		return recordText(t, v)
	}
	return listText(t, v)
}

// recordText is a compound.
func recordText(t *netcdf.Type, r netcdf.Record) (string, error) {
	items := make([]string, len(r))
	for i, f := range r {
		if i >= len(t.Fields) {
			return "", fmt.Errorf("a record of %d fields for type %s with %d", len(r), t.Describe(), len(t.Fields))
		}
		ft := t.Fields[i].Type
		var err error
		if s, ok := f.Value.(string); ok && ft.Class == netcdf.Char {
			items[i] = charsText(s)
		} else if items[i], err = elementText(ft, f.Value); err != nil {
			return "", err
		}
	}
	return "{" + strings.Join(items, ", ") + "}", nil
}

// listText is a sequence, or an array in a compound.
func listText(t *netcdf.Type, v any) (string, error) {
	if t.Base == nil {
		return "", fmt.Errorf("type %s has no form in CDL", t.Describe())
	}
	a := netcdf.Attr{Type: t.Base, Value: v}
	if texts, ok := v.([]string); ok && t.Base.Class == netcdf.Char {
		return "{" + charsText(strings.Join(texts, "")) + "}", nil
	}
	items := make([]string, a.Len())
	for i := range items {
		var err error
		if items[i], err = elementText(t.Base, elementAt(&a, i)); err != nil {
			return "", err
		}
	}
	return "{" + strings.Join(items, ", ") + "}", nil
}

// memberName is the name of an enumerated value.
func memberName(t *netcdf.Type, v int64) string {
	for _, m := range t.Members {
		if m.Value == v {
			return m.Name
		}
	}
	return "_UNDEFINED"
}

// floatText is a number as printf's %g has it.
func floatText(c netcdf.Class, v float64) string {
	suffix, digits := "", doubleDigits
	if c == netcdf.Float {
		suffix, digits = "f", floatDigits
	}
	switch {
	case math.IsNaN(v):
		return "NaN" + suffix
	case math.IsInf(v, 1):
		return "Infinity" + suffix
	case math.IsInf(v, -1):
		return "-Infinity" + suffix
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// stringText is an element of type string. A vertical tab becomes a line feed, as ncdump has it.
func stringText(s string) string {
	return quoted(strings.ReplaceAll(s, "\v", "\n"), func(c byte) bool { return c < 0x20 || c == 0x7f })
}

// charsText is text of type char within a compound.
func charsText(s string) string {
	return quoted(strings.TrimRight(s, "\x00"), func(c byte) bool { return c < 0x20 || c >= 0x7f })
}

// opaqueText is bytes in hexadecimal.
func opaqueText(b []byte) string { return fmt.Sprintf("0X%X", b) }

// decode returns an element of raw bytes in the form that elementText takes.
func decode(t *netcdf.Type, b []byte) (any, error) {
	switch {
	case t.Class == netcdf.Enum:
		return decode(t.Base, b)
	case t.Class.Signed():
		return int64(widen(b)) << (64 - 8*t.Size) >> (64 - 8*t.Size), nil
	case t.Class.Unsigned():
		return widen(b[:t.Size]), nil
	case t.Class == netcdf.Float:
		return float64(math.Float32frombits(uint32(widen(b[:4])))), nil
	case t.Class == netcdf.Double:
		return math.Float64frombits(widen(b)), nil
	case t.Class == netcdf.Opaque:
		return b[:t.Size], nil
	case t.Class == netcdf.Char:
		return string(b[:1]), nil
	case t.Class == netcdf.Compound:
		r := make(netcdf.Record, len(t.Fields))
		for i, f := range t.Fields {
			r[i].Name = f.Name
			var err error
			if r[i].Value, err = decode(f.Type, b[f.Offset:]); err != nil {
				return nil, err
			}
		}
		return r, nil
	case t.Class == netcdf.Array && t.Base.Class == netcdf.Char:
		return []string{string(b[:t.Size])}, nil
	case t.Class == netcdf.Array && t.Base.Size > 0:
		return decodeList(t.Base, b[:t.Size])
	}
	return nil, fmt.Errorf("type %s cannot be written as CDL", t.Describe())
}

// decodeList returns the elements of raw bytes.
func decodeList(t *netcdf.Type, b []byte) (any, error) {
	list := make([]any, 0, len(b)/t.Size)
	for ; len(b) >= t.Size; b = b[t.Size:] {
		v, err := decode(t, b)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// widen reads up to 8 bytes as a little-endian number.
func widen(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var buf [8]byte
	copy(buf[:], b)
	return binary.LittleEndian.Uint64(buf[:])
}
