package tgm

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/codec/bitmask"
)

// TestPick compares elements that are picked with the same elements of the whole array, for each
// way to store them.
func TestPick(t *testing.T) {
	const rows, columns = 120, 200
	values := make([]float64, rows*columns)
	missing := bitmask.New(len(values))
	for i := range values {
		values[i] = 280 + 10*math.Sin(float64(i)/300) + float64(i%7)/8
		if i/500%4 == 1 {
			missing.Set(i)
			values[i] = math.NaN()
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var encodings []string
	for _, encoding := range StageNames(EncodingStage) {
		for _, filter := range StageNames(FilterStage) {
			for _, compression := range StageNames(CompressionStage) {
				for _, mask := range []*Mask{nil, missing} {
					a := Array{Shape: []uint64{rows, columns}, DType: Float64, Data: slices.Clone(ArrayOf(values).Data), Missing: mask}
					if mask == nil {
						a.Data = bytes.Repeat(ArrayOf(values[:500]).Data, rows*columns/500)
					}
					encoded, err := EncodeArray(a, Pipeline{Encoding: encoding, Filter: filter, Compression: compression, AllowNaN: true})
					if err != nil {
						continue // not all stages go together
					}
					encodings = append(encodings, encoding+" "+filter+" "+compression)
					comparePicked(t, r, encodings[len(encodings)-1], objectOf(t, encoded).Array(nil))
				}
			}
		}
	}
	if !slices.Contains(encodings, "simple_packing none szip") || len(encodings) < 10 {
		t.Errorf("only these encodings were tried: %q", encodings)
	}
}

func comparePicked(t *testing.T, r *rand.Rand, name string, a array.Array) {
	t.Helper()
	info := a.Info()
	all, err := array.Read(t.Context(), a, info.Whole(), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n, size := info.Whole().Elements(), info.DType.Size()
	for _, count := range []uint64{0, 1, 3, 100, n} {
		at := make([]uint64, count) // in any order
		for i := range at {
			at[i] = r.Uint64N(n)
		}
		dst := make([]byte, int(count)*size)
		if err := array.Pick(t.Context(), a, at, dst); err != nil {
			t.Fatalf("%s: %d elements: %v", name, count, err)
		}
		for i, k := range at {
			if want := all[int(k)*size : (int(k)+1)*size]; !bytes.Equal(dst[i*size:(i+1)*size], want) {
				t.Fatalf("%s: element %d is %x, expected %x", name, k, dst[i*size:(i+1)*size], want)
			}
		}
	}
}

func BenchmarkPick(b *testing.B) {
	const n = 721 * 1440
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, n)
	for i := range values {
		values[i] = 280 + 20*math.Sin(float64(i)/300) + r.Float64()/4
	}
	encoded, err := EncodeArray(Array{Shape: []uint64{n}, DType: Float64, Data: ArrayOf(values).Data},
		Pipeline{Encoding: nameSimplePacking, Compression: nameSzip, Szip: SzipParams{BlockSize: 32, RSI: 128, Flags: 8}})
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	w := NewMessageWriter(&file, WriterOptions{})
	if err := w.Append(encoded, nil); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	f, err := NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		b.Fatal(err)
	}
	for _, count := range []int{1, 10, 100, 1000} {
		at := make([]uint64, count)
		for i := range at {
			at[i] = r.Uint64N(n)
		}
		slices.Sort(at)
		dst := make([]byte, 8*count)
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := f.MessageAt(0, 0, int64(file.Len()))
				if err != nil {
					b.Fatal(err)
				}
				o, err := m.Stored(0)
				if err != nil {
					b.Fatal(err)
				}
				if err := array.Pick(b.Context(), o.Array(nil), at, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
