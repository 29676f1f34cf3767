package fromnetcdf

import (
	"context"
	"sync"

	"github.com/tgmconv/tgmconv/netcdf"
)

// windowBytes is how much memory the windows of all variables of a file may take together.
const windowBytes = 128 << 20

// window is a run of records that are read at once, because they lie in the same chunks: read one
// by one, each of them would have all these chunks decoded, of which only so many can be kept. Each
// record is taken once.
type window struct {
	records *recordReader
	first   uint64
	count   uint64

	once sync.Once
	data []byte
	err  error

	mu   sync.Mutex
	left uint64 // records not taken yet
}

// recordReader makes the windows of one variable.
type recordReader struct {
	v       *netcdf.Var
	axis    int    // of the records
	length  uint64 // records
	chunk   uint64 // records in a chunk
	step    uint64 // records in a window; 0 when records are read one by one
	current *window

	mu    sync.Mutex
	spare []byte // memory of a window that is used up
}

// newRecordReader says how the records along an axis are read. A window takes at most limit bytes.
func newRecordReader(v *netcdf.Var, axis int, limit uint64) *recordReader {
	r := &recordReader{v: v, axis: axis, length: v.Dims[axis].Len}
	s := &v.Storage
	if s.Layout != netcdf.Chunked || len(s.Filters) == 0 || len(s.ChunkShape) != len(v.Dims) || v.Size() == 0 {
		return r
	}
	r.chunk = min(s.ChunkShape[axis], r.length)
	fit := min(limit/(v.Size()/r.length), r.chunk)
	if fit < 2 {
		return r
	}
	// The windows of a chunk are about equal.
	parts := (r.chunk + fit - 1) / fit
	r.step = (r.chunk + parts - 1) / parts
	return r
}

// window returns the window of a record, nil when it is read by itself. Records are asked for in
// order.
func (r *recordReader) window(record uint64) *window {
	if r.step == 0 {
		return nil
	}
	if w := r.current; w != nil && record >= w.first && record-w.first < w.count {
		return w
	}
	chunk := record / r.chunk * r.chunk
	first := chunk + (record-chunk)/r.step*r.step
	end := min(first+r.step, chunk+r.chunk, r.length)
	r.current = &window{records: r, first: first, count: end - first, left: end - first}
	return r.current
}

// box is what of the variable the window reads.
func (w *window) box() (start, count []uint64) {
	count = w.records.v.Shape()
	start = make([]uint64, len(count))
	start[w.records.axis], count[w.records.axis] = w.first, w.count
	return start, count
}

// read stores a record into dst.
func (w *window) read(ctx context.Context, dst []byte, record uint64) error {
	w.once.Do(func() { w.err = w.load(ctx) })
	if w.err != nil {
		return w.err
	}
	outer := uint64(1)
	for _, d := range w.records.v.Dims[:w.records.axis] {
		outer *= d.Len
	}
	run := len(dst) / int(outer)
	from := int(record-w.first) * run
	for ; len(dst) > 0; dst = dst[run:] {
		copy(dst[:run], w.data[from:])
		from += run * int(w.count)
	}
	w.taken()
	return nil
}

func (w *window) load(ctx context.Context) error {
	start, count := w.box()
	if err := w.records.v.CheckRead(start, count); err != nil {
		return err
	}
	size := w.records.v.Type.Size
	for _, n := range count { // cannot overflow: CheckRead has counted them
		size *= int(n)
	}
	w.data = w.records.memory(size)
	return w.records.v.Read(ctx, w.data, start, count)
}

// taken gives the memory to another window after the last record.
func (w *window) taken() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left--; w.left == 0 {
		w.records.mu.Lock()
		w.records.spare = w.data
		w.records.mu.Unlock()
		w.data = nil
	}
}

func (r *recordReader) memory(n int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.spare
	r.spare = nil
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
