package fromnetcdf

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// windowBytes is the memory for the windows of all variables of a file together, when records are read in
// order.
const windowBytes = 128 << 20

// keptWindows bounds the memory of a source's idle windows.
const keptWindows = 2 * windowBytes

// window is a run of records that are read at once, because they lie in the same chunks: read one by one,
// each of them would have all these chunks decoded, and only a few can be kept.
type window struct {
	records *recordReader
	first   uint64
	count   uint64

	loaded chan struct{} // closed when data and err are there
	data   []byte
	err    error

	// Guarded by the lock of windows.
	readers int           // now
	left    uint64        // records not taken yet, if each is taken once
	used    *list.Element // of windows.held
}

// windows are the windows that a source holds. A window goes when each of its records was taken, or
// when others need its room: any record can be read again, at the cost of loading its window again.
type windows struct {
	mu   sync.Mutex
	held list.List // of *window, least recently used first
	idle int64     // bytes of idle windows
}

// recordReader reads the records of one variable.
type recordReader struct {
	windows *windows
	v       *netcdf.Var
	axis    int    // of the records
	length  uint64 // records
	chunk   uint64 // records in a chunk
	step    uint64 // records in a window; 0 when records are read one by one

	// Guarded by the lock of windows.
	open  []*window // its windows that are held
	spare []byte    // memory of a window that is used up
}

// newRecordReader decides how the records along an axis are read. A window takes at most limit
// bytes.
func newRecordReader(set *windows, v *netcdf.Var, axis int, limit uint64) *recordReader {
	r := &recordReader{windows: set, v: v, axis: axis, length: v.Dims[axis].Len}
	s := &v.Storage
	if s.Layout != netcdf.Chunked || v.Type.Size == 0 || len(s.Filters) == 0 || len(s.ChunkShape) != len(v.Dims) || v.Size() == 0 {
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

// read stores a record into dst.
func (r *recordReader) read(ctx context.Context, dst []byte, record uint64) error {
	for {
		w, load := r.windows.acquire(r, record)
		if load {
			w.err = w.load(ctx)
			close(w.loaded)
		}
		select {
		case <-w.loaded:
		case <-ctx.Done():
			r.windows.release(w, false)
			return ctx.Err()
		}
		if w.err == nil {
			w.copy(dst, record)
		}
		r.windows.release(w, w.err == nil)
		if gaveUp := errors.Is(w.err, context.Canceled) || errors.Is(w.err, context.DeadlineExceeded); gaveUp && ctx.Err() == nil {
			continue // only the caller that was loading it did
		}
		return w.err
	}
}

// acquire returns the window of a record, and whether the caller has to load it.
func (s *windows) acquire(r *recordReader, record uint64) (w *window, load bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range r.open {
		if record >= w.first && record-w.first < w.count {
			if w.readers++; w.readers == 1 {
				s.idle -= int64(len(w.data))
			}
			s.held.MoveToBack(w.used)
			return w, false
		}
	}
	chunk := record / r.chunk * r.chunk
	first := chunk + (record-chunk)/r.step*r.step
	end := min(first+r.step, chunk+r.chunk, r.length)
	w = &window{records: r, first: first, count: end - first, left: end - first, readers: 1, loaded: make(chan struct{})}
	w.used = s.held.PushBack(w)
	r.open = append(r.open, w)
	return w, true
}

// release notes that the caller reads w no more, and whether it has taken a record.
func (s *windows) release(w *window, taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if taken && w.left > 0 {
		w.left--
	}
	if w.readers--; w.readers > 0 {
		return
	}
	s.idle += int64(len(w.data))
	if w.left == 0 || w.err != nil {
		w.records.spare = w.data
		s.drop(w)
	}
	for e := s.held.Front(); e != nil && s.idle > keptWindows; {
		oldest := e.Value.(*window)
		e = e.Next()
		if oldest.readers == 0 {
			s.drop(oldest)
		}
	}
}

// drop forgets a window that is not in use.
func (s *windows) drop(w *window) {
	s.held.Remove(w.used)
	s.idle -= int64(len(w.data))
	r := w.records
	r.open = slices.DeleteFunc(r.open, func(other *window) bool { return other == w })
}

// forget drops all windows of a variable, which are no longer in use.
func (s *windows) forget(r *recordReader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(r.open) > 0 {
		s.drop(r.open[0])
	}
}

// memory gives n bytes for a window.
func (s *windows) memory(r *recordReader, n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := r.spare
	r.spare = nil
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// box is the region of the variable that the window reads.
func (w *window) box() (start, count []uint64) {
	count = w.records.v.Shape()
	start = make([]uint64, len(count))
	start[w.records.axis], count[w.records.axis] = w.first, w.count
	return start, count
}

func (w *window) load(ctx context.Context) error {
	start, count := w.box()
	if err := w.records.v.CheckRead(start, count); err != nil {
		return err
	}
	size := w.records.v.Type.Size * int(nd.Volume(count)) // cannot overflow: CheckRead has counted them
	w.data = w.records.windows.memory(w.records, size)
	return w.records.v.Read(ctx, w.data, start, count)
}

// copy stores a record of the window into dst.
func (w *window) copy(dst []byte, record uint64) {
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
}
