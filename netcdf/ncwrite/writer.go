package ncwrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Writer writes one file. Its methods may be called from several goroutines, save Close and Abort.
//
// The bytes of the file depend on the order of the calls, and not on the number of cores: calls
// from one goroutine always give the same bytes.
type Writer struct {
	plan   *plan
	out    *output
	format fileFormat

	mu   sync.Mutex
	err  error // the first
	over bool
}

// fileFormat has the operations in which the classic formats and netCDF-4 differ.
type fileFormat interface {
	// close writes pending chunks and the metadata, and returns the size of the file.
	close() (int64, error)
	// abort ends work in the background.
	abort()
}

// Create begins a file of the given kind with the groups, dimensions, attributes and variables of
// root. It must not be changed until Close.
//
// A sink that is an [io.WriterAt] and accepts WriteAt of no bytes is written to in any order, from
// offset 0 on; any other sink receives a copy of a temporary file when Close is called. Create does
// not take over the sink: the caller closes it.
func Create(sink io.Writer, kind netcdf.Kind, root *Group, opts ...Option) (*Writer, error) {
	o := options{workers: runtime.GOMAXPROCS(0), memory: defaultMemory, properties: defaultProperties}
	for _, set := range opts {
		set(&o)
	}
	p, err := newPlan(kind, root)
	if err != nil {
		return nil, err
	}
	out, err := newOutput(sink, o.tempDir)
	if err != nil {
		return nil, err
	}
	w := &Writer{plan: p, out: out}
	switch kind {
	case netcdf.CDF1, netcdf.CDF2, netcdf.CDF5:
		w.format, err = newClassicFile(p, out, &o)
	case netcdf.NetCDF4, netcdf.NetCDF4Classic:
		w.format, err = newNC4File(p, out, &o)
	default:
		err = fmt.Errorf("format %q is not supported, expected %s, %s, %s, %s or %s", kind,
			netcdf.CDF1, netcdf.CDF2, netcdf.CDF5, netcdf.NetCDF4, netcdf.NetCDF4Classic)
	}
	if err != nil {
		return nil, errors.Join(err, out.discard())
	}
	return w, nil
}

// begin returns the variable of a call, or why the call cannot be carried out.
func (w *Writer) begin(ctx context.Context, v *Var) (*variable, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch pv := w.plan.byVar[v]; {
	case w.over:
		return nil, errClosed
	case w.err != nil:
		return nil, w.err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case pv == nil:
		return nil, fmt.Errorf("variable %s is not in the file", v.Name)
	default:
		return pv, nil
	}
}

// keep remembers the first error: the file is not complete after it.
func (w *Writer) keep(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// Write writes elements of numbers, chars, enums, opaque types and compounds of these. The argument
// data holds a box of count elements from start on, little-endian, in C order, Type.Size bytes
// each, as netcdf.Var.Read returns them. A nil start is the origin; a nil count is all that data
// holds on the first axis and all of the others. The box may end beyond the length of an unlimited
// dimension, which becomes longer.
//
// Every element is written once at most. Boxes of whole chunks are the fastest; others are gathered
// until their chunk is complete. data is not used after Write returns. Chunks are filtered in the
// background; their errors are returned by a later call or by Close.
func (w *Writer) Write(ctx context.Context, v *Var, start, count []uint64, data []byte) error {
	pv, err := w.begin(ctx, v)
	if err != nil {
		return err
	}
	if inHeap(v.Type) || v.Type.Class == netcdf.String {
		return pv.errorf("type %s is not written as bytes: see WriteStrings, WriteRagged and WriteValues", describe(v.Type))
	}
	return w.elements(ctx, pv, start, count, data)
}

// elements stores elements as they are in the file.
func (w *Writer) elements(ctx context.Context, v *variable, start, count []uint64, data []byte) error {
	start, count, err := w.box(v, start, count, len(data))
	if err != nil || len(data) == 0 {
		return v.wrap(err)
	}
	w.plan.grow(v, start, count)
	return v.wrap(w.keep(v.store.write(ctx, start, count, data)))
}

// box fills in defaults, and checks a box against the variable and the bytes of its elements.
func (w *Writer) box(v *variable, start, count []uint64, bytes int) (_, _ []uint64, err error) {
	shape := w.plan.shape(v)
	rank := len(shape)
	if start == nil {
		start = make([]uint64, rank)
	}
	if len(start) != rank || count != nil && len(count) != rank {
		return nil, nil, fmt.Errorf("start has %d and count %d entries for %d dimensions", len(start), len(count), rank)
	}
	if bytes%v.size != 0 {
		return nil, nil, fmt.Errorf("%d bytes for elements of %d", bytes, v.size)
	}
	have := uint64(bytes / v.size)
	if count == nil {
		count = restOf(start, shape, have)
	}
	n := uint64(1)
	for i, d := range v.dims {
		if start[i] > maxIndex || count[i] > maxIndex || start[i]+count[i] > max(shape[i], v.limit(i, shape[i])) {
			return nil, nil, fmt.Errorf("%d elements from %d on dimension %s of length %d", count[i], start[i], d.name, shape[i])
		}
		var ok bool
		if n, ok = wire.Mul(n, count[i]); !ok {
			return nil, nil, fmt.Errorf("more elements than an int64 counts")
		}
	}
	if n != have {
		return nil, nil, fmt.Errorf("%d elements for a box of %d", have, n)
	}
	return start, count, nil
}

// maxIndex bounds an index on any axis.
const maxIndex = 1 << 60

// restOf returns the count of a box of n elements that takes all of each axis but the first.
func restOf(start, shape []uint64, n uint64) []uint64 {
	count := make([]uint64, len(shape))
	row := uint64(1)
	for i := range shape {
		if i > 0 {
			count[i] = shape[i] - min(start[i], shape[i])
			row *= count[i]
		}
	}
	if len(count) > 0 && row > 0 {
		count[0] = n / row
	}
	return count
}

// Close writes pending data and the metadata. It reports the first error of all calls.
func (w *Writer) Close() error {
	if w.over {
		return errClosed
	}
	w.over = true
	if w.err != nil {
		w.format.abort()
		return errors.Join(w.err, w.out.discard())
	}
	size, err := w.format.close()
	if err != nil {
		return errors.Join(err, w.out.discard())
	}
	return w.out.finish(size)
}

// Abort stops writing and releases memory and temporary files. It does nothing after Close.
func (w *Writer) Abort() {
	if w.over {
		return
	}
	w.over = true
	w.format.abort()
	_ = w.out.discard() // nothing depends on it
}
