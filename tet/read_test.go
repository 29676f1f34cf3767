package tet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/internal/nd"
)

// arrays are datasets of every type, rank and kind of chunk grid.
func arrays() []DatasetSpec {
	var specs []DatasetSpec
	shapes := []struct{ shape, chunk []int64 }{
		{[]int64{7}, nil},
		{[]int64{1000}, []int64{64}},
		{[]int64{5, 9}, []int64{2, 4}},
		{[]int64{6, 8}, []int64{6, 1}},
		{[]int64{3, 4, 5}, []int64{9, 9, 9}},
		{[]int64{2, 3, 4, 5}, []int64{1, 2, 4, 3}},
		{[]int64{2, 3, 2, 3, 2}, []int64{2, 1, 2, 2, 1}},
		{[]int64{1, 2, 1, 3, 1, 2, 1, 3}, []int64{1, 1, 1, 2, 1, 2, 1, 2}},
	}
	for t := Float32; t <= Uint64; t++ {
		for i, s := range shapes {
			for _, c := range []Codec{Raw, Zstd} {
				specs = append(specs, DatasetSpec{Name: fmt.Sprintf("%v-%d-%v", t, i, c), DType: t, Shape: s.shape, ChunkShape: s.chunk, Codec: c})
			}
		}
	}
	return specs
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, e := range shape {
		n *= e
	}
	return n
}

// randomSelection selects something along some of the axes.
func randomSelection(rng *rand.Rand, shape []int64) Selection {
	var sel Selection
	for i, n := range shape {
		start := rng.Int64N(n)
		s := Slice{Axis: fmt.Sprint(i), Start: Index(start), Stop: Index(start + 1 + rng.Int64N(n-start)), Step: 1 + rng.Int64N(3)}
		switch rng.IntN(4) {
		case 0:
			continue
		case 1:
			s = Slice{Axis: s.Axis, Start: Index(start - n), Single: true}
		}
		sel = append(sel, s)
	}
	return sel
}

// pick is a selection made one element at a time.
func pick(data []byte, shape []int64, ranges []Range, elem int64) []byte {
	strides := nd.Strides(shape, elem)
	var out []byte
	var walk func(axis int, at int64)
	walk = func(axis int, at int64) {
		if axis == len(shape) {
			out = append(out, data[at:at+elem]...)
			return
		}
		for i := ranges[axis].Start; i < ranges[axis].Stop; i += ranges[axis].Step {
			walk(axis+1, at+i*strides[axis])
		}
	}
	walk(0, 0)
	return out
}

// TestEveryArray writes datasets of every kind into one file, and reads all and parts of each. It
// reads from a reader, from a mapping, and with every size of buffer.
func TestEveryArray(t *testing.T) {
	specs := arrays()
	var data [][]byte
	for i, s := range specs {
		data = append(data, counting(s.DType, int(elements(s.Shape)), i%50))
	}
	b := written(t, WriterOptions{}, specs, data...)
	path := filepath.Join(t.TempDir(), "all.tet")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	mapped, err := OpenMapped(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mapped.Close()
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for i, s := range specs {
		for _, f := range []*File{file, mapped} {
			d, ok := f.Dataset(s.Name)
			if !ok || d.ID() != i {
				t.Fatalf("%s: not found", s.Name)
			}
			for n := range 8 {
				sel := randomSelection(rng, s.Shape)
				if n == 0 {
					sel = nil
				}
				checkRead(t, d, sel, data[i])
			}
		}
	}
}

func checkRead(t *testing.T, d *Dataset, sel Selection, data []byte) {
	t.Helper()
	p, err := d.Plan(sel)
	if err != nil {
		t.Fatalf("%s: %+v: %v", d.Name, sel, err)
	}
	want := pick(data, d.grid.shape, p.Ranges(), d.grid.elem)
	a, err := p.Read(context.Background(), ReadOptions{})
	if err != nil || !bytes.Equal(a.Data, want) {
		t.Fatalf("%s %v: %+v: read %v, %v; expected %v", d.Name, d.Shape, p.Ranges(), a, err, want)
	}
	if view, ok := p.Slice(); ok && !bytes.Equal(view, want) {
		t.Fatalf("%s %v: %+v: slice %v; expected %v", d.Name, d.Shape, p.Ranges(), view, want)
	}
	// In blocks, cells being bytes of the result.
	got := make([]byte, p.Bytes())
	err = Fold(context.Background(), p, ReadOptions{Workers: 3}, nd.Strides(p.Shape(), d.grid.elem), func(blocks iter.Seq2[Block, error]) (int, error) {
		for b, err := range blocks {
			if err != nil {
				return 0, err
			}
			b.copyTo(got, d.grid.elem)
		}
		return 0, nil
	}, func(int) error { return nil })
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s %v: %+v: blocks %v, %v; expected %v", d.Name, d.Shape, p.Ranges(), got, err, want)
	}
}

