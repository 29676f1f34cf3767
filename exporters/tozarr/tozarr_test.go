package tozarr_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/zarr"
)

// A memoryView holds arrays; each element is its position in C order.
type memoryView struct {
	arrays map[string]*zarr.ArrayMetadata
	order  []string
	first  map[string]float64 // of one-dimensional arrays: the first element
	holes  func(path string, index []uint64) bool
	reads  atomic.Int64 // chunks decoded
	fail   func(path string, index []uint64) error
}

func (v *memoryView) add(path string, t zarr.DataType, dims string, shape, chunk []uint64) {
	if v.arrays == nil {
		v.arrays = make(map[string]*zarr.ArrayMetadata)
	}
	fill := any("NaN")
	if t == zarr.Int64 {
		fill = int64(math.MinInt64)
	}
	v.arrays[path] = &zarr.ArrayMetadata{
		Shape: shape, DataType: t, ChunkShape: chunk, ChunkKeys: zarr.ChunkKeys{Name: "default", Separator: "/"}, FillValue: fill,
		Codecs: zarr.PlainCodecs(t), DimensionNames: strings.Fields(dims), Attributes: map[string]any{"units": "K"},
	}
	v.order = append(v.order, path)
}

// halves are whole numbers as float16.
var halves = []uint16{0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800}

func (v *memoryView) Node(_ context.Context, path string) (serve.Node, error) {
	if a := v.arrays[path]; a != nil {
		return serve.Node{Array: a}, nil
	}
	return serve.Node{Group: &zarr.GroupMetadata{Attributes: map[string]any{"title": path}}}, nil
}

func (v *memoryView) Children(_ context.Context, path string) ([]string, error) {
	var names []string
	seen := make(map[string]bool)
	for _, p := range v.order {
		rest, ok := strings.CutPrefix(p, path)
		if rest = strings.TrimPrefix(rest, "/"); !ok || path != "" && !strings.HasPrefix(p, path+"/") {
			continue
		}
		name, _, _ := strings.Cut(rest, "/")
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names, nil
}

func (v *memoryView) element(path string, at, shape []uint64) float64 {
	n := uint64(0)
	for i, s := range shape {
		n = n*s + at[i]
	}
	return float64(n) + v.first[path]
}

func (v *memoryView) Chunk(_ context.Context, path string, index []uint64) (serve.Chunk, error) {
	a := v.arrays[path]
	if v.holes != nil && v.holes(path, index) {
		return serve.Chunk{}, zarr.ErrNotFound
	}
	size := a.DataType.Size()
	for _, n := range a.ChunkShape {
		size *= int(n)
	}
	return serve.Chunk{Size: int64(size), Decode: func([]byte) ([]byte, error) {
		v.reads.Add(1)
		if v.fail != nil {
			if err := v.fail(path, index); err != nil {
				return nil, err
			}
		}
		return v.chunk(path, a, index, size), nil
	}}, nil
}

func (v *memoryView) chunk(path string, a *zarr.ArrayMetadata, index []uint64, size int) []byte {
	data := make([]byte, 0, size)
	at, inside := make([]uint64, len(index)), make([]uint64, len(index))
	for len(data) < size {
		for i := range at {
			at[i] = index[i]*a.ChunkShape[i] + inside[i]
		}
		e := v.element(path, at, a.Shape)
		if a.DataType == zarr.Int64 {
			data = binary.LittleEndian.AppendUint64(data, uint64(int64(e)))
		} else if a.DataType == zarr.Float16 {
			data = binary.LittleEndian.AppendUint16(data, halves[int(e)])
		} else {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(e))
		}
		for i := len(inside) - 1; i >= 0; i-- {
			if inside[i]++; inside[i] < a.ChunkShape[i] {
				break
			}
			inside[i] = 0
		}
	}
	return data
}

// sample is a view of a variable of two dimensions of fields on a grid, with coordinates and a
// group.
func sample() *memoryView {
	v := &memoryView{first: map[string]float64{"time": 1000}}
	v.add("t", zarr.Float64, "time step y x", []uint64{3, 4, 10, 14}, []uint64{1, 1, 10, 14})
	v.add("time", zarr.Int64, "time", []uint64{3}, []uint64{3})
	v.add("y", zarr.Float64, "y", []uint64{10}, []uint64{10})
	v.add("scalar", zarr.Float64, "", nil, nil)
	v.add("other/u", zarr.Float64, "n", []uint64{7}, []uint64{7})
	return v
}

