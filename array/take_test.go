package array_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/array"
)

// blocked is an array whose blocks are of a shape, and counts the elements that are read of it.
type blocked struct {
	array.Array
	info array.Info
	read uint64
}

func (c *blocked) Info() *array.Info { return &c.info }

func (c *blocked) Read(ctx context.Context, r array.Region, dst []byte) error {
	c.read += r.Elements()
	return c.Array.Read(ctx, r, dst)
}

// TestTake compares regions of a taken array with its elements, one by one, for arrays in several blocks.
func TestTake(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	shape := []uint64{5, 7, 6}
	data := make([]byte, 5*7*6)
	for i := range data {
		data[i] = byte(i)
	}
	for range 300 {
		block := []uint64{1 + random.Uint64N(5), 1 + random.Uint64N(7), 1 + random.Uint64N(6)}
		of := &blocked{Array: array.Memory(shape, array.Uint8, data)}
		of.info = *of.Array.Info()
		of.info.Block = block
		at := make([][]uint64, 3)
		whole := make([][]uint64, 3)
		for axis, n := range shape {
			for i := range n {
				whole[axis] = append(whole[axis], i)
			}
			if random.IntN(4) > 0 {
				at[axis] = []uint64{}
				for range 1 + random.IntN(int(n)) {
					at[axis] = append(at[axis], random.Uint64N(n))
				}
				whole[axis] = at[axis]
			}
		}
		part := array.Take(of, at)
		got, err := array.Read(t.Context(), part, part.Info().Whole(), nil)
		var want []byte
		for _, i := range whole[0] {
			for _, j := range whole[1] {
				for _, k := range whole[2] {
					want = append(want, data[(i*7+j)*6+k])
				}
			}
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v: %v, %v, expected %v", at, got, err, want)
		}
		inner := array.Region{Start: []uint64{0, 0, 0}, Count: slices.Clone(part.Info().Shape)}
		inner.Start[1] = random.Uint64N(inner.Count[1])
		inner.Count[1] -= inner.Start[1]
		got, err = array.Read(t.Context(), part, inner, nil)
		whole[1] = whole[1][inner.Start[1]:]
		want = want[:0]
		for _, i := range whole[0] {
			for _, j := range whole[1] {
				for _, k := range whole[2] {
					want = append(want, data[(i*7+j)*6+k])
				}
			}
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v from %v on: %v, %v, expected %v", at, inner.Start, got, err, want)
		}
	}
}

// Of an array that is read element by element, elements far away from all positions are not read.
func TestTakeReadsWhatIsTaken(t *testing.T) {
	of := &blocked{Array: array.Memory([]uint64{1000}, array.Uint8, make([]byte, 1000))}
	of.info = *of.Array.Info()
	if _, err := array.Read(t.Context(), array.Take(of, [][]uint64{{2, 3, 900}}), array.Region{Start: []uint64{0}, Count: []uint64{3}}, nil); err != nil || of.read != 3 {
		t.Errorf("%d elements read, %v, expected 3", of.read, err)
	}
}
