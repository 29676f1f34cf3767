package hdf5

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/tgmconv/tgmconv/internal/cases"
)

// TestMutated reads damaged files. It damages parts that the fuzzer rarely hits: whole words, which
// are addresses, lengths and counts here.
func TestMutated(t *testing.T) {
	var files [][]byte
	for _, g := range []string{"../../../fixtures/netcdf/*.nc", "../../../fixtures/netcdf/*/*", "../../testdata/odd/*.gz"} {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			if b, err := readMaybeGzip(p); err == nil && len(b) < 300000 && bytes.Contains(b[:min(len(b), 2048)], []byte(signature)) {
				files = append(files, b)
			}
		}
	}
	some := cases.Of(t)
	var before, after runtime.MemStats
	for n := range 50_000 {
		if !some.Has(n, 25) {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(n), 7))
		b := mutate(r, files[r.IntN(len(files))])
		runtime.ReadMemStats(&before)
		begin := time.Now()
		readAll(b)
		runtime.ReadMemStats(&after)
		if took, mem := time.Since(begin), after.TotalAlloc-before.TotalAlloc; took > 20*time.Second || mem > 1<<30 {
			os.WriteFile(filepath.Join(os.TempDir(), "mutated.h5"), b, 0o644)
			t.Fatalf("file %d: %v, %d MB", n, took, mem>>20)
		}
	}
}

func readAll(b []byte) {
	h, err := NewFile(bytes.NewReader(b), int64(len(b)), func(f *File) { f.unchecked = true })
	if err != nil {
		return
	}
	if root, err := h.Root(); err == nil {
		w := walker{seen: map[uint64]bool{}}
		w.visit(root)
	}
}

// mutate damages a copy of a file. Most changes hit the beginning, or words that look like
// addresses, lengths or counts.
func mutate(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		for tries := 0; b[at] == 0 && tries < 50; tries++ {
			at = r.IntN(len(b))
		}
		switch r.IntN(8) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.Uint32())
		case 2:
			b[at] = 0xff
		case 3:
			b[at]++
		case 4:
			if at+8 <= len(b) {
				binary.LittleEndian.PutUint64(b[at&^7:], uint64(r.IntN(len(b))))
			}
		case 5: // one address becomes another
			from := r.IntN(len(b)) &^ 7
			copy(b[at&^7:], b[from:min(from+8, len(b))])
		case 6:
			if at+4 <= len(b) {
				binary.LittleEndian.PutUint32(b[at:], 1<<r.IntN(32)-uint32(r.IntN(2)))
			}
		case 7: // a structure appears where another was
			from := r.IntN(len(b))
			copy(b[at:], b[from:min(from+r.IntN(200), len(b))])
		}
	}
	if r.IntN(10) == 0 {
		b = b[:r.IntN(len(b))]
	}
	return b
}
