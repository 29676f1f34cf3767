package ncwrite_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// numbersOf returns n elements of a numeric class, all different as far as they can be.
func numbersOf(c netcdf.Class, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(c), uint64(n)))
	b := make([]byte, n*ncwrite.Atomic(c).Size)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	if c == netcdf.Char {
		for i := range b {
			b[i] = 'a' + b[i]%26
		}
	}
	return b
}

func read(t testing.TB, v *netcdf.Var) []byte {
	t.Helper()
	if v == nil {
		t.Fatal("the variable is not in the file")
	}
	b := make([]byte, v.Size())
	if err := v.Read(t.Context(), b, nil, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// write makes a file in memory; fill writes its elements.
func write(t testing.TB, kind netcdf.Kind, root *ncwrite.Group, fill func(w *ncwrite.Writer), opts ...ncwrite.Option) []byte {
	t.Helper()
	var m memory
	w, err := ncwrite.Create(&m, kind, root, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	fill(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m.b
}

var kinds = []netcdf.Kind{netcdf.CDF1, netcdf.CDF2, netcdf.CDF5, netcdf.NetCDF4, netcdf.NetCDF4Classic}

// classesOf returns the numeric classes and char, as far as a format has them.
func classesOf(kind netcdf.Kind) []netcdf.Class {
	list := []netcdf.Class{netcdf.Byte, netcdf.Char, netcdf.Short, netcdf.Int, netcdf.Float, netcdf.Double}
	if kind == netcdf.CDF5 || kind == netcdf.NetCDF4 {
		list = append(list, netcdf.UByte, netcdf.UShort, netcdf.UInt, netcdf.Int64, netcdf.UInt64)
	}
	return list
}

// TestNumbers writes every class in every format, in boxes of all sizes and in any order. It does
// so with and without a record dimension, chunks, filters and big-endian numbers.
func TestNumbers(t *testing.T) {
	storages := []ncwrite.Var{
		{},
		{ChunkShape: []uint64{2, 3, 4}},
		{ChunkShape: []uint64{5, 7, 9}, Filters: []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(1)}},
		{Filters: []netcdf.Filter{ncwrite.Fletcher32(), ncwrite.Shuffle(), ncwrite.Zstd(3)}, BigEndian: true},
		{ChunkShape: []uint64{1, 7, 9}, BigEndian: true, Filters: []netcdf.Filter{ncwrite.Deflate(9), ncwrite.Fletcher32()}},
	}
	for _, kind := range kinds {
		for _, unlimited := range []bool{false, true} {
			for i, s := range storages {
				if i > 0 && kind != netcdf.NetCDF4 && kind != netcdf.NetCDF4Classic {
					continue
				}
				t.Run(fmt.Sprintf("%s/%t/%d", kind, unlimited, i), func(t *testing.T) { testNumbers(t, kind, unlimited, s) })
			}
		}
	}
}

func testNumbers(t *testing.T, kind netcdf.Kind, unlimited bool, s ncwrite.Var) {
	shape := []uint64{5, 7, 9}
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "t", Len: 5, Unlimited: unlimited}, {Name: "y", Len: 7}, {Name: "x", Len: 9}}}
	if unlimited {
		root.Dims[0].Len = 0
	}
	for _, c := range classesOf(kind) {
		v := s
		v.Name, v.Type, v.Dims = "v_"+c.String(), ncwrite.Atomic(c), []string{"t", "y", "x"}
		root.Vars = append(root.Vars, &v)
	}
	b := write(t, kind, root, func(w *ncwrite.Writer) {
		for i, v := range root.Vars {
			writeBoxes(t, w, v, shape, numbersOf(v.Type.Class, 5*7*9), uint64(i))
		}
	})
	f := open(t, b)
	if f.Kind != kind {
		t.Errorf("%s, want %s", f.Kind, kind)
	}
	for _, v := range root.Vars {
		got := f.Root().Var(v.Name)
		if !bytes.Equal(read(t, got), numbersOf(v.Type.Class, 5*7*9)) {
			t.Errorf("%s: other elements than written", v.Name)
		}
		if len(v.Filters) != len(got.Storage.Filters) || v.ChunkShape != nil && !slices.Equal(v.ChunkShape, got.Storage.ChunkShape) {
			t.Errorf("%s: storage %v", v.Name, got.Storage)
		}
	}
}

