package array_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/tgmconv/tgmconv/array"
)

// picking is an array whose elements are read one by one, and counted.
type picking struct {
	array.Array
	picked int
}

func (p *picking) Pick(ctx context.Context, at []uint64, dst []byte) (bool, error) {
	size := p.Info().DType.Size()
	for i, n := range at {
		if i > 0 && n < at[i-1] {
			return false, errNotAscending
		}
		all, err := array.Read(ctx, p.Array, p.Info().Whole(), nil)
		if err != nil {
			return false, err
		}
		copy(dst[i*size:(i+1)*size], all[int(n)*size:])
		p.picked++
	}
	return true, nil
}

type textError string

func (e textError) Error() string { return string(e) }

const errNotAscending = textError("the elements do not ascend")

// TestPick picks elements of combinations of arrays, with and without a way to read single
// elements.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 4*6*10*2)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	memory := array.Memory([]uint64{4, 6, 10}, array.Int16, data)
	for _, single := range []bool{false, true} {
		base := &picking{Array: memory}
		of := memory
		if single {
			of = base
		}
		joined, err := array.Join(1, of, memory)
		if err != nil {
			t.Fatal(err)
		}
		shaped, err := array.Reshape(of, []uint64{1, 4, 6, 10})
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := array.Unpack(of, array.Float64, func(v float64) (float64, bool) { return v / 2, v > 0 })
		if err != nil {
			t.Fatal(err)
		}
		for name, a := range map[string]array.Array{
			"itself":   of,
			"joined":   joined,
			"cut":      array.Cut(of, array.Region{Start: []uint64{1, 2, 3}, Count: []uint64{2, 1, 7}}),
			"reshaped": shaped,
			"unpacked": unpacked,
			"cached":   array.Cached(of, []uint64{2, 3, 5}, array.Last(2)),
			"taken":    array.Take(of, [][]uint64{{0, 2}, nil, {9, 1, 1}}),
			"padded":   array.Pad(of, []uint64{5, 6, 11}, []byte{1, 2}),
		} {
			base.picked = 0
			all, err := array.Read(t.Context(), a, a.Info().Whole(), nil)
			if err != nil {
				t.Fatal(err)
			}
			n, size := a.Info().Whole().Elements(), a.Info().DType.Size()
			at := make([]uint64, 15)
			for i := range at {
				at[i] = r.Uint64N(n)
			}
			got := make([]byte, len(at)*size)
			if err := array.Pick(t.Context(), a, at, got); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, k := range at {
				if want := all[int(k)*size:]; !bytes.Equal(got[i*size:(i+1)*size], want[:size]) {
					t.Errorf("%s: element %d is %x, expected %x", name, k, got[i*size:(i+1)*size], want[:size])
				}
			}
			switch name {
			case "itself", "cut", "reshaped", "unpacked", "cached":
				if single && base.picked != len(at) {
					t.Errorf("%s: %d elements were read one by one, expected %d", name, base.picked, len(at))
				}
			}
			if err := array.Pick(t.Context(), a, []uint64{n}, make([]byte, size)); err == nil {
				t.Errorf("%s: an element beyond the end was read", name)
			}
		}
	}
}
