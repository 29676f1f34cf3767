package netcdf

import (
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// setValue makes the value of an attribute of little-endian elements of class c.
func (a *Attr) setValue(c Class, raw []byte) {
	if c == Char {
		a.setChars(raw)
		return
	}
	a.Value = attrValue(c, raw)
}

// attrValue turns little-endian elements into the value of an attribute.
func attrValue(c Class, raw []byte) any {
	size := 1
	if c < Class(len(atomicSizes)) {
		size = atomicSizes[c]
	}
	switch {
	case c.Signed():
		return wire.Ints(raw, size)
	case c.Unsigned():
		return wire.Uints(raw, size)
	case c.IsFloat():
		return wire.Floats(raw, size)
	}
	return raw
}

// setChars makes the value of text. The zero bytes that many writers leave after it are counted,
// not kept. An attribute that stands for an element keeps them: there they are data.
func (a *Attr) setChars(raw []byte) {
	s := string(raw)
	if a.Name != "_FillValue" && a.Name != "missing_value" {
		s = strings.TrimRight(s, "\x00")
	}
	a.Value, a.Zeros = s, len(raw)-len(s)
}