// elements are the elements of an array of a store of a folder, as float64.
func elements(t *testing.T, store zarr.Store, path string) []float64 {
	t.Helper()
	a, err := zarr.OpenArray(t.Context(), store, path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := a.Metadata().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, n)
	if err := a.Read(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	var values []float64
	for len(data) > 0 {
		switch a.Metadata().DataType {
		case zarr.Int64:
			values = append(values, float64(int64(binary.LittleEndian.Uint64(data))))
			data = data[8:]
		case zarr.Float32:
			values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
			data = data[4:]
		default:
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			data = data[8:]
		}
	}
	return values
}

// compare compares a store with the view.
func compare(t *testing.T, v *memoryView, store zarr.Store) {
	t.Helper()
	for _, path := range v.order {
		served := elements(t, serve.NewStore(v, serve.StoreOptions{}), path)
		written := elements(t, store, path)
		if len(served) != len(written) {
			t.Fatalf("%s: %d elements, expected %d", path, len(written), len(served))
		}
		for i := range served {
			if served[i] != written[i] && !(math.IsNaN(served[i]) && math.IsNaN(written[i])) {
				t.Fatalf("%s: element %d is %v, expected %v", path, i, written[i], served[i])
			}
		}
	}
}

func folder(t *testing.T, path string) tozarr.Target {
	t.Helper()
	target, err := tozarr.NewFolder(new(storage.Client), path)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestStoresHaveTheElementsOfTheView(t *testing.T) {
	for _, c := range []struct {
		name  string
		opts  tozarr.Options
		holes func(path string, index []uint64) bool
		chunk string // of t
		reads int64  // of chunks of t: 12 fields
	}{
		{name: "as in the view", chunk: "[1 1 10 14]", reads: 12},
		{name: "zstd", opts: tozarr.Options{Codec: tozarr.Codec{Name: "zstd", Shuffle: "byte"}}, chunk: "[1 1 10 14]", reads: 12},
		{name: "gzip", opts: tozarr.Options{Codec: tozarr.Codec{Name: "gzip", Level: 9}}, chunk: "[1 1 10 14]", reads: 12},
		{name: "none", opts: tozarr.Options{Codec: tozarr.Codec{Name: "none"}}, chunk: "[1 1 10 14]", reads: 12},
		{name: "source", opts: tozarr.Options{Codec: tozarr.Codec{Name: "source"}}, chunk: "[1 1 10 14]", reads: 12},
		{name: "rechunked", opts: tozarr.Options{Chunks: tozarr.Lengths{"step": tozarr.All, "y": 4, "x": 5}}, chunk: "[1 4 4 5]", reads: 12},
		{name: "several fields a chunk", opts: tozarr.Options{Chunks: tozarr.Lengths{"time": 2, "step": 3}}, chunk: "[2 3 10 14]", reads: 12},
		{name: "little memory", opts: tozarr.Options{Chunks: tozarr.Lengths{"time": tozarr.All, "step": tozarr.All, "y": 1, "x": 1}, MaxMemory: 5000}, chunk: "[3 4 1 1]"},
		{name: "shards", opts: tozarr.Options{Chunks: tozarr.Lengths{"y": 4, "x": 5}, Shards: tozarr.Lengths{"step": tozarr.All, "y": tozarr.All, "x": 10}},
			chunk: "[1 4 12 10]", reads: 12},
		{name: "holes", opts: tozarr.Options{Chunks: tozarr.Lengths{"step": 2, "y": 6}},
			holes: func(path string, i []uint64) bool { return path == "t" && (i[0] == 1 || i[1] == 3) }, chunk: "[1 2 6 14]", reads: 6},
		{name: "holes in shards", opts: tozarr.Options{Chunks: tozarr.Lengths{"y": 5}, Shards: tozarr.Lengths{"step": 4, "y": 10}},
			holes: func(path string, i []uint64) bool { return path == "t" && (i[0] == 1 || i[1] == 3) }, chunk: "[1 4 10 14]", reads: 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := sample()
			v.holes = c.holes
			dir := filepath.Join(t.TempDir(), "out.zarr")
			report, err := tozarr.Write(t.Context(), v, folder(t, dir), c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if reads := v.reads.Load(); c.reads > 0 && reads != c.reads+4 {
				t.Errorf("%d chunks decoded, expected %d", reads, c.reads+4)
			}
			if (c.name == "little memory") != (len(report.Notes) > 0) {
				t.Errorf("notes %q", report.Notes)
			}
			store := zarr.NewDir(os.DirFS(dir))
			compare(t, v, store)
			a, err := zarr.OpenArray(t.Context(), store, "t")
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(a.Metadata().ChunkShape); got != c.chunk {
				t.Errorf("chunks of %s, expected %s", got, c.chunk)
			}
			if _, err := os.Stat(filepath.Join(dir, ".tgmconv-unfinished")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the marker is still there: %v", err)
			}
			arrays := 0
			for _, err := range zarr.Arrays(t.Context(), store, "") {
				if err != nil {
					t.Error(err)
				}
				arrays++
			}
			if arrays != report.Arrays || arrays != 5 {
				t.Errorf("%d arrays in the consolidated metadata, %d in the report, expected 5", arrays, report.Arrays)
			}
			if _, err := tozarr.Write(t.Context(), v, folder(t, dir), c.opts); !errors.Is(err, tozarr.ErrExists) {
				t.Errorf("writing again gives %v, expected ErrExists", err)
			}
		})
	}
}

// writeZip writes a view as a zip file.
func writeZip(t *testing.T, v serve.View, opts tozarr.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.zip")
	out, err := new(storage.Client).Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	target := tozarr.NewZip(out)
	if _, err := tozarr.Write(t.Context(), v, target, opts); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestZipIsAlwaysTheSame writes with several numbers of workers, of slabs and of chunks in a slab.
func TestZipIsAlwaysTheSame(t *testing.T) {
	for _, opts := range []tozarr.Options{{}, {Chunks: tozarr.Lengths{"y": 1, "x": 1}}, {MaxMemory: 4096}} {
		var first []byte
		for _, opts.Workers = range []int{1, 2, 7, 7, 7} {
			b, err := os.ReadFile(writeZip(t, sample(), opts))
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b
			} else if !bytes.Equal(b, first) {
				t.Errorf("%d workers write another file than one", opts.Workers)
			}
		}
	}
}

func TestZip(t *testing.T) {
	v := sample()
	path := writeZip(t, v, tozarr.Options{})
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if last := z.File[len(z.File)-1].Name; last != "zarr.json" {
		t.Errorf("the last entry is %s, expected the document of the root", last)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
	compare(t, v, zarr.NewDir(os.DirFS(dir)))
}

// TestZipNames wants names that are not ASCII marked as UTF-8: Python's zipfile takes others as code
// page 437 and finds no chunk of such an array.
func TestZipNames(t *testing.T) {
	v := new(memoryView)
	v.add("µ", zarr.Float64, "x", []uint64{3}, []uint64{3})
	z, err := zip.OpenReader(writeZip(t, v, tozarr.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.NonUTF8 {
			t.Errorf("the name %s is not marked as UTF-8", f.Name)
		}
	}
	if want := "µ/c/0 µ/zarr.json zarr.json"; strings.Join(names, " ") != want {
		t.Errorf("entries are %v, expected %s", names, want)
	}
}

func TestFloat32(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{DType: zarr.Float32}); err != nil {
		t.Fatal(err)
	}
	store := zarr.NewDir(os.DirFS(dir))
	compare(t, sample(), store) // whole numbers are exact
	for path, want := range map[string]zarr.DataType{"t": zarr.Float32, "y": zarr.Float64} {
		a, err := zarr.OpenArray(t.Context(), store, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Metadata().DataType; got != want {
			t.Errorf("%s is %s, expected %s", path, got, want)
		}
	}
}

// TestHalves converts float16, which has fewer bytes than the type asked for.
func TestHalves(t *testing.T) {
	for _, dtype := range []zarr.DataType{"", zarr.Float32, zarr.Float64} {
		for _, length := range []uint64{2, 3, tozarr.All} {
			v := new(memoryView)
			v.add("a", zarr.Float16, "x", []uint64{7}, []uint64{3})
			dir := filepath.Join(t.TempDir(), "out.zarr")
			opts := tozarr.Options{DType: dtype, Chunks: tozarr.Lengths{"x": length}}
			if _, err := tozarr.Write(t.Context(), v, folder(t, dir), opts); err != nil {
				t.Fatal(err)
			}
			a, err := zarr.OpenArray(t.Context(), zarr.NewDir(os.DirFS(dir)), "a")
			if err != nil {
				t.Fatal(err)
			}
			got, want := a.Metadata().DataType, dtype
			if dtype == "" {
				want = zarr.Float16
			}
			if got != want {
				t.Errorf("%s as %q is %s", zarr.Float16, dtype, got)
			}
			if dtype != "" {
				if got := elements(t, zarr.NewDir(os.DirFS(dir)), "a"); fmt.Sprint(got) != "[0 1 2 3 4 5 6]" {
					t.Errorf("%s in chunks of %d: %v", dtype, length, got)
				}
			}
		}
	}
}

func TestVariables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{Variables: []string{"t"}}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(entries); got != "[d t/ d time/ d y/ - zarr.json]" {
		t.Errorf("the store holds %s", got)
	}
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir+"2"), tozarr.Options{Variables: []string{"none"}}); err == nil {
		t.Error("a variable that is not there is no error")
	}
}

func TestInterruptedRunsGoOn(t *testing.T) {
	v := sample()
	stop := errors.New("interrupted")
	v.fail = func(path string, index []uint64) error {
		if path == "t" && index[0] == 2 {
			return stop
		}
		return nil
	}
	dir := filepath.Join(t.TempDir(), "out.zarr")
	if _, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Source: "a", MaxMemory: 4000}); !errors.Is(err, stop) {
		t.Fatalf("found %v, expected the error of the view", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "zarr.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("an unfinished store has a document")
	}
	var unfinished *tozarr.UnfinishedError
	if _, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Source: "b", MaxMemory: 4000}); !errors.As(err, &unfinished) {
		t.Fatalf("other inputs give %v, expected an UnfinishedError", err)
	}
	// One value differs from its record.
	if err := os.WriteFile(filepath.Join(dir, "t", "c", "0", "0", "0", "0"), []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	v.fail = nil
	v.reads.Store(0)
	report, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Source: "a", MaxMemory: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if report.Kept == 0 || report.Kept+report.Chunks != 16 || v.reads.Load() != int64(report.Chunks) {
		t.Errorf("%d kept, %d put, %d decoded, expected 16 chunks in all", report.Kept, report.Chunks, v.reads.Load())
	}
	compare(t, v, zarr.NewDir(os.DirFS(dir)))
}

