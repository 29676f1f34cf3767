package spill_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/exporters/tozarr/internal/spill"
)

// counted counts how often an array is read, and knows integers for its elements if it has any.
type counted struct {
	array.Array
	integers []uint32
	reads    int
}

func (c *counted) Read(ctx context.Context, r array.Region, dst []byte) error {
	c.reads++
	return c.Array.Read(ctx, r, dst)
}

func (c *counted) Coded(_ context.Context, buffer []uint32) (*array.Coded, error) {
	if c.integers == nil {
		return nil, nil
	}
	c.reads++
	return &array.Coded{Integers: append(buffer[:0], c.integers...), Bits: 12, Values: values}, nil
}

func values(dst []float64, integers []uint32) {
	for i, q := range integers {
		dst[i] = 250 + float64(q)/16
	}
}

// TestArray reads regions of spilled arrays, at the same time, and compares them with the arrays.
func TestArray(t *testing.T) {
	folder := t.TempDir()
	file := spill.New(folder)
	shape := []uint64{3, 31, 47}
	integers := make([]uint32, 3*31*47)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range integers {
		integers[i] = r.Uint32N(1 << 12)
	}
	floats := make([]float64, len(integers))
	values(floats, integers)
	data := make([]byte, 8*len(floats))
	for i, v := range floats {
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(v))
	}
	for _, known := range [][]uint32{nil, integers} {
		of := &counted{Array: array.Memory(shape, array.Float64, data), integers: known}
		s := file.Array(of, []uint64{2, 10, 13})
		var all sync.WaitGroup
		for i := range 40 {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			all.Go(func() {
				region := array.Region{Start: make([]uint64, 3), Count: make([]uint64, 3)}
				for axis, n := range shape {
					region.Start[axis] = r.Uint64N(n)
					region.Count[axis] = 1 + r.Uint64N(n-region.Start[axis])
				}
				if i == 0 {
					region = array.Region{Start: []uint64{0, 10, 13}, Count: []uint64{2, 10, 13}}
				}
				got, err := array.Read(t.Context(), s, region, nil)
				want, err2 := array.Read(t.Context(), array.Memory(shape, array.Float64, data), region, nil)
				if err != nil || err2 != nil || !bytes.Equal(got, want) {
					t.Errorf("region %v: %v %v", region, err, err2)
				}
			})
		}
		all.Wait()
		if of.reads != 1 {
			t.Errorf("the array was read %d times, expected once", of.reads)
		}
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// TestNoFolder says that there is no room for parts.
func TestNoFolder(t *testing.T) {
	file := spill.New(t.TempDir() + "/none")
	s := file.Array(array.Memory([]uint64{4}, array.Uint8, []byte{1, 2, 3, 4}), []uint64{2})
	if _, err := array.Read(t.Context(), s, array.Region{Start: []uint64{0}, Count: []uint64{2}}, nil); err == nil {
		t.Error("no error without a folder")
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}