// A tight fetcher allows small pieces only.
type tight struct {
	inMemory
	window, gap int64
	at          int64
	t           *testing.T
}

func (f *tight) most() int64             { return f.window }
func (f *tight) joins(_, gap int64) bool { return gap <= f.gap }
func (f *tight) fetch(off, n int64) ([]byte, error) {
	if off < f.at || n > f.window && n > 8 {
		f.t.Errorf("fetch of %d bytes at %d after %d, at most %d", n, off, f.at, f.window)
	}
	f.at = off + n
	return f.inMemory.fetch(off, n)
}

// TestWalkInSmallPieces expects that regions are read forwards and within the window.
func TestWalkInSmallPieces(t *testing.T) {
	spec := DatasetSpec{Name: "a", DType: Uint16, Shape: []int64{6, 7, 9}}
	data := counting(Uint16, 6*7*9, 0)
	d := opened(t, written(t, WriterOptions{}, []DatasetSpec{spec}, data)).Datasets()[0]
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p, err := d.Plan(randomSelection(rng, spec.Shape))
		if err != nil {
			t.Fatal(err)
		}
		want := pick(data, spec.Shape, p.Ranges(), 2)
		got := make([]byte, p.Bytes())
		f := &tight{inMemory: data, window: 2 + rng.Int64N(80), gap: rng.Int64N(40), t: t}
		for strips := range p.tiles() {
			err := p.block(strips, nd.Strides(p.shape, int64(2))).walk(f, 2, func(b Block) error {
				b.copyTo(got, 2)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v, window %d, gap %d: %v, expected %v", p.Ranges(), f.window, f.gap, got, want)
		}
	}
}

func TestSliceWithoutCopy(t *testing.T) {
	specs := []DatasetSpec{
		{Name: "one", DType: Float64, Shape: []int64{4, 5}},
		{Name: "rows", DType: Float32, Shape: []int64{4, 5}, ChunkShape: []int64{1, 5}},
		{Name: "tiles", DType: Float32, Shape: []int64{4, 5}, ChunkShape: []int64{2, 2}},
		{Name: "zstd", DType: Float32, Shape: []int64{4, 5}, Codec: Zstd},
	}
	path := filepath.Join(t.TempDir(), "a.tet")
	var data [][]byte
	for _, s := range specs {
		data = append(data, counting(s.DType, 20, 0))
	}
	if err := os.WriteFile(path, written(t, WriterOptions{}, specs, data...), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := OpenMapped(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tests := []struct {
		dataset, selection string
		want               bool
	}{
		{"one", "", true}, {"one", "0=1:3", true}, {"one", "1=1:3", false}, {"one", "0=2,1=1:3", true},
		{"rows", "", true}, {"rows", "0=1:4", true}, {"rows", "0=0:4:2", false},
		{"tiles", "", false}, {"tiles", "0=0:2,1=0:2", true}, {"zstd", "", false},
	}
	for _, test := range tests {
		d, _ := f.Dataset(test.dataset)
		sel, err := ParseSelection(test.selection)
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Plan(sel)
		if err != nil {
			t.Fatal(err)
		}
		view, ok := p.Slice()
		if ok != test.want {
			t.Errorf("%s %q: a slice: %v, expected %v", test.dataset, test.selection, ok, test.want)
		}
		if ok {
			if n := testing.AllocsPerRun(1, func() { p.Slice() }); n > 40 {
				t.Errorf("%s %q: %v allocations", test.dataset, test.selection, n)
			}
			first := d.file.layout.mem[d.slots[0].offset:]
			if test.selection == "" && &view[0] != &first[0] {
				t.Errorf("%s: the slice is a copy", test.dataset)
			}
		}
	}
}

// countingReader counts the bytes that are read from payloads.
type countingReader struct {
	io.ReaderAt
	from, n int64
}

func (c *countingReader) ReadAt(p []byte, off int64) (int, error) {
	if off >= c.from {
		c.n += int64(len(p))
	}
	return c.ReaderAt.ReadAt(p, off)
}

// TestSmallSelectionReadsLittle checks that selected elements of raw chunks are read, and no more
// than a fifth beside them.
func TestSmallSelectionReadsLittle(t *testing.T) {
	data := counting(Float32, 1000*1000, 0)
	for _, chunk := range [][]int64{nil, {100, 100}, {1000, 10}} {
		b := written(t, WriterOptions{}, []DatasetSpec{{Name: "a", DType: Float32, Shape: []int64{1000, 1000}, ChunkShape: chunk}}, data)
		f := opened(t, b)
		r := &countingReader{ReaderAt: bytes.NewReader(b), from: f.layout.indexEnd()}
		f, err := NewFile(r, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"0=300:400,1=500:600", "0=10:20", "0=500:510,1=0:1000"} {
			sel, err := ParseSelection(text)
			if err != nil {
				t.Fatal(err)
			}
			r.n = 0
			a, err := f.Datasets()[0].Read(context.Background(), sel, ReadOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if n := int64(len(a.Data)); n != 40000 || r.n > n+n/5 {
				t.Errorf("chunks %v, %s: read %d bytes of payloads for %d", chunk, text, r.n, n)
			}
		}
	}
}

func TestBudgetOrder(t *testing.T) {
	memory := func() (int64, bool) { return 1000, true }
	none := func() (int64, bool) { return 0, false }
	tests := []struct {
		name  string
		query Budget
		file  Execution
		probe func() (int64, bool)
		want  int64
	}{
		{"bytes of the query", Budget{7, 50}, Execution{2500, 9}, memory, 7},
		{"bytes of the file before the percentage of the query", Budget{0, 50}, Execution{2500, 9}, memory, 9},
		{"percentage of the query", Budget{0, 50}, Execution{1000, 0}, memory, 500},
		{"percentage of the file", Budget{}, Execution{1000, 0}, memory, 100},
		{"default percentage", Budget{}, Execution{}, memory, 250},
		{"more than all", Budget{}, Execution{20000, 0}, memory, 2000},
		{"at least a byte", Budget{0, 0.001}, Execution{}, memory, 1},
		{"memory not known", Budget{}, Execution{}, none, 256 << 20},
	}
	for _, test := range tests {
		if got := budgetOf(test.query, test.file, test.probe); got != test.want {
			t.Errorf("%s: %d, expected %d", test.name, got, test.want)
		}
	}
}

func TestReadOverBudget(t *testing.T) {
	d := opened(t, fixture(t, "large.tet")).Datasets()[0]
	_, err := d.Read(context.Background(), nil, ReadOptions{Budget: Budget{Bytes: 100}})
	var over *BudgetError
	if !errors.As(err, &over) || over.Need != 8704 || over.Budget != 100 {
		t.Errorf("read over budget: %v", err)
	}
}

func TestReadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := opened(t, fixture(t, "large.tet")).Datasets()[0]
	if _, err := d.Read(ctx, nil, ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("read with a cancelled context: %v", err)
	}
}

func TestParseSelection(t *testing.T) {
	good := []struct {
		text string
		want Selection
	}{
		{"", nil},
		{"time=0:10", Selection{{Axis: "time", Start: Index(0), Stop: Index(10)}}},
		{"time=:", Selection{{Axis: "time"}}},
		{"0=-3", Selection{{Axis: "0", Start: Index(-3), Single: true}}},
		{"x=1::2, y=a:c", Selection{{Axis: "x", Start: Index(1), Step: 2}, {Axis: "y", Start: Label("a"), Stop: Label("c")}}},
		{`t="2026-01-01T00:00":"a,\"b"`, Selection{{Axis: "t", Start: Label("2026-01-01T00:00"), Stop: Label(`a,"b`)}}},
		{`t="1"`, Selection{{Axis: "t", Start: Label("1"), Single: true}}},
	}
	for _, test := range good {
		if got, err := ParseSelection(test.text); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %+v, %v", test.text, got, err)
		}
	}
	for _, bad := range []string{"time", "=1", "x=", "x=1,", "x=1:2:0", "x=1:2:-1", "x=1:2:a", `x="a`, "x=1:2:3:4", ","} {
		if got, err := ParseSelection(bad); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

func TestSelectionErrors(t *testing.T) {
	f := opened(t, fixture(t, "tetpy/weather.tet"))
	d, _ := f.Dataset("t2m")
	good := map[string][]int64{
		`lat="50"`:                      {2, 1, 7},
		`lat="50":"20",time=2026-04-05`: {1, 3, 7},
		"lon=0:7:100":                   {2, 5, 1},
		"lon=-2:":                       {2, 5, 2},
		"lon=0:7:9223372036854775807":   {2, 5, 1},
	}
	for text, want := range good {
		sel, err := ParseSelection(text)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := d.Plan(sel); err != nil || !slices.Equal(p.Shape(), want) {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for _, bad := range []string{"lat=50", "level=0", "3=0", "lat=0,1=0", "lon=0:8", "lon=3:3", "lon=4:2", "lon=7", "lon=a", "lat=70", "lon=-8", `lat="55"`} {
		sel, err := ParseSelection(bad)
		if err != nil {
			t.Fatal(err)
		}
		var wrong *SelectionError
		if _, err := d.Plan(sel); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{0x3c00: 1, 0x4600: 6, 0xc000: -2, 0x0001: 5.960464477539063e-08, 0x8000: 0, 0x7bff: 65504, 0x03ff: 6.097555160522461e-05} {
		if got := half.Float64(h); got != want {
			t.Errorf("%04x: %v, expected %v", h, got, want)
		}
	}
	if v := half.Float64(0x7e00); v == v {
		t.Errorf("NaN is %v", v)
	}
	for i := range 2048 {
		if got := half.Float64(smallHalf(float64(i))); got != float64(i) {
			t.Errorf("%d is %v", i, got)
		}
	}
}

// TestWindowsWithinBudget expects fewer chunks to be decoded at the same time if their windows
// would not fit into the budget.
func TestWindowsWithinBudget(t *testing.T) {
	const size = 4 << 20
	spec := DatasetSpec{Name: "a", DType: Uint8, Shape: []int64{3 * size}, ChunkShape: []int64{size}, Codec: Zstd}
	d := opened(t, written(t, WriterOptions{}, []DatasetSpec{spec}, counting(Uint8, 3*size, 0))).Datasets()[0]
	p, err := d.Plan(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		budget int64
		want   int
	}{{1 << 20, 1}, {22 << 20, 2}, {1 << 30, 4}} {
		if n, _ := p.workers(ReadOptions{Workers: 4, Budget: Budget{Bytes: test.budget}}); n != test.want {
			t.Errorf("budget of %d: %d workers, expected %d", test.budget, n, test.want)
		}
	}
	// One decoder after the other, with the same memory.
	sum := 0
	err = Fold(t.Context(), p, ReadOptions{Workers: 1, Budget: Budget{Bytes: 1 << 20}}, []int64{0}, func(blocks iter.Seq2[Block, error]) (int, error) {
		n := 0
		for b, err := range blocks {
			if err != nil {
				return 0, err
			}
			n += len(b.Data)
		}
		return n, nil
	}, func(n int) error { sum += n; return nil })
	if err != nil || sum != 3*size {
		t.Errorf("%d bytes, %v, expected %d", sum, err, 3*size)
	}
}
