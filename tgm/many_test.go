package tgm

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"github.com/tgmconv/tgmconv/internal/cases"
	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// fieldMetadata is a base entry as large as the entries of GRIB fields.
func fieldMetadata(i int) map[string]any {
	grib := make(map[string]any, 40)
	for k := range 40 {
		grib[fmt.Sprintf("someLongKeyOfTheHeader%02d", k)] = int64(i + k)
	}
	return map[string]any{"name": fmt.Sprintf("field %d", i), "grib": grib}
}

// heapGrowth measures how far the heap grows beyond its size at the start.
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
	manyObjects := 30_000
	if cases.Of(t).All() {
		manyObjects = 100_000
	}
	heap := newHeapGrowth()
	path := writeMany(t, manyObjects, heap)
	heap.expect(t, "writing", 40<<20)

	heap = newHeapGrowth()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	for j := 0; j < manyObjects; j += manyObjects / 1000 {
		o, err := m.Object(j)
		if err != nil || o.Base()["name"] != fmt.Sprintf("field %d", j) {
			t.Fatalf("object %d: %v, %v", j, o, err)
		}
	}
	heap.look()
	heap.expect(t, "reading", 10<<20)

	report, err := Validate(f.src.r, f.Size(), LevelDefault, ValidateOptions{})
	if err != nil || !report.OK() || report.Objects != manyObjects || !report.HashVerified {
		t.Errorf("validation: %+v, %v", report, err)
	}
}

// TestBaseEntries expects the metadata of objects to be the same however it is asked for.
func TestBaseEntries(t *testing.T) {
	for _, path := range []string{"v0.20/multi_object.tgm", "v0.17/simple_f32.tgm", "metadata_parity.tgm"} {
		m, err := open(t, fixture(t, path)).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		md, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		shared, err := m.SharedMetadata()
		if err != nil || shared.Base != nil || !reflect.DeepEqual(shared.Extra, md.Extra) || !reflect.DeepEqual(shared.Reserved, md.Reserved) {
			t.Errorf("%s: shared metadata %+v, %v, expected that of %+v", path, shared, err, md)
		}
		j := 0
		for entry, err := range m.BaseEntries() {
			if err != nil || !reflect.DeepEqual(entry, md.Base[j]) {
				t.Errorf("%s: base entry %d is %v, %v, expected %v", path, j, entry, err, md.Base[j])
			}
			j++
		}
		if j != len(md.Base) {
			t.Errorf("%s: %d base entries, expected %d", path, j, len(md.Base))
		}
		var missing *ObjectError
		if _, err := m.BaseEntry(j); !errors.As(err, &missing) {
			t.Errorf("%s: entry after the last: %v", path, err)
		}
	}
}

// TestMetadataLimits expects metadata to be refused whose decoded form would not fit, or only
// claims not to.
func TestMetadataLimits(t *testing.T) {
	long := append([]byte{0xA1, 0x61, 'a'}, plaincbor.AppendHead(nil, cborText, 1000)...)
	long = append(long, bytes.Repeat([]byte{'x'}, 1000)...)
	for name, content := range map[string][]byte{
		"array of 2^60 items":       append(appendCBORText([]byte{0xA1}, "base"), 0x9B, 0x10, 0, 0, 0, 0, 0, 0, 0),
		"map of 2^63 pairs":         {0xBB, 0x80, 0, 0, 0, 0, 0, 0, 0},
		"text of 2^60 bytes":        {0xA1, 0x7B, 0x10, 0, 0, 0, 0, 0, 0, 0},
		"items nested without end":  append([]byte{0xA1, 0x61, 'a'}, bytes.Repeat([]byte{0x81}, 100_000)...),
		"text beyond the limit":     long,
		"break without a beginning": {0xFF},
		"odd map":                   {0xBF, 0x61, 'a', 0xFF},
	} {
		b := newCraft(0x81).frame(frameHeaderMetadata, content).object(1, true).done(false)
		var metadata *MetadataError
		if err := readEverything(b, Limits{Item: 500}); !errors.As(err, &metadata) || metadata.Code != "metadata_cbor_parse_failed" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Lists in lists that all claim to be as long as the bytes after them take no memory for it.
func TestNestedClaimsTakeNoMemory(t *testing.T) {
	for _, major := range []byte{cborArray, cborMap} {
		var b []byte
		for range maxNesting - 1 {
			b = plaincbor.AppendHead(b, major, 1<<19)
			if major == cborMap {
				b = appendCBORText(b, "k")
			}
		}
		b = append(b, make([]byte, 1<<18)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, ok := decodePlain(b); ok {
			t.Error("a list that is cut short is decoded")
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%d bytes were taken for %d", took, len(b))
		}
	}
}
