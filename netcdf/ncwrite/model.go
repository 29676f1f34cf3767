package ncwrite

import (
	"slices"

	"github.com/tgmconv/tgmconv/netcdf"
)

// Group is a group of the file to write. Names must be unique among the variables, types and groups
// of a group, as netCDF demands.
type Group struct {
	Name   string        // ignored of the root
	Dims   []*netcdf.Dim // Len of an unlimited dimension is its length at the beginning; writing beyond it makes it longer. Phony dimensions are not written as dimensions of netCDF-4.
	Types  []*netcdf.Type
	Attrs  []netcdf.Attr // in the order of the file; in netCDF-4, references are the paths of groups and variables, as []string
	Vars   []*Var        // in the order of the file
	Groups []*Group
	Links  []Link // of netCDF-4 only
}

// Has reports whether a variable, type, group, dimension or link of the group has a name.
func (g *Group) Has(name string) bool {
	return g.Var(name) != nil ||
		slices.ContainsFunc(g.Types, func(t *netcdf.Type) bool { return t.Name == name }) ||
		slices.ContainsFunc(g.Groups, func(c *Group) bool { return c.Name == name }) ||
		slices.ContainsFunc(g.Dims, func(d *netcdf.Dim) bool { return d.Name == name }) ||
		slices.ContainsFunc(g.Links, func(l Link) bool { return l.Name == name })
}

// Link is a further link to a group, or a link that leads nowhere in the file.
type Link struct {
	Name   string
	Group  string // of a hard link: the path of a group of the file
	Target string // of a soft or an external link: the path
	File   string // of an external link
	Before int    // position among Groups: of the group after it
}

// Var returns the variable with the given name, or nil.
func (g *Group) Var(name string) *Var {
	for _, v := range g.Vars {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Var is a variable of the file to write.
type Var struct {
	Name string

	// Type is an atomic type, as Atomic returns it, or a type in Types of a group of the file.
	// It is found by its pointer, else by its name.
	Type *netcdf.Type

	// Dims names the dimensions, the slowest first. A name is looked up in the group of the
	// variable and then in the groups around it; "/a/x" is dimension x of group /a, "/x" is
	// dimension x of the root. Any group of the file may have it.
	Dims []string

	// Attrs holds the attributes in order. An attribute _FillValue of the variable's type is also
	// the value of elements that are not written; without it that is netcdf.DefaultFill.
	Attrs []netcdf.Attr

	// ChunkShape is the shape of the chunks, of netCDF-4 only. Without a given shape the variable
	// is contiguous, or gets chunks of a default shape when it must have them because it has
	// filters or unlimited dimensions.
	ChunkShape []uint64

	// Filters are applied to each chunk in this order, of netCDF-4 only; see Shuffle, Deflate, Zstd
	// and Fletcher32.
	Filters []netcdf.Filter

	// Same, if not nil, is another variable of the file, whose dataset this variable is a further
	// link to. The link is soft, with Target as its path, if that is not empty. All but Name and
	// Target are as in Same. Only netCDF-4 has links.
	Same   *Var
	Target string

	// References are the elements of a variable of references to objects, of netCDF-4 only, which are
	// not written otherwise. They are paths of groups and variables, empty for references to nothing.
	References []string

	// Limit has how long each axis can become, netcdf.NoLimit without end. It counts on phony
	// dimensions only, where it must not be less than the length; without it such an axis can grow
	// if its dimension is unlimited.
	Limit []uint64

	// BigEndian stores numbers of netCDF-4 big-endian. The classic formats always do.
	BigEndian bool

	// Padding has the bytes after the elements, or after each record, in the classic formats.
	// They make the length a multiple of four. It is used if its length is as needed;
	// otherwise fill values are written.
	Padding []byte

	// NoFill leaves out fill values: elements that are not written have no particular value, zero
	// here.
	NoFill bool

	// Fill is the value of elements that are not written, in place of the attribute _FillValue and
	// of the default. It is a number or character, little-endian. Only netCDF-4 files can say it.
	Fill []byte
}

// Atomic returns the type of an atomic class, netcdf.Byte to netcdf.String. Strings are in UTF-8.
func Atomic(c netcdf.Class) *netcdf.Type {
	return &netcdf.Type{Class: c, Name: c.String(), Size: atomicSize(c), UTF8: c == netcdf.String}
}

// atomicSize returns the bytes of an element, 0 for strings and classes that are not atomic.
func atomicSize(c netcdf.Class) int {
	switch c {
	case netcdf.Byte, netcdf.Char, netcdf.UByte:
		return 1
	case netcdf.Short, netcdf.UShort:
		return 2
	case netcdf.Int, netcdf.UInt, netcdf.Float:
		return 4
	case netcdf.Int64, netcdf.UInt64, netcdf.Double:
		return 8
	}
	return 0
}

// Shuffle returns the filter that puts the first bytes of all elements first, then all second
// bytes, and so on. It helps the compression that follows.
func Shuffle() netcdf.Filter {
	return netcdf.Filter{ID: netcdf.FilterShuffle, Name: "shuffle", Level: -1}
}

// Deflate returns the filter for deflate compression, which every reader knows; level is 1
// (fastest) to 9 (smallest).
func Deflate(level int) netcdf.Filter {
	return netcdf.Filter{ID: netcdf.FilterDeflate, Name: "deflate", Level: level}
}

// Zstd returns the filter for zstd compression. It is faster and smaller than Deflate, but needs a
// plugin in most readers. The level is as in the zstd command.
func Zstd(level int) netcdf.Filter {
	return netcdf.Filter{ID: netcdf.FilterZstd, Name: "zstd", Level: level}
}

// Fletcher32 returns the filter that appends a checksum to each chunk.
func Fletcher32() netcdf.Filter {
	return netcdf.Filter{ID: netcdf.FilterFletcher32, Name: "fletcher32", Level: -1}
}
