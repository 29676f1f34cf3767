package tgm

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// manyObjects is how many objects the tests of this file put in a message.
const manyObjects = 100_000

// fieldMetadata is a base entry of the size that fields have which come from GRIB.
func fieldMetadata(i int) map[string]any {
	grib := make(map[string]any, 40)
	for k := range 40 {
		grib[fmt.Sprintf("someLongKeyOfTheHeader%02d", k)] = int64(i + k)
	}
	return map[string]any{"name": fmt.Sprintf("field %d", i), "grib": grib}
}

// heapGrowth measures how far the heap grows over what it was.
type heapGrowth struct{ start, most uint64 }

func newHeapGrowth() *heapGrowth {
	h := &heapGrowth{}
	h.start = h.now()
	return h
}

// now is the memory in use, without garbage.
func (h *heapGrowth) now() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func (h *heapGrowth) look() { h.most = max(h.most, h.now()) }

func (h *heapGrowth) expect(t *testing.T, what string, limit uint64) {
	t.Helper()
	if h.most > h.start+limit {
		t.Errorf("%s: the heap grew by %d MB, expected at most %d MB", what, (h.most-h.start)>>20, limit>>20)
	}
}

// writeMany writes a file of one message with many objects.
func writeMany(t *testing.T, n int, heap *heapGrowth) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "many.tgm")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := mustEncode(t, Float64, sampleData(Float64, 4), Pipeline{})
	base := fieldMetadata(0)
	w := NewMessageWriter(&looking{f, heap, 0}, WriterOptions{TempDir: t.TempDir()})
	for i := range n {
		base["name"] = fmt.Sprintf("field %d", i)
		if err := w.Append(o, base); err != nil {
			t.Fatal(err)
		}
	}
	heap.look()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// looking looks at the heap every few megabytes that are written.
type looking struct {
	f    *os.File
	heap *heapGrowth
	next int
}

func (l *looking) Write(b []byte) (int, error) {
	if l.next -= len(b); l.next < 0 {
		l.heap.look()
		l.next = 16 << 20
	}
	return l.f.Write(b)
}

// TestManyObjects demands that memory hardly grows with the number of objects.
func TestManyObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a large file")
	}
	heap := newHeapGrowth()
	writeMany(t, manyObjects, heap)
	heap.expect(t, "writing", 40<<20)
}