// A killTarget stops to work after a number of calls that change it, as if the run had been killed.
type killTarget struct {
	tozarr.Target
	left *atomic.Int64
}

var errKilled = errors.New("killed")

func (k killTarget) Put(ctx context.Context, key string, data []byte, durable bool) error {
	if k.left.Add(-1) < 0 {
		return errKilled
	}
	return k.Target.Put(ctx, key, data, durable)
}

func (k killTarget) Remove(ctx context.Context, key string) error {
	if k.left.Add(-1) < 0 {
		return errKilled
	}
	return k.Target.Remove(ctx, key)
}

// TestKilledRuns kills a run, and one that appends, after each change of the target. Then the
// command is run again. It completes the store, or finds it complete; in either case more can be
// appended, and no journal stays.
func TestKilledRuns(t *testing.T) {
	want := killedRun(t, 3, 0) // none is killed
	for run := range 2 {
		for kill := 0; ; kill++ {
			got := killedRun(t, run, kill)
			if got == "" {
				break
			}
			if got != want {
				t.Fatalf("run %d killed after %d changes: %s, expected %s", run, kill, got, want)
			}
		}
	}
}

// TestKilledAtTheStart finds the folder of a run that was killed before it had put its plan.
func TestKilledAtTheStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	if err := os.MkdirAll(filepath.Join(dir, ".tgmconv-unfinished"), 0o777); err != nil {
		t.Fatal(err)
	}
	v := sample()
	if _, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{}); err != nil {
		t.Fatal(err)
	}
	compare(t, v, zarr.NewDir(os.DirFS(dir)))
}

