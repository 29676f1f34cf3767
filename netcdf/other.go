package netcdf

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// Zarr is the kind of a [File] that [New] made of a Zarr store.
const Zarr Kind = "Zarr"

// Elements reads the elements of a variable that is in no netCDF file. It is called with boxes within
// the variable, by several goroutines at once.
type Elements interface {
	// Read stores the elements of a box in dst, as [Var.Read] does.
	Read(ctx context.Context, dst []byte, start, count []uint64) error
	// ReadSequences returns the texts or the sequences of a box, as [Var.ReadVlen] does.
	ReadSequences(ctx context.Context, start, count []uint64) ([][]byte, error)
	// Stored describes the chunks of [Storage].ChunkShape as they are stored. The chunks must be the
	// result of filters on the elements alone.
	Stored() (StoredChunks, error)
	// Place returns where the chunk at a position of their grid is stored. The error for a chunk that is
	// not stored wraps fs.ErrNotExist.
	Place(ctx context.Context, index []uint64) (Place, error)
}

// StoredChunks describes chunks of elements that are in no netCDF file.
type StoredChunks struct {
	Filters []Filter // in the order of writing
	Fill    []byte   // the element, little-endian, of chunks that are not stored
}

// A Place is where the bytes of a chunk are.
type Place struct {
	File           RawFile // its Name is the location
	Offset, Length int64
	Nowhere        error // why no file has the bytes as they are, although File reads them; nil if a file has them
}

// Elements returns the reader of the elements of a variable that is in no netCDF file. Such variables
// are made by [NewVar]; for others it is nil.
func (v *Var) Elements() Elements {
	if o, ok := v.data.(*otherVar); ok && o.at == 0 && o.size == v.Type.Size {
		return o.from
	}
	return nil
}

// New returns a file of the groups at and below root, which another format has. Its variables are made
// by [NewVar]; all paths, and the dimensions of each variable, are like paths and dimensions of netCDF
// files.
func New(kind Kind, root *Group) *File { return &File{Kind: kind, root: root} }

// NewVar gives a variable its elements, unless its field Err is set, and returns it.
func NewVar(v *Var, e Elements) *Var {
	v.data = &otherVar{v: v, from: e, size: v.Type.Size}
	return v
}

// NewType returns the type of an atomic class.
func NewType(c Class) *Type { return atomic(c) }

// An otherVar reads elements by other means, or a member of each.
type otherVar struct {
	v    *Var
	from Elements
	size int // of the elements as they are read
	at   int // where in them the member begins
}

func (o *otherVar) read(ctx context.Context, dst []byte, start, count []uint64) error {
	member := o.v.Type.Size
	if member == o.size {
		return o.from.Read(ctx, dst, start, count)
	}
	n := int64(nd.Volume(count))
	if n > math.MaxInt/int64(o.size) {
		return fmt.Errorf("%d elements of %d bytes", n, o.size)
	}
	whole := make([]byte, n*int64(o.size))
	if err := o.from.Read(ctx, whole, start, count); err != nil {
		return err
	}
	for i := range int(n) {
		copy(dst[i*member:][:member], whole[i*o.size+o.at:])
	}
	return nil
}

func (o *otherVar) readVlen(ctx context.Context, start, count []uint64) ([][]byte, error) {
	return o.from.ReadSequences(ctx, start, count)
}

// checkSize implements elements: elements that are not stored have a value, so that any size may be
// meant.
func (o *otherVar) checkSize(int64, []uint64, []uint64) error { return nil }

// errElsewhere is the error of asking for the places of elements in the file.
var errElsewhere = errors.New("the elements are in no netCDF file")

// member is a reader of a member of the elements.
func (o *otherVar) member(m *Var, path []string) (*otherVar, error) {
	at, t := o.at, o.v.Type
	for _, name := range path {
		found := false
		for _, f := range t.Fields {
			if f.Name == name {
				at, t, found = at+f.Offset, f.Type, true
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("type %s has no member %s outside of arrays", t.Describe(), name)
		}
	}
	return &otherVar{v: m, from: o.from, size: o.size, at: at}, nil
}
