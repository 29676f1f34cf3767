package ncwrite

import (
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// namedType is a type that a group defines.
type namedType struct {
	typ  *netcdf.Type
	path string
}

// addTypes adds the types of a group. A type may use the types before it, and the types of
// the groups around it.
func (p *plan) addTypes(g *group) error {
	for _, t := range g.model.Types {
		path := join(g.path, t.Name)
		if err := checkName(path, t.Name); err != nil {
			return err
		}
		if !userDefined(t) {
			return modelError(path, "type %s cannot be named, only enum, compound, vlen and opaque types can", describe(t))
		}
		if p.types[t] != nil {
			return modelError(path, "the type is in the file twice")
		}
		if err := p.checkParts(t, path, 0); err != nil {
			return err
		}
		named := &namedType{typ: t, path: path}
		p.types[t] = named
		p.byName[t.Name] = append(p.byName[t.Name], named)
		g.types = append(g.types, named)
	}
	return nil
}

// named returns the type of the file for t, which is t or has the same name and form. It
// returns nil if there is none.
func (p *plan) named(t *netcdf.Type) *namedType {
	if !userDefined(t) {
		return nil
	}
	if n := p.types[t]; n != nil {
		return n
	}
	for _, n := range p.byName[t.Name] {
		if sameType(n.typ, t) {
			return n
		}
	}
	return nil
}

func userDefined(t *netcdf.Type) bool {
	switch t.Class {
	case netcdf.Compound, netcdf.Enum, netcdf.Opaque, netcdf.Vlen:
		return true
	}
	return false
}

// maxTypeDepth bounds the nesting of types.
const maxTypeDepth = 32

// checkType reports a type that the format does not have.
func (p *plan) checkType(t *netcdf.Type, path string) error {
	switch {
	case t == nil:
		return modelError(path, "no type")
	case t.Class >= netcdf.Byte && t.Class <= netcdf.Double:
		return nil
	case t.Class >= netcdf.UByte && t.Class <= netcdf.UInt64 && (p.kind == netcdf.CDF5 || p.kind == netcdf.NetCDF4):
		return nil
	case t.Class == netcdf.String && p.kind == netcdf.NetCDF4:
		return nil
	case userDefined(t) && p.kind == netcdf.NetCDF4:
		return p.checkParts(t, path, 0)
	}
	return modelError(path, "%s has no type %s", p.kind, describe(t))
}

// reference reports whether elements of a type are references to objects of the file.
func reference(t *netcdf.Type) bool {
	return t != nil && t.Class == netcdf.Reference && !t.Region
}

// checkParts reports a user-defined type that is not consistent.
func (p *plan) checkParts(t *netcdf.Type, path string, depth int) error {
	if depth > maxTypeDepth {
		return modelError(path, "more than %d nested types", maxTypeDepth)
	}
	switch t.Class {
	case netcdf.Enum:
		if t.Base == nil || !t.Base.Class.Signed() && !t.Base.Class.Unsigned() {
			return modelError(path, "enum on type %s, expected an integer", describe(t.Base))
		}
		if len(t.Members) == 0 || len(t.Members) > 1<<16-1 {
			return modelError(path, "enum with %d members, expected 1 to 65535", len(t.Members))
		}
		return nil
	case netcdf.Opaque:
		if t.Size < 1 || t.Size > maxElement {
			return modelError(path, "opaque type of %d bytes", t.Size)
		}
		return nil
	case netcdf.Vlen:
		return p.checkPart(t.Base, path, depth)
	case netcdf.Array:
		return p.checkArray(t, path, depth)
	case netcdf.Compound:
		return p.checkFields(t, path, depth)
	}
	return modelError(path, "%s has no type %s", p.kind, describe(t))
}

func (p *plan) checkPart(t *netcdf.Type, path string, depth int) error {
	if t == nil {
		return modelError(path, "no type of its parts")
	}
	if t.Class >= netcdf.Byte && t.Class <= netcdf.String {
		return nil
	}
	return p.checkParts(t, path, depth+1)
}

func (p *plan) checkArray(t *netcdf.Type, path string, depth int) error {
	if len(t.Shape) == 0 || len(t.Shape) > 32 {
		return modelError(path, "array with %d axes, expected 1 to 32", len(t.Shape))
	}
	n := 1
	for _, d := range t.Shape {
		if d < 1 || d > 1<<20 || n > 1<<20/d {
			return modelError(path, "array of %d elements, expected 1 to %d in all", t.Shape, 1<<20)
		}
		n *= d
	}
	if err := p.checkPart(t.Base, path, depth); err != nil {
		return err
	}
	if int64(n)*int64(fileSize(t.Base)) > maxElement {
		return modelError(path, "array of %d elements of %d bytes, expected at most %d bytes", n, fileSize(t.Base), maxElement)
	}
	return nil
}

// maxElement bounds the bytes of an element.
const maxElement = 1 << 30

func (p *plan) checkFields(t *netcdf.Type, path string, depth int) error {
	if len(t.Fields) == 0 || len(t.Fields) > 1<<16-1 {
		return modelError(path, "compound with %d fields, expected 1 to 65535", len(t.Fields))
	}
	names := map[string]bool{}
	total := int64(0)
	for _, f := range t.Fields {
		if err := checkName(path+"."+f.Name, f.Name); err != nil {
			return err
		}
		if names[f.Name] {
			return modelError(path, "two fields of the name %s", f.Name)
		}
		names[f.Name] = true
		if err := p.checkPart(f.Type, path+"."+f.Name, depth); err != nil {
			return err
		}
		if total += int64(fileSize(f.Type)); total > maxElement || t.Size > maxElement {
			return modelError(path, "compound of more than %d bytes", maxElement)
		}
	}
	if t.Size > 0 {
		return checkOffsets(t, path)
	}
	return nil
}

// checkOffsets reports fields that lie over each other or beyond the compound.
func checkOffsets(t *netcdf.Type, path string) error {
	var have runs
	total := int64(0)
	for _, f := range t.Fields {
		size := int64(fileSize(f.Type))
		if f.Offset < 0 || int64(f.Offset)+size > int64(t.Size) {
			return modelError(path, "field %s of %d bytes at byte %d of %d", f.Name, size, f.Offset, t.Size)
		}
		have.add(int64(f.Offset), int64(f.Offset)+size)
		total += size
	}
	missing := int64(0)
	for _, gap := range have.gaps(int64(t.Size)) {
		missing += gap.hi - gap.lo
	}
	if total+missing != int64(t.Size) {
		return modelError(path, "fields lie over each other")
	}
	return nil
}

// Bytes of a reference to a heap. It has its length 4, the address of a collection 8, the object in
// it 4.
const heapRefBytes = 16

// Bytes of a reference: the address of an object.
const referenceBytes = 8

// fileSize returns the bytes of an element in the file.
func fileSize(t *netcdf.Type) int {
	switch t.Class {
	case netcdf.String:
		if t.TextBytes > 0 {
			return t.TextBytes
		}
		return heapRefBytes
	case netcdf.Vlen:
		return heapRefBytes
	case netcdf.Opaque:
		return t.Size
	case netcdf.Reference:
		return referenceBytes
	case netcdf.Enum:
		return atomicSize(t.Base.Class)
	case netcdf.Array:
		return fileSize(t.Base) * nd.Volume(t.Shape)
	case netcdf.Compound:
		if t.Size > 0 {
			return t.Size
		}
		n := 0
		for _, f := range t.Fields {
			n += fileSize(f.Type)
		}
		return n
	}
	return atomicSize(t.Class)
}

// inHeap reports whether elements hold text or sequences that lie in the heap.
func inHeap(t *netcdf.Type) bool {
	switch t.Class {
	case netcdf.String:
		return t.TextBytes == 0
	case netcdf.Vlen:
		return true
	case netcdf.Array:
		return inHeap(t.Base)
	case netcdf.Compound:
		for _, f := range t.Fields {
			if inHeap(f.Type) {
				return true
			}
		}
	}
	return false
}

// fieldOffset returns where field i of a compound begins in the file.
func fieldOffset(t *netcdf.Type, i int) int {
	if t.Size > 0 {
		return t.Fields[i].Offset
	}
	n := 0
	for _, f := range t.Fields[:i] {
		n += fileSize(f.Type)
	}
	return n
}
