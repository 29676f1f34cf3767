// Package importers is the neutral model between sources and Tensogram messages, and the driver of
// conversions. The driver reads fields from a source, maps their keys to metadata, encodes them on several
// cores and writes them in order.
//
// Most callers make a [Source] with importers/fromgrib or importers/fromnetcdf and hand it to
// [Convert], writing to a storage.Writer so that nothing is left behind when it fails.
//
// A conversion holds at most Options.Workers + 2 fields at a time, regardless of the size of the
// input; the bytes it writes do not depend on the number of workers.
package importers

import (
	"context"
	"iter"
	"runtime/debug"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Source lists the parts of some inputs and reads them. It may be used by several goroutines.
type Source interface {
	// Parts yields the parts in order. It reads no values. An error of type [*BadInput] stands for
	// one part of the source that cannot be used, and the iteration can go on after it; any other
	// error ends it.
	Parts(ctx context.Context) iter.Seq2[Part, error]
	// Read reads the fields of a part, usually one, and none if all were filtered out. Parts may be
	// read in any order, any number of times, and by another source with the same options than the
	// one that listed them: inputs are opened by their names when they are needed.
	//
	// With scratch, the caller is about to read the values: a source may read more than the description of a
	// field at once, and the field may refer to scratch, so that each field is valid only until the next is
	// asked for. If scratch is nil, only the descriptions of the fields are read from the input, and they stay
	// valid until the source is closed; their Values read the elements when asked.
	Read(ctx context.Context, p Part, scratch *Scratch) iter.Seq2[*Field, error]
	// Size is the number of bytes of the whole input, 0 when it is not known.
	Size() int64
	// Close releases the memory and files of the source. Nothing of it may be in use.
	Close() error
}

// Field is one array of a source with its description.
type Field struct {
	Name string
	// Group selects the message that the field goes to: consecutive fields with the same group
	// share one.
	Group string
	Dims  []string // a name per axis; empty when the source has none
	Shape []int    // C order
	DType tgm.DType
	// Attrs are the keys of the source, and Namespaces the vocabularies that make metadata of them:
	// for the values, or, after these were read [AsStored], for the stored numbers.
	Attrs      *mapping.Attributes
	Namespaces []mapping.Namespace
	// Extras are added to the metadata as they are, in addition to name and namespaces.
	Extras map[string]any
	// CodedGeometry, which may be nil, returns the CBOR of the geometry in Extras: fields on one grid share it.
	CodedGeometry func() ([]byte, error)
	// Implied are keys of the metadata that follow from other keys, as the readers of the messages
	// know: they are written only where they take a hundredth of the object at most.
	Implied []string
	// Message is metadata of the message that the field goes to. If several of its fields have a
	// key, its value must be the same in all.
	Message map[string]any
	// Source names the source of the field, as mapping.KeySource does. It is nil for fields that need nothing
	// else of their source. It reads from the input, and is called only for fields that are written.
	Source func(ctx context.Context) (string, error)
	// Values is nil where Message is all there is: the message has no object.
	Values Values
	// Separate, which may be nil, returns the real and the imaginary part of complex numbers as fields, see
	// [Mixed]. It returns none if a message can hold the numbers. It is called before the values are read.
	Separate func(ctx context.Context, scratch *Scratch) ([]*Field, error)
	// StoredBytes, which may be nil, is how many bytes the source takes for the elements: more effort
	// is made to compress them if they would take more. 0 means that it does not matter. It is called
	// after the elements, or their integers, were read.
	StoredBytes func() int64
	// Index is the number of the field in its message.
	Index int
	// Coded has the keys that a library of the source's format has for the field, beside the metadata. It is nil
	// where there are none. Clauses may be about them.
	Coded mapping.Coded
	// Exact says why an encoding must not change the values, such as "coordinates"; empty where it
	// may. Integers never change.
	Exact string
	// Compressed says that the source itself keeps the elements compressed, so the message should
	// as well.
	Compressed bool
	// Shorter stores a small array without compression if that takes fewer bytes.
	Shorter bool
	// Coords are the coordinates of the field's points. They are written after the fields of the
	// message: axes once a message, others once in the output.
	Coords []*Coord
	// Where names the place of the field in the source, for errors.
	Where string
	// Notes are warnings about this field.
	Notes []string
}

// Values are the elements of a field: an array that is read in parts, in memory that is used again. A
// source that has nothing but elements embeds [Plain].
type Values interface {
	// Info describes the elements in a form; it is nil if the source does not have that form. Regions
	// that are not whole blocks are not read. It reads nothing.
	Info(Form) *array.Info
	// Read reads a region of the elements in a form. It may use scratch for them, which must not be
	// nil. Where regions are read one after the other in C order, the namespaces of the field, if
	// evaluated afterwards, describe the missing points of all of them.
	Read(ctx context.Context, form Form, r array.Region, scratch *Scratch) (Elements, error)
	// Pick reads single elements in a form to dst, by their ascending numbers in C order; missing ones
	// are NaN. It reports false, and has read nothing, if the source cannot read less than blocks.
	Pick(ctx context.Context, form Form, at []uint64, dst []byte, scratch *Scratch) (bool, error)
	// Packed returns the source's integers with their scale and offset, untouched; nil if there are none. It is
	// asked before anything is read.
	Packed(ctx context.Context, scratch *Scratch) (*tgm.Packed, error)
	// Layout gives the place and form of the stored elements, if other programs can decode them. Else
	// the error is an [*UnportableError]. It reads indexes, no values.
	Layout(ctx context.Context) (*Layout, error)
	// Frame returns the zstd frame in which the source stores the elements, and its level, if they
	// are integers without missing points; otherwise nil. The frame may be damaged.
	Frame(ctx context.Context) (frame []byte, level int, err error)
}

// A Form is the form in which the elements of a field are read.
type Form uint8

const (
	// AsValues are values of the field's DType.
	AsValues Form = iota
	// AsSingle are values of float64 rounded to float32, where that takes less work than to read
	// AsValues.
	AsSingle
	// AsStored are packed numbers as the source stores them. The namespaces of the field, if evaluated
	// afterwards, say how to unpack them.
	AsStored
	// AsWritten are the elements as the source has them: packed numbers, with the elements at missing points,
	// none marked as missing.
	AsWritten
)

// Plain is embedded by [Values] that have nothing but elements.
type Plain struct{}

// Frame implements [Values].
func (Plain) Frame(context.Context) ([]byte, int, error) { return nil, 0, nil }

// Pick implements [Values].
func (Plain) Pick(context.Context, Form, []uint64, []byte, *Scratch) (bool, error) { return false, nil }

// Packed implements [Values].
func (Plain) Packed(context.Context, *Scratch) (*tgm.Packed, error) { return nil, nil }

// Layout implements [Values].
func (Plain) Layout(context.Context) (*Layout, error) {
	return nil, &UnportableError{Why: "only this program decodes it"}
}

// WholeInfo describes elements that are read all at once.
func WholeInfo(shape []int, t tgm.DType) *array.Info {
	info := &array.Info{Shape: make([]uint64, len(shape)), DType: t}
	for i, n := range shape {
		info.Shape[i] = uint64(n)
	}
	info.Block = array.WholeBlock(info.Shape)
	return info
}

// Elements are the values of a field: little-endian, in C order. The elements at missing points
// have no meaning. Data is overwritten when the elements are encoded.
type Elements struct {
	Data    []byte
	Missing *tgm.Mask // nil when none is missing; only for floating point and complex types
}

// Elements reads all values of the field.
func (f *Field) Elements(ctx context.Context, scratch *Scratch) (Elements, error) {
	return f.Values.Read(ctx, AsValues, f.Values.Info(AsValues).Whole(), scratch)
}

// Coord is a coordinate that fields share: an axis of a separable grid, or a value for each point.
type Coord struct {
	// Key identifies the coordinate: equal keys mean the same values.
	Key          string
	Name         string
	StandardName string
	Units        string
	Dims         []string
	Shape        []int
	// Axis says that the coordinate belongs to one axis of the grid, and is not one of points.
	Axis bool
	// Extras go to the metadata as they are. A reader finds the coordinates of a field by the
	// extras that both have.
	Extras map[string]any
	// Values computes the coordinate.
	Values func() ([]float64, error)
}

// BadInput is a part of a source that cannot be converted. A conversion stops at it, or skips and
// lists it.
type BadInput struct {
	Where string
	Err   error
}

func (e *BadInput) Error() string {
	if e.Where == "" {
		return e.Err.Error()
	}
	return e.Where + ": " + e.Err.Error()
}

// NamesFile reports whether the text says which file the error is about.
func (e *BadInput) NamesFile() bool { return e.Where != "" }

// Unwrap returns the cause.
func (e *BadInput) Unwrap() error { return e.Err }

// Scratch is memory that is used again for one field after another. The slices it returns are valid
// until the same method is called again. The zero value is ready to use.
type Scratch struct {
	data, raw []byte
	floats    []float64
	room      func(ctx context.Context, bytes int64) error // waits for so much memory; nil: there is
}

// Data returns n bytes, for the elements of a field. The source may read narrower elements into the
// end of the slice and widen them towards its beginning.
func (s *Scratch) Data(n int) []byte {
	if cap(s.data) < n { // the memory of a caller has room for the elements, and no more
		s.reserve(n)
	}
	return s.data[:n]
}

// Swap replaces the memory of Data by b, which may be nil, and returns the memory that Data used
// before.
func (s *Scratch) Swap(b []byte) []byte {
	before := s.data
	s.data = b
	return before
}

// reserve makes sure that Data(n) gives the memory it gave before, with room for the encoder beyond it.
func (s *Scratch) reserve(n int) {
	if spare := n>>12 + 64; cap(s.data) < n+spare {
		s.data = nil // before memory for its successor is taken
		s.data = make([]byte, n+spare)
	}
}

// Raw returns n bytes, for reading from the source.
func (s *Scratch) Raw(n int) []byte { return grow(&s.raw, n) }

// Floats returns n numbers.
func (s *Scratch) Floats(n int) []float64 { return grow(&s.floats, n) }

// trim gives memory back that only an unusually large field needed.
func (s *Scratch) trim() {
	if cap(s.data)+cap(s.raw)+8*cap(s.floats) > keptScratch {
		*s = Scratch{}
		// The next field may be as large. Left to the collector, both would be held for a while.
		debug.FreeOSMemory()
	}
}

func grow[T any](buf *[]T, n int) []T {
	if cap(*buf) < n {
		*buf = make([]T, n)
	}
	return (*buf)[:n]
}