// TestUnfinishedAppend wants no advice to remove a store to which a run was appending.
func TestUnfinishedAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	for run, changes := range []int64{math.MaxInt64, 3, math.MaxInt64} {
		v := sample()
		var left atomic.Int64
		left.Store(changes)
		v.first["time"] = float64(1000 * (run + 1))
		_, err := tozarr.Write(t.Context(), v, killTarget{folder(t, dir), &left}, tozarr.Options{Append: "time", Source: strconv.Itoa(run)})
		var unfinished *tozarr.UnfinishedError
		if run == 2 && (!errors.As(err, &unfinished) || strings.Contains(err.Error(), "remove")) {
			t.Errorf("found %v, expected an UnfinishedError that does not speak of removing", err)
		}
	}
}

// killedRun appends three times to a store, and returns its elements. It returns nothing if the run
// to be killed has fewer changes.
func killedRun(t *testing.T, killed, kill int) string {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	for run := range 3 {
		v := sample()
		v.first["time"], v.first["t"] = float64(1000*(run+1)), float64(100*run)
		opts := tozarr.Options{Append: "time", Chunks: tozarr.Lengths{"time": 2, "step": 4}, Workers: 1}
		target := folder(t, dir)
		if run == killed {
			var left atomic.Int64
			left.Store(int64(kill))
			_, err := tozarr.Write(t.Context(), v, killTarget{target, &left}, opts)
			if err == nil {
				return ""
			}
			if !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			target = folder(t, dir)
		}
		var overlap *tozarr.AppendError // of a store that is complete
		if _, err := tozarr.Write(t.Context(), v, target, opts); err != nil && (run != killed || !errors.As(err, &overlap)) {
			t.Fatalf("run %d killed after %d changes, run %d: %v", killed, kill, run, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".tgmconv-unfinished")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("run %d killed after %d changes: the journal is still there: %v", killed, kill, err)
	}
	store := zarr.NewDir(os.DirFS(dir))
	return fmt.Sprint(elements(t, store, "time"), elements(t, store, "t"))
}

func TestAppend(t *testing.T) {
	for _, length := range []uint64{1, 2, tozarr.All} {
		opts := tozarr.Options{Append: "time", Chunks: tozarr.Lengths{"time": length, "y": 6}}
		dir := filepath.Join(t.TempDir(), "out.zarr")
		want := map[string][]float64{}
		for run := range 3 {
			v := sample()
			v.first = map[string]float64{"time": float64(1000 + 3*run), "t": float64(run * 3 * 4 * 10 * 14)}
			if _, err := tozarr.Write(t.Context(), v, folder(t, dir), opts); err != nil {
				t.Fatalf("chunks of %d, run %d: %v", length, run, err)
			}
			for _, path := range []string{"t", "time"} {
				want[path] = append(want[path], elements(t, serve.NewStore(v, serve.StoreOptions{}), path)...)
			}
		}
		store := zarr.NewDir(os.DirFS(dir))
		for path, values := range want {
			if got := elements(t, store, path); fmt.Sprint(got) != fmt.Sprint(values) {
				t.Errorf("chunks of %d: %s is %v, expected %v", length, path, got, values)
			}
		}
		if got := elements(t, store, "other/u"); len(got) != 7 {
			t.Errorf("other/u has %d elements, expected 7", len(got))
		}
	}
}

func TestAppendChecks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	opts := tozarr.Options{Append: "time"}
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), opts); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, "zarr.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*memoryView){
		"the same times":                   func(*memoryView) {},
		"an earlier time after later ones": func(v *memoryView) { v.first["time"] = 1001 },
		"another fill value": func(v *memoryView) {
			v.arrays["time"].Attributes = map[string]any{"units": "K", "_FillValue": 16}
		},
		"another grid":     func(v *memoryView) { v.first["y"] = 5 },
		"another variable": func(v *memoryView) { v.add("z", zarr.Float64, "time", []uint64{3}, []uint64{1}) },
		"another type":     func(v *memoryView) { v.arrays["t"].DataType, v.arrays["t"].FillValue = zarr.Int64, int64(0) },
		"another unit":     func(v *memoryView) { v.arrays["t"].Attributes = map[string]any{"units": "degC"} },
		"another length":   func(v *memoryView) { v.arrays["t"].Shape = []uint64{3, 5, 10, 14} },
		"no such dimension": func(v *memoryView) {
			delete(v.arrays, "t")
			delete(v.arrays, "time")
			v.order = []string{"y", "scalar"}
		},
		"other dimension names": func(v *memoryView) { v.arrays["t"].DimensionNames = []string{"time", "number", "y", "x"} },
	} {
		v := sample()
		v.first["time"] = 2000
		if name == "the same times" {
			v.first["time"] = 1000
		}
		change(v)
		var refused *tozarr.AppendError
		if _, err := tozarr.Write(t.Context(), v, folder(t, dir), opts); !errors.As(err, &refused) {
			t.Errorf("%s gives %v, expected an AppendError", name, err)
		}
		if after, err := os.ReadFile(filepath.Join(dir, "zarr.json")); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s changed the store: %v", name, err)
		}
	}
}

