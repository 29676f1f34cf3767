package netcdf

import (
	"context"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/netcdf/internal/hdf5"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// A FormatError reports a damaged file. Its fields are
//
//	What   string // the structure being read: "superblock", "attribute list of variable t"
//	Offset int64  // where in the file, -1 when there is no single place
//	Err    error  // the values found and expected
type FormatError = wire.FormatError

// An UnsupportedError reports a valid file that needs a feature not implemented. Its fields are
//
//	What   string // the structure being read
//	Offset int64  // where in the file, -1 when there is no single place
//	Need   string // the missing feature: "filter 32017 (sz)"
//	Known  string // the supported features instead, as "0 to 3"; empty when there are none
type UnsupportedError = wire.UnsupportedError

// Record is the value of a compound: a list of FieldValue{Name string; Value any}. Its Value is
// an int64, uint64, float64, string, []byte, Ref, Record or a list of these.
type Record = hdf5.Record

// Ref is a reference to an object of the file, or to a region of a dataset. For the path of the
// object, use [File.PathOf].
type Ref = hdf5.Ref

// Kind is the file format.
type Kind string

// The formats, named as in the netCDF user guide. A plain HDF5 file is netCDF-4 as well.
const (
	CDF1           Kind = "CDF-1"                  // classic
	CDF2           Kind = "CDF-2"                  // 64-bit offset
	CDF5           Kind = "CDF-5"                  // 64-bit data
	NetCDF4        Kind = "netCDF-4"               // HDF5
	NetCDF4Classic Kind = "netCDF-4 classic model" // HDF5, marked with _nc3_strict
)

// Group is a group of a file; classic files have the root group only.
type Group struct {
	Name   string // "/" for the root
	Path   string // "/a/b", "/" for the root
	Dims   []*Dim // defined in this group
	Vars   []*Var // in the order of ncdump
	Attrs  []Attr
	Types  []*Type // named user-defined types of this group
	Groups []*Group

	// Aliases are other links to groups of the file. Each group is listed once, in Groups of the
	// group where it was found first.
	Aliases []Alias

	// Skipped lists the objects that could not become variables or groups, by name. They have a
	// damaged header, or are an external link that was not followed.
	Skipped []Skipped
}

// Alias is a link to a group that is listed elsewhere.
type Alias struct {
	Name   string
	Path   string // of the group that the link leads to
	Target string // the path in a soft link, empty of a hard link
	Before int    // position among Groups of the group that the link is in: of the group after it
}

// Skipped is an object of a group that is not listed, and why.
type Skipped struct {
	Name string
	Err  error

	Target, File string // of a soft or an external link: the path, and the file that it is in
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

// Attr returns the attribute with the given name, or nil.
func (g *Group) Attr(name string) *Attr { return findAttr(g.Attrs, name) }

// Dim is a dimension.
type Dim struct {
	Name      string
	Len       uint64 // current length
	Unlimited bool

	// Phony says that an HDF5 file has datasets with axes of this length, and no dimension. The name
	// is invented as the netCDF library does it.
	Phony bool
}

// Attr is an attribute of a variable or group.
type Attr struct {
	Name string
	Type *Type

	// Value holds the typed value, a list of any length unless it is text:
	//
	//	string     char
	//	[]string   string
	//	[]int64    byte, short, int, int64, enum on these
	//	[]uint64   ubyte, ushort, uint, uint64, enum on these, bitfield
	//	[]float64  float, double, half
	//	[]Record   compound
	//	[]any      vlen, array: each element is a list
	//	[]Ref      reference
	//	[]byte     opaque: the elements one after the other
	//
	// It is nil when Err is set.
	Value any

	// JSON says that Value is the JSON of another format's value that netCDF has no type for.
	JSON bool

	// Zeros is the number of zero bytes that follow the text of a char in the file. They are not
	// part of Value.
	Zeros int

	// Null are the positions of strings that are null pointers in the file, which ncdump prints as
	// NIL. In Value their texts are empty.
	Null []int

	// Scalar says that an HDF5 file has the value as a scalar, as h5py writes it. The netCDF
	// library writes a list with one element. It is not set for char, which is always a scalar.
	Scalar bool

	// Shape has the lengths of the axes where an HDF5 file has the value as an array of several
	// axes. It also tells a list of no elements. The netCDF library takes it for a list, or for
	// nothing.
	Shape []uint64

	// BigEndian says that an HDF5 file has the numbers in this byte order. Numbers of the
	// classic formats always are.
	BigEndian bool

	// Err is why the value could not be read.
	Err error
}

// Len returns the number of elements (of bytes, for char).
func (a *Attr) Len() int {
	switch v := a.Value.(type) {
	case []int64:
		return len(v)
	case []uint64:
		return len(v)
	case []float64:
		return len(v)
	case []string:
		return len(v)
	case []Record:
		return len(v)
	case []Ref:
		return len(v)
	case []any:
		return len(v)
	case string:
		return len(v)
	case []byte:
		if a.Type.Size > 0 {
			return len(v) / a.Type.Size
		}
	}
	return 0
}

func findAttr(list []Attr, name string) *Attr {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// Layout is how the elements of a variable are arranged in the file.
type Layout string

// The layouts.
const (
	Contiguous Layout = "contiguous"
	Chunked    Layout = "chunked"
	Compact    Layout = "compact"  // in the object header
	Records    Layout = "records"  // classic: interleaved with other record variables
	External   Layout = "external" // HDF5: in files that hold nothing but elements
	Virtual    Layout = "virtual"  // HDF5: in other datasets, mostly of other files
)

// Storage is how a variable is stored.
type Storage struct {
	Layout     Layout
	ChunkShape []uint64 // of Chunked: elements per axis
	Filters    []Filter // in the order in which they were applied on writing
	Rows       bool     // of Chunked: chunks are large, and rows of one are read without the others
	BigEndian  bool     // byte order of the elements in the file
	Stored     uint64   // bytes of the elements in the file; 0 of chunks, see Var.Chunks
	Limit      []uint64 // of HDF5: how long each axis can become, NoLimit without end
	NoFill     bool     // of HDF5: the file has no fill value for numbers and characters that are not written
	// Fill is the fill value that an HDF5 file has, if it is neither the attribute _FillValue nor
	// DefaultFill. It is a number or character, little-endian.
	Fill []byte
}

// NoLimit is the length that an axis without limit can become.
const NoLimit = math.MaxUint64

// Compressed reports whether a filter changes the size of the data.
func (s *Storage) Compressed() bool {
	for _, f := range s.Filters {
		switch f.ID {
		case FilterShuffle, FilterFletcher32:
		default:
			return true
		}
	}
	return false
}

// Numbers of HDF5 filters, from the registry of The HDF Group.
const (
	FilterDeflate     = 1
	FilterShuffle     = 2
	FilterFletcher32  = 3
	FilterSzip        = 4
	FilterNbit        = 5
	FilterScaleOffset = 6
	FilterZstd        = 32015
)

// Filter is one stage of a chunk's filter pipeline.
type Filter struct {
	ID     int
	Name   string   // "deflate", "shuffle", "fletcher32", "szip", … or the name in the file
	Level  int      // of deflate and zstd, -1 else
	Params []uint32 // client data as stored
}

// Var is a variable.
type Var struct {
	Name    string
	Path    string // of the group and the name: "/t2m", "/forecast/t2m"
	Dims    []*Dim
	Type    *Type
	Attrs   []Attr
	Storage Storage
	// Padding is the one to three bytes that follow the elements in a classic file. They are
	// from the first record where there are several; nil if none follow.
	Padding []byte

	// LinkTo is the path of another variable in an HDF5 file, whose dataset this variable is a
	// further link to. It is empty for others. LinkTarget is the path in a soft link, empty of a
	// hard link.
	LinkTo, LinkTarget string

	// Err is why the elements cannot be read, nil when they can.
	Err error

	data elements
}

// elements reads the stored elements of one variable; start and count are valid.
type elements interface {
	read(ctx context.Context, dst []byte, start, count []uint64) error
	readVlen(ctx context.Context, start, count []uint64) ([][]byte, error)
	checkSize(bytes int64, start, count []uint64) error
}

// Attr returns the attribute with the given name, or nil.
func (v *Var) Attr(name string) *Attr { return findAttr(v.Attrs, name) }

// Shape returns the current length of each axis.
func (v *Var) Shape() []uint64 {
	s := make([]uint64, len(v.Dims))
	for i, d := range v.Dims {
		s[i] = d.Len
	}
	return s
}

// Len returns the number of elements; 1 for a scalar.
func (v *Var) Len() uint64 {
	n := uint64(1)
	for _, d := range v.Dims {
		var ok bool
		if n, ok = wire.Mul(n, d.Len); !ok {
			return math.MaxInt64
		}
	}
	return n
}

// Size returns the bytes of all elements as Read stores them.
func (v *Var) Size() uint64 {
	n, ok := wire.Mul(v.Len(), uint64(v.Type.Size))
	if !ok {
		return math.MaxInt64
	}
	return n
}

// NoTensor returns why the variable is not an array of numbers. It is nil for numeric types,
// else an error such as "variable /s: strings have no tensor form".
func (v *Var) NoTensor() error {
	switch {
	case v.Err != nil:
		return v.wrap(v.Err)
	case v.Type.Numeric():
		return nil
	}
	return fmt.Errorf("variable %s: type %s has no tensor form", v.Path, v.Type.Describe())
}

// Describe returns the class with the name of a user-defined type: "string", "enum cloud_class_t",
// "compound".
func (t *Type) Describe() string {
	if t.Name == "" || t.Name == t.Class.String() {
		return t.Class.String()
	}
	return t.Class.String() + " " + t.Name
}

// Read stores elements into dst: little-endian, in C order, Type.Size bytes each. The argument
// start is the first index and count the number of indices on each axis; nil start is the origin
// and nil count is all that follows it. dst must have room for exactly these elements.
//
// Chunks are decoded on several cores. A chunk that only partly falls into the request is kept in a
// small cache for the next call, so that reading one record after the other decodes each chunk
// once.
func (v *Var) Read(ctx context.Context, dst []byte, start, count []uint64) error {
	if v.Err != nil {
		return v.wrap(v.Err)
	}
	start, count, n, err := v.slab(start, count)
	if err != nil {
		return err
	}
	if v.Type.Size == 0 {
		return v.wrap(wire.Unsupported("elements", -1, "reading type %s as bytes", v.Type.Describe()))
	}
	if want, ok := wire.Mul(n, uint64(v.Type.Size)); !ok || want != uint64(len(dst)) {
		return fmt.Errorf("variable %s: a buffer of %d bytes for %d elements of %d bytes", v.Path, len(dst), n, v.Type.Size)
	}
	if n == 0 {
		return nil
	}
	return v.wrap(v.data.read(ctx, dst, start, count))
}

// wrap adds the variable to an error.
func (v *Var) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("variable %s: %w", v.Path, err)
}

// CheckRead reports an error when Read with the same start and count is sure to fail. A filter is
// not implemented, the box is not within the variable, or it is larger than the file can plausibly
// hold, since a damaged header can claim any size. It is for callers that are about to take memory
// for dst.
func (v *Var) CheckRead(start, count []uint64) error {
	if v.Err != nil {
		return v.wrap(v.Err)
	}
	start, count, n, err := v.slab(start, count)
	if err != nil || n == 0 {
		return err
	}
	size, ok := wire.Mul(n, uint64(v.Type.Size))
	if !ok {
		return fmt.Errorf("variable %s: more bytes than an int64 counts", v.Path)
	}
	return v.wrap(v.data.checkSize(int64(size), start, count))
}

// slab fills in defaults, checks start and count against the shape, and counts the elements.
func (v *Var) slab(start, count []uint64) (_, _ []uint64, n uint64, err error) {
	if start == nil {
		start = make([]uint64, len(v.Dims))
	}
	if len(start) != len(v.Dims) || count != nil && len(count) != len(v.Dims) {
		return nil, nil, 0, fmt.Errorf("variable %s: start has %d and count %d entries for %d dimensions",
			v.Path, len(start), len(count), len(v.Dims))
	}
	all := count == nil
	if all {
		count = make([]uint64, len(v.Dims))
	}
	n = 1
	for i, d := range v.Dims {
		if start[i] > d.Len {
			return nil, nil, 0, fmt.Errorf("variable %s: start %d on dimension %s of length %d", v.Path, start[i], d.Name, d.Len)
		}
		if all {
			count[i] = d.Len - start[i]
		}
		if count[i] > d.Len-start[i] {
			return nil, nil, 0, fmt.Errorf("variable %s: %d elements from %d on dimension %s of length %d",
				v.Path, count[i], start[i], d.Name, d.Len)
		}
		var ok bool
		if n, ok = wire.Mul(n, count[i]); !ok {
			return nil, nil, 0, fmt.Errorf("variable %s: more elements than an int64 counts", v.Path)
		}
	}
	return start, count, n, nil
}