// writeBoxes writes an array in boxes in a random order: how depends on seed.
func writeBoxes(t testing.TB, w *ncwrite.Writer, v *ncwrite.Var, shape []uint64, data []byte, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	type box struct{ start, count []uint64 }
	boxes := []box{{make([]uint64, len(shape)), slices.Clone(shape)}}
	for range r.IntN(20) {
		i, axis := r.IntN(len(boxes)), r.IntN(len(shape))
		b := boxes[i]
		if n := b.count[axis]; n > 1 {
			at := 1 + r.Uint64N(n-1)
			rest := box{slices.Clone(b.start), slices.Clone(b.count)}
			b.count[axis], rest.count[axis] = at, n-at
			rest.start[axis] += at
			boxes = append(boxes, rest)
		}
	}
	r.Shuffle(len(boxes), func(i, j int) { boxes[i], boxes[j] = boxes[j], boxes[i] })
	for _, b := range boxes {
		if err := w.Write(t.Context(), v, b.start, b.count, cut(data, shape, b.start, b.count, v.Type.Size)); err != nil {
			t.Fatal(err)
		}
	}
}

// cut returns a box of an array.
func cut(data []byte, shape, start, count []uint64, size int) []byte {
	if len(shape) == 0 {
		return data
	}
	row := len(data) / int(shape[0])
	var out []byte
	for i := start[0]; i < start[0]+count[0]; i++ {
		out = append(out, cut(data[int(i)*row:][:row], shape[1:], start[1:], count[1:], size)...)
	}
	return out
}

// TestUnwritten demands fill values where nothing was written.
func TestUnwritten(t *testing.T) {
	short := ncwrite.Atomic(netcdf.Short)
	for _, kind := range kinds {
		root := &ncwrite.Group{
			Dims: []*netcdf.Dim{{Name: "t", Unlimited: true}, {Name: "x", Len: 5}},
			Vars: []*ncwrite.Var{
				{Name: "part", Type: short, Dims: []string{"x"}},
				{Name: "none", Type: short, Dims: []string{"x"}, Attrs: []netcdf.Attr{{Name: "_FillValue", Type: short, Value: []int64{-9}}}},
				{Name: "records", Type: short, Dims: []string{"t", "x"}},
				{Name: "late", Type: short, Dims: []string{"t"}},
			},
		}
		b := write(t, kind, root, func(w *ncwrite.Writer) {
			for _, c := range []struct {
				v     int
				start []uint64
				data  []byte
			}{{0, []uint64{3}, []byte{7, 0}}, {2, []uint64{2, 0}, []byte{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}}, {3, []uint64{0}, []byte{8, 0}}} {
				count := []uint64{1, 5}[:len(c.start)]
				if err := w.Write(t.Context(), root.Vars[c.v], c.start, count, c.data); err != nil {
					t.Fatal(err)
				}
			}
		})
		f := open(t, b)
		for name, want := range map[string]string{
			"part":    "[-32767 -32767 -32767 7 -32767]",
			"none":    "[-9 -9 -9 -9 -9]",
			"records": "[-32767 -32767 -32767 -32767 -32767 -32767 -32767 -32767 -32767 -32767 1 2 3 4 5]",
			"late":    "[8 -32767 -32767]",
		} {
			raw := read(t, f.Root().Var(name))
			list := make([]int16, len(raw)/2)
			for i := range list {
				list[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
			}
			if got := fmt.Sprint(list); got != want {
				t.Errorf("%s: %s: %s, want %s", kind, name, got, want)
			}
		}
	}
}

// TestSameBytes demands that neither the number of workers, nor the sink, nor a lack of memory
// changes the file.
func TestSameBytes(t *testing.T) {
	in := open(t, readFile(t, "../testdata/odd/kitchen_chunks.nc.gz"))
	want, err := copied(in.Kind, in, ncwrite.WithWorkers(1))
	if err != nil {
		t.Fatal(err)
	}
	for i, opts := range [][]ncwrite.Option{nil, {ncwrite.WithWorkers(9)}, {ncwrite.WithMemory(0), ncwrite.WithTempDir(t.TempDir())}} {
		got, err := copied(in.Kind, in, opts...)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("options %d: %d bytes, want %d, error %v", i, len(got), len(want), err)
		}
	}
	var stream bytes.Buffer
	dir := t.TempDir()
	if err := ncwrite.Copy(t.Context(), &stream, in.Kind, in, ncwrite.WithTempDir(dir)); err != nil || !bytes.Equal(stream.Bytes(), want) {
		t.Errorf("a stream: %d bytes, want %d, error %v", stream.Len(), len(want), err)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("%s is left behind", left)
	}
	file, err := os.Create(dir + "/x.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := ncwrite.Copy(t.Context(), file, in.Kind, in); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, dir+"/x.nc"); !bytes.Equal(got, want) {
		t.Errorf("a file: %d bytes, want %d", len(got), len(want))
	}
}