// TestAppendNotesOtherValues wants a word about values that the store does not take, because their
// array does not grow.
func TestAppendNotesOtherValues(t *testing.T) {
	for _, chunk := range []uint64{1, 3, tozarr.All} {
		dir := filepath.Join(t.TempDir(), "out.zarr")
		opts := tozarr.Options{Append: "time", Chunks: tozarr.Lengths{"n": chunk}, DType: zarr.Float32}
		for run, other := range []float64{5, 5, 6} {
			v := sample()
			v.first["time"], v.first["other/u"] = float64(1000*run), other
			report, err := tozarr.Write(t.Context(), v, folder(t, dir), opts)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if other == 6 {
				want = "other/u: it has no dimension time; the store keeps its values, and the inputs have others"
			}
			if got := strings.Join(report.Notes, "; "); got != want {
				t.Errorf("chunks of %d, run %d: notes %q, expected %q", chunk, run, got, want)
			}
		}
		if got := elements(t, zarr.NewDir(os.DirFS(dir)), "other/u"); got[0] != 5 {
			t.Errorf("other/u begins with %v, expected 5", got[0])
		}
	}
}

func TestUnknownDimensionOfScalars(t *testing.T) {
	opts := tozarr.Options{Chunks: tozarr.Lengths{"x": 1}, Variables: []string{"scalar"}}
	_, err := tozarr.Write(t.Context(), sample(), folder(t, filepath.Join(t.TempDir(), "out.zarr")), opts)
	if want := "no array has the dimension x: all are scalars"; err == nil || err.Error() != want {
		t.Errorf("found %v, expected %s", err, want)
	}
}

