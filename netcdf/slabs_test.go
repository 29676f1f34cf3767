package netcdf

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// TestSlabs reads boxes of variables and compares them with the same part of the whole variable.
// It takes all layouts and several goroutines at once, with and without a cache of chunks.
func TestSlabs(t *testing.T) {
	for _, g := range []string{"../fixtures/netcdf/*.nc", "../fixtures/netcdf/*/*.*", "testdata/odd/*"} {
		paths, _ := filepath.Glob(g)
		for _, p := range paths {
			for _, opts := range [][]Option{nil, {WithChunkCache(0)}} {
				f, err := openMaybeGzip(t, p, opts...)
				if err != nil {
					continue
				}
				t.Run(baseName(p), func(t *testing.T) { slabsOf(t, f.Root()) })
			}
		}
	}
}

func slabsOf(t *testing.T, g *Group) {
	for _, v := range g.Vars {
		if v.Err == nil && v.NoTensor() == nil && len(v.Dims) > 0 && v.Len() > 0 && v.Len() < 50000 {
			var unsupported *UnsupportedError
			whole := make([]byte, v.Size())
			if err := v.Read(context.Background(), whole, nil, nil); errors.As(err, &unsupported) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for i := range uint64(2) {
				wg.Go(func() { randomBoxes(t, v, whole, rand.New(rand.NewPCG(i, 3))) })
			}
			wg.Wait()
		}
	}
	for _, s := range g.Groups {
		slabsOf(t, s)
	}
}

func randomBoxes(t *testing.T, v *Var, whole []byte, r *rand.Rand) {
	size := v.Type.Size
	strides := nd.Strides(v.Shape(), int64(size))
	for range 12 {
		start, count := randomBox(r, v.Shape())
		n, from := size, int64(0)
		for i := range v.Dims {
			n *= int(count[i])
			from += int64(start[i]) * strides[i]
		}
		want, got := make([]byte, n), make([]byte, n)
		nd.CopyStrided(want, nd.Strides(count, int64(size)), whole[from:], strides, count, size)
		if err := v.CheckRead(start, count); err != nil {
			t.Error(err)
		}
		if err := v.Read(context.Background(), got, start, count); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("variable %s: other elements in the box of %v from %v", v.Path, count, start)
			return
		}
	}
}

// TestReadArguments demands errors for boxes and buffers that do not fit.
func TestReadArguments(t *testing.T) {
	f, err := Open("../fixtures/netcdf/simple_2d.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v := f.Root().Vars[0]
	ctx := context.Background()
	shape := v.Shape()
	if len(shape) != 2 {
		t.Fatalf("shape %v", shape)
	}
	for _, c := range []struct {
		start, count []uint64
		bytes        uint64
	}{
		{[]uint64{0}, nil, v.Size()},
		{nil, []uint64{1}, 8},
		{nil, []uint64{shape[0] + 1, 1}, (shape[0] + 1) * 8},
		{[]uint64{shape[0] + 1, 0}, nil, 0},
		{[]uint64{1, 0}, shape, v.Size()},
		{[]uint64{0, 1}, []uint64{1, 1<<64 - 1}, 0},
		{nil, nil, v.Size() - 1},
	} {
		if err := v.Read(ctx, make([]byte, c.bytes), c.start, c.count); err == nil {
			t.Errorf("no error for start %v, count %v and %d bytes", c.start, c.count, c.bytes)
		}
	}
	if _, err := v.ReadStrings(ctx, nil, nil); err == nil {
		t.Error("no error for numbers read as strings")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	nc4, err := Open("../fixtures/netcdf/cf_temperature_deflate.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer nc4.Close()
	for _, v := range nc4.Root().Vars {
		if v.Storage.Layout == Chunked && v.Len() > 0 {
			if err := v.Read(done, make([]byte, v.Size()), nil, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, expected that the read is cancelled", err)
			}
		}
	}
}
