// Package importers is the neutral model between sources and Tensogram messages, and the driver
// that pulls fields from a source, has their keys mapped to metadata, encodes them on several cores
// and writes them in order.
//
// Most callers make a [Source] with importers/fromgrib or importers/fromnetcdf and hand it to
// [Convert], writing to an [Output] so that nothing is left behind when it fails.
//
// A conversion holds at most Options.Workers + 2 fields at a time, whatever the size of the input;
// the bytes it writes do not depend on the number of workers.
package importers

import (
	"context"
	"errors"
	"iter"
	"runtime/debug"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Source yields what there is to convert, in order. What it yields is cheap: no values are read
// for it. An error of type [*BadInput] stands for one part of the source that cannot be used, and
// the source goes on after it if asked to; after any other error it ends. A source that stops early
// because the caller asked it to leaves nothing open.
type Source interface {
	Pending(ctx context.Context) iter.Seq2[Pending, error]
	// Size is the number of bytes of the whole input, 0 when it is not known.
	Size() int64
	// Close releases what the source holds.
	Close() error
}

// Pending is a part of a source that has been found and not yet read: a GRIB message, a netCDF
// variable.
type Pending struct {
	// Where names the place, for errors: "file.grib2: message 3 at byte 1234".
	Where string
	// Bytes is how much of the input this part is, for progress.
	Bytes int64
	// Memory is about how many bytes of memory converting the part takes, 0 when that is little.
	// Large parts are worked on one after the other.
	Memory int64
	// Notes are warnings about the source that belong to no field.
	Notes []string
	// Fields reads the fields of this part, usually one. It runs on a worker. Each field and what
	// it refers to in scratch is used up before the next is asked for. It may yield none (all were
	// filtered out), and is nil for a part that is nothing but notes.
	Fields func(ctx context.Context, scratch *Scratch) iter.Seq2[*Field, error]
}

// Field is one array of a source with what is known of it.
type Field struct {
	Name string
	// Group tells which message the field goes to: consecutive fields with the same group share
	// one.
	Group string
	Dims  []string // a name per axis; empty when the source has none
	Shape []int    // C order
	DType tgm.DType
	// Attrs are the keys of the source, and Namespaces the vocabularies that make metadata of them.
	Attrs      *mapping.Attributes
	Namespaces []mapping.Namespace
	// Extras go to the metadata as they are, beside name and namespaces.
	Extras map[string]any
	Values Values
	// Compressed says that the source itself keeps the elements compressed, so the message shall as
	// well.
	Compressed bool
	// Coords are the coordinates of the field's points. They are written once per message, after
	// its fields.
	Coords []*Coord
	// Where names the place, for errors.
	Where string
	// Notes are warnings about this field.
	Notes []string
}

// Values gives the elements of a field.
type Values interface {
	// Elements reads the elements, of the field's DType. It may use scratch for them.
	Elements(ctx context.Context, scratch *Scratch) (Elements, error)
}

// Elements are the values of a field: little-endian, in C order. Missing points hold anything. Data
// is overwritten when they are encoded.
type Elements struct {
	Data    []byte
	Missing *tgm.Mask // nil when none is missing; only for floating point and complex types
}

// Quantised is implemented by [Values] whose source may keep them as integers with a scale and an
// offset.
type Quantised interface {
	// Quantised gives the integers untouched, or [ErrNotQuantised].
	Quantised(ctx context.Context, scratch *Scratch) (*tgm.Packed, error)
}

// ErrNotQuantised says that a field has no integers to keep; its elements are to be read.
var ErrNotQuantised = errors.New("importers: the values are not quantised")

// Coord is a coordinate that fields share: an axis of a separable grid, or a value for each point.
type Coord struct {
	// Key tells coordinates apart: equal keys mean the same values.
	Key          string
	Name         string // "latitude", "longitude"
	StandardName string
	Units        string
	Dims         []string
	Shape        []int
	// Axis says that the coordinate belongs to one axis of the grid.
	Axis bool
	// Extras go to the metadata as they are. What they share with a field's tells a reader that the
	// coordinate is the field's.
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

// Unwrap returns the cause.
func (e *BadInput) Unwrap() error { return e.Err }

// Scratch is memory that is used again for one field after another. The slices it gives are valid
// until the same method is called again. The zero value is ready.
type Scratch struct {
	data, raw []byte
	floats    []float64
}

// Data gives n bytes, for the elements a field returns. They may be read into the end of it and
// widened towards its beginning.
func (s *Scratch) Data(n int) []byte {
	s.reserve(n)
	return s.data[:n]
}

// reserve makes sure that Data(n) gives the memory it gave before, and that there is what the
// encoder may need beyond it.
func (s *Scratch) reserve(n int) {
	if spare := n>>12 + 64; cap(s.data) < n+spare {
		s.data = nil // before memory for its successor is taken
		s.data = make([]byte, n+spare)
	}
}

// Raw gives n bytes, for what is read from the source.
func (s *Scratch) Raw(n int) []byte { return grow(&s.raw, n) }

// Floats gives n numbers.
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
