package ncwrite

import (
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/h5enc"
)

// fileType translates a type; bigEndian is the byte order of numbers.
func fileType(t *netcdf.Type, bigEndian bool) *h5enc.Type {
	switch c := t.Class; {
	case c == netcdf.Char:
		return h5enc.String(1, padding(t, h5enc.NullTerminated), t.UTF8)
	case c == netcdf.String && t.TextBytes > 0:
		return h5enc.String(t.TextBytes, padding(t, h5enc.NullPadded), t.UTF8)
	case c == netcdf.String:
		return h5enc.VarString(t.UTF8)
	case c.IsFloat():
		return h5enc.Float(atomicSize(c), bigEndian)
	case c == netcdf.Vlen:
		return h5enc.Vlen(fileType(t.Base, false))
	case c == netcdf.Opaque:
		return h5enc.Opaque(t.Size, t.Tag)
	case c == netcdf.Enum:
		members := make([]h5enc.Member, len(t.Members))
		for i, m := range t.Members {
			members[i] = h5enc.Member{Name: cutZero(m.Name), Value: uint64(m.Value)}
		}
		return h5enc.Enum(fileType(t.Base, false), members)
	case c == netcdf.Compound:
		fields := make([]h5enc.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = h5enc.Field{Name: f.Name, Offset: fieldOffset(t, i), Type: fileType(f.Type, false)}
		}
		return h5enc.Compound(fileSize(t), fields)
	case c == netcdf.Reference:
		return h5enc.Reference()
	case c == netcdf.Array:
		return h5enc.Array(fileType(t.Base, false), t.Shape)
	default:
		return h5enc.Integer(atomicSize(c), c.Signed(), bigEndian)
	}
}

// padding is how text of fixed length ends, as its type says, else the given way.
func padding(t *netcdf.Type, other h5enc.Padding) h5enc.Padding {
	switch t.Padding {
	case netcdf.NullTerminated:
		return h5enc.NullTerminated
	case netcdf.NullPadded:
		return h5enc.NullPadded
	case netcdf.SpacePadded:
		return h5enc.SpacePadded
	}
	return other
}

func cutZero(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}
