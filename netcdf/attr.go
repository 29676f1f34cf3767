package netcdf

import (
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// attrValue turns little-endian elements into the value of an attribute.
func attrValue(name string, c Class, raw []byte) any {
	size := 1
	if c < Class(len(atomicSizes)) {
		size = atomicSizes[c]
	}
	switch {
	case c == Char:
		return charValue(name, raw)
	case c.Signed():
		return wire.Ints(raw, size)
	case c.Unsigned():
		return wire.Uints(raw, size)
	case c.IsFloat():
		return wire.Floats(raw, size)
	}
	return raw
}

// charValue drops the zero bytes that many writers leave after text. They are data where the
// attribute stands for an element.
func charValue(name string, raw []byte) string {
	if name == "_FillValue" || name == "missing_value" {
		return string(raw)
	}
	return strings.TrimRight(string(raw), "\x00")
}
