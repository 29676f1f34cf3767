package cdl

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf"
)

// types writes the user-defined types of a group.
func (d *dumper) types(s *scope) {
	if len(s.group.Types) == 0 {
		return
	}
	d.printf("%stypes:\n", d.indent)
	d.indent += "  "
	for _, t := range s.group.Types {
		switch t.Class {
		case netcdf.Vlen:
			d.printf("%s%s(*) %s ;\n", d.indent, s.typeName(t.Base), escapedName(t.Name))
		case netcdf.Opaque:
			d.printf("%sopaque(%d) %s ;\n", d.indent, t.Size, escapedName(t.Name))
		case netcdf.Enum:
			d.enumType(t)
		case netcdf.Compound:
			d.compoundType(s, t)
		}
	}
	d.indent = d.indent[2:]
}

func (d *dumper) enumType(t *netcdf.Type) {
	d.printf("%s", d.indent)
	d.put(fmt.Sprintf("%s enum %s {", t.Base.Class, escapedName(t.Name)))
	for i, m := range t.Members {
		end := ", "
		if i == len(t.Members)-1 {
			end = "} ;\n"
		}
		d.put(fmt.Sprintf("%s = %d%s", escapedName(m.Name), m.Value, end))
	}
}

func (d *dumper) compoundType(s *scope, t *netcdf.Type) {
	d.printf("%scompound %s {\n", d.indent, escapedName(t.Name))
	for _, f := range t.Fields {
		of, shape := f.Type, ""
		if of.Class == netcdf.Array {
			for i, n := range of.Shape {
				if i > 0 {
					shape += ", "
				}
				shape += fmt.Sprint(n)
			}
			of, shape = of.Base, "("+shape+")"
		}
		d.printf("%s  %s %s%s ;\n", d.indent, s.typeName(of), escapedName(f.Name), shape)
	}
	d.printf("%s}; // %s\n", d.indent, escapedName(t.Name))
}
