package look

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// blocked is an array of which blocks are read.
type blocked struct {
	array.Array
	info array.Info
}

func (b *blocked) Info() *array.Info { return &b.info }

// TestParts reads arrays in parts of any shape: each value comes once, with its number.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		shape, block := make([]uint64, 1+r.IntN(4)), []uint64(nil)
		for i := range shape {
			shape[i] = 1 + r.Uint64N(9)
			block = append(block, 1+r.Uint64N(shape[i]))
		}
		n := int(nd.Volume(shape))
		data := make([]byte, 0, 2*n)
		for i := range n {
			data = binary.LittleEndian.AppendUint16(data, uint16(i))
		}
		missing := r.IntN(n)
		f := &Field{Shape: shape, DType: tgm.Uint16, fills: fillIntegers{tgm.Uint16, []uint64{uint64(missing)}}}
		p := &parts{field: f, array: &blocked{array.Memory(shape, tgm.Uint16, data), array.Info{Shape: shape, DType: tgm.Uint16, Block: block}}}
		size := r.Uint64N(100)
		for _, p.ordered = range []bool{true, false} {
			p.shape = p.array.Info().Box(size)
			if p.ordered {
				p.shape = p.array.Info().Rows(size)
			}
			if p.shape == nil || slices.ContainsFunc(p.shape, func(n uint64) bool { return n == 0 }) {
				t.Fatalf("part %v of %v in blocks of %v", p.shape, shape, block)
			}
			seen := make([]bool, n)
			next := uint64(0)
			for run, err := range p.runs(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if p.ordered && run.First != next {
					t.Fatalf("%v in parts of %v: value %d follows %d", shape, p.shape, run.First, next-1)
				}
				next = run.First + uint64(len(run.Values))
				for i, v := range run.Values {
					at := int(run.First) + i
					if seen[at] || v != float64(at) && (at != missing || !math.IsNaN(v)) {
						t.Fatalf("%v in parts of %v: value %d is %v", shape, p.shape, at, v)
					}
					seen[at] = true
				}
			}
			if slices.Contains(seen, false) {
				t.Fatalf("%v in parts of %v: values are missing", shape, p.shape)
			}
			e, err := f.elementsOfParts(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				if i := r.IntN(n); e.Float(i) != float64(i) || e.Missing(i) != (i == missing) || e.Len() != n {
					t.Fatalf("%v in parts of %v: element %d is %v", shape, p.shape, i, e.Float(i))
				}
			}
			if e.Err() != nil {
				t.Fatal(e.Err())
			}
		}
	}
}

// TestPackedParts unpacks elements that are read in parts.
func TestPackedParts(t *testing.T) {
	shape := []uint64{4}
	f := &Field{Shape: shape, DType: tgm.Int8, scaling: &mapping.Scaling{Scale: 0.5, Offset: 10, Single: true}}
	p := &parts{field: f, array: array.Memory(shape, tgm.Int8, []byte{0, 1, 2, 255}), shape: []uint64{2}, ordered: true}
	e, err := f.elementsOfParts(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{10, 10.5, 11, 9.5} {
		if e.Float(i) != want {
			t.Errorf("element %d is %v, expected %v", i, e.Float(i), want)
		}
	}
}
