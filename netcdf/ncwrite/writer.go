package ncwrite

import (
	"context"
	"errors"
	"io"

	"github.com/tgmconv/tgmconv/netcdf"
)

// Writer writes one file. Its methods may be called from several goroutines, save Close.
//
// What is in the file depends on the order of the calls, and not on the number of cores: calls from
// one goroutine always give the same bytes.
type Writer struct{}

// Option changes how a file is written.
type Option func(*options)

type options struct {
	workers    int
	memory     int64
	tempDir    string
	properties string
}

// WithWorkers sets how many chunks are filtered at the same time; the default is GOMAXPROCS.
func WithWorkers(n int) Option { return func(o *options) { o.workers = n } }

// WithMemory sets how many bytes of chunks that are not complete yet are kept in memory; the default
// is 256 MiB. What is above it goes to a temporary file.
func WithMemory(bytes int64) Option { return func(o *options) { o.memory = bytes } }

// WithTempDir sets the folder of temporary files; the default is that of the system.
func WithTempDir(dir string) Option { return func(o *options) { o.tempDir = dir } }

// WithProperties sets the attribute _NCProperties of netCDF-4 files, which says what wrote them; ""
// leaves it out.
func WithProperties(text string) Option { return func(o *options) { o.properties = text } }

var errNotYet = errors.New("not implemented yet")

// Create begins a file of the given kind with the groups, dimensions, attributes and variables of
// root, which must not be changed until Close.
//
// The file begins where sink stands. A sink that is an [io.WriterAt] and accepts WriteAt of no bytes
// at 0 is written to in any order (offsets count from its beginning); to any other the file is
// copied from a temporary one by Close. Create does not take over the sink: the caller closes it.
func Create(sink io.Writer, kind netcdf.Kind, root *Group, opts ...Option) (*Writer, error) {
	return nil, errNotYet
}

// Write writes elements of numbers, chars, enums, opaque types and compounds of these: data holds a
// box of count elements from start on, little-endian, in C order, Type.Size bytes each, as
// netcdf.Var.Read returns them. A nil start is the origin; a nil count is all that data holds on the
// first axis and all of the others. The box may end beyond the length of an unlimited dimension,
// which becomes longer.
//
// Every element is written once at most. Boxes of whole chunks are the fastest; others are gathered
// until their chunk is complete. data is not used after Write returns. Chunks are filtered in the
// background: an error of theirs is returned by a later call, or Close.
func (w *Writer) Write(ctx context.Context, v *Var, start, count []uint64, data []byte) error {
	return errNotYet
}

// WriteStrings writes elements of a String variable; start and count are as in Write. Of a Char
// variable the last axis is the length of the strings, and text is padded with zero bytes to it.
func (w *Writer) WriteStrings(ctx context.Context, v *Var, start, count []uint64, text []string) error {
	return errNotYet
}

// WriteRagged writes elements of a Vlen variable, as netcdf.Var.ReadRagged returns them; start and
// count are as in Write.
func (w *Writer) WriteRagged(ctx context.Context, v *Var, start, count []uint64, data *netcdf.Ragged) error {
	return errNotYet
}

// WriteValues writes elements of any type, given as [netcdf.Attr].Value holds them: []int64,
// []netcdf.Record and so on. It is for compounds and sequences that hold text or sequences, and
// for small variables.
func (w *Writer) WriteValues(ctx context.Context, v *Var, start, count []uint64, values any) error {
	return errNotYet
}

// WriteChunk writes a chunk that is filtered already, as it is in another file: the one whose first
// element is start. A bit of skipped is set for each filter that was not applied.
func (w *Writer) WriteChunk(ctx context.Context, v *Var, start []uint64, skipped uint32, stored []byte) error {
	return errNotYet
}

// Close writes what is pending and the metadata. It reports the first error of all calls.
func (w *Writer) Close() error { return errNotYet }

// Abort ends the work and releases memory and temporary files. It does nothing after Close.
func (w *Writer) Abort() {}