// TestManyChunks needs an index of three levels. Its chunks are complete at the end only, most of
// them in a temporary file.
func TestManyChunks(t *testing.T) {
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "y", Len: 100}, {Name: "x", Len: 100}},
		Vars: []*ncwrite.Var{{Name: "v", Type: ncwrite.Atomic(netcdf.Short), Dims: []string{"y", "x"}, ChunkShape: []uint64{2, 1}}},
	}
	data := numbersOf(netcdf.Short, 100*100)
	b := write(t, netcdf.NetCDF4, root, func(w *ncwrite.Writer) {
		for y := uint64(100); y > 0; y-- {
			row := data[(y-1)*200:][:200]
			if err := w.Write(t.Context(), root.Vars[0], []uint64{y - 1, 0}, []uint64{1, 100}, row); err != nil {
				t.Fatal(err)
			}
		}
	}, ncwrite.WithMemory(100), ncwrite.WithTempDir(t.TempDir()))
	if !bytes.Equal(read(t, open(t, b).Root().Var("v")), data) {
		t.Error("other elements than written")
	}
}

// TestManyNames needs dense groups and attributes, and attributes that do not fit an object header.
func TestManyNames(t *testing.T) {
	root := &ncwrite.Group{Dims: []*netcdf.Dim{{Name: "x", Len: 2}}}
	for i := range 1500 {
		root.Vars = append(root.Vars, &ncwrite.Var{Name: fmt.Sprintf("v%d", i), Type: ncwrite.Atomic(netcdf.Byte), Dims: []string{"x"}})
		root.Groups = append(root.Groups, &ncwrite.Group{Name: fmt.Sprintf("g%d", i)})
	}
	for i := range 300 {
		text := strings.Repeat("z", i)
		if i%100 == 50 {
			text = strings.Repeat("long ", 20000+i)
		}
		root.Attrs = append(root.Attrs, netcdf.Attr{Name: fmt.Sprintf("a%d", i), Type: ncwrite.Atomic(netcdf.Char), Value: text})
	}
	f := open(t, write(t, netcdf.NetCDF4, root, func(*ncwrite.Writer) {}))
	if len(f.Root().Vars) != 1500 || len(f.Root().Groups) != 1500 || len(f.Root().Attrs) != 300 {
		t.Fatalf("%d variables, %d groups, %d attributes", len(f.Root().Vars), len(f.Root().Groups), len(f.Root().Attrs))
	}
	for i, a := range f.Root().Attrs {
		if a.Name != root.Attrs[i].Name || a.Value != root.Attrs[i].Value {
			t.Errorf("attribute %d: %s = %.20v", i, a.Name, a.Value)
		}
	}
	for i, v := range f.Root().Vars {
		if v.Name != root.Vars[i].Name || len(v.Dims) != 1 || v.Dims[0].Name != "x" {
			t.Errorf("variable %d: %s %v", i, v.Name, v.Dims)
		}
	}
}

// TestWriteChunk moves chunks from one file to another as they are.
func TestWriteChunk(t *testing.T) {
	model := func() *ncwrite.Group {
		return &ncwrite.Group{
			Dims: []*netcdf.Dim{{Name: "t", Len: 3, Unlimited: true}, {Name: "x", Len: 50}},
			Vars: []*ncwrite.Var{{Name: "v", Type: ncwrite.Atomic(netcdf.Int), Dims: []string{"t", "x"}, ChunkShape: []uint64{1, 30},
				Filters: []netcdf.Filter{ncwrite.Shuffle(), ncwrite.Deflate(6)}}},
		}
	}
	data := bytes.Repeat([]byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, 50)
	from := model()
	b := write(t, netcdf.NetCDF4, from, func(w *ncwrite.Writer) {
		if err := w.Write(t.Context(), from.Vars[0], nil, nil, data); err != nil {
			t.Fatal(err)
		}
	})
	to := model()
	out := write(t, netcdf.NetCDF4, to, func(w *ncwrite.Writer) {
		for c, err := range open(t, b).Root().Var("v").Chunks(nil, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if err := w.WriteChunk(t.Context(), to.Vars[0], c.Start, 0, b[c.Offset:][:c.Stored]); err != nil {
				t.Fatal(err)
			}
		}
	})
	if !bytes.Equal(out, b) {
		t.Errorf("%d bytes, want the %d of the file whose chunks were moved", len(out), len(b))
	}
}

func TestWriteTwice(t *testing.T) {
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "x", Len: 4}},
		Vars: []*ncwrite.Var{{Name: "v", Type: ncwrite.Atomic(netcdf.Byte), Dims: []string{"x"}, ChunkShape: []uint64{2}}},
	}
	w, err := ncwrite.Create(new(memory), netcdf.NetCDF4, root)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Write(t.Context(), root.Vars[0], nil, nil, []byte{1, 2, 3, 4}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); !errors.Is(err, ncwrite.ErrTwice) {
		t.Errorf("error %v, expected %v", err, ncwrite.ErrTwice)
	}
}