func TestParseLengths(t *testing.T) {
	got, err := tozarr.ParseLengths("step=all, latitude=90")
	if err != nil || fmt.Sprint(got) != fmt.Sprint(tozarr.Lengths{"step": tozarr.All, "latitude": 90}) {
		t.Errorf("found %v, %v", got, err)
	}
	for _, bad := range []string{"step", "step=0", "step=-1", "=4", "step=x"} {
		if _, err := tozarr.ParseLengths(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for name, opts := range map[string]tozarr.Options{
		"an unknown dimension": {Chunks: tozarr.Lengths{"depth": 3}},
		"a shard between":      {Chunks: tozarr.Lengths{"x": 4}, Shards: tozarr.Lengths{"x": 6}},
		"an unknown codec":     {Codec: tozarr.Codec{Name: "lzma"}},
		"a level":              {Codec: tozarr.Codec{Name: "gzip", Level: 12}},
		"a shuffle":            {Codec: tozarr.Codec{Name: "zstd", Shuffle: "bit"}},
		"too little memory":    {MaxMemory: 1000},
		"a type":               {DType: zarr.Int8},
	} {
		dir := filepath.Join(t.TempDir(), "out.zarr")
		if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), opts); err == nil {
			t.Errorf("%s is no error", name)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the folder was made", name)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tozarr.Write(t.Context(), sample(), folder(t, dir), tozarr.Options{}); err == nil {
		t.Error("a folder of something else is no error")
	}
}
