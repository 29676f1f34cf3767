package totet_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// An object is an array with its entry.
type object struct {
	shape []uint64
	dtype tgm.DType
	data  []byte
	mask  *tgm.Mask
	base  map[string]any
	pipe  tgm.Pipeline
}

func floats(values ...float32) (data []byte) {
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// message is the path of a file of one message of these objects.
func message(t testing.TB, objects ...object) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.tgm")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := tgm.NewMessageWriter(out, tgm.WriterOptions{})
	for _, o := range objects {
		e, err := tgm.EncodeArray(tgm.Array{Shape: o.shape, DType: o.dtype, Data: o.data, Missing: o.mask}, o.pipe)
		if err == nil {
			err = w.Append(e, o.base)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// export writes the objects of files to a file.
func export(t testing.TB, to string, opts totet.Options, files ...string) (*totet.Report, error) {
	t.Helper()
	var objects []dataset.Object
	a, err := archive.List(t.Context(), files, archive.Options{
		Select: func(*dataset.Object) bool { return true },
		Chosen: func(o *dataset.Object) { objects = append(objects, *o) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	return totet.Export(t.Context(), dataset.ObjectList(objects), a, output(t, to), opts)
}

func exported(t testing.TB, opts totet.Options, files ...string) (*tet.File, *totet.Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tet")
	report, err := export(t, path, opts, files...)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := tet.VerifyFile(context.Background(), path, tet.VerifyOptions{Deep: true}); err != nil || !v.OK {
		t.Fatalf("verify: %+v, %v", v, err)
	}
	f, err := tet.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, report
}

func values(t testing.TB, f *tet.File, name string) []float64 {
	t.Helper()
	d, ok := f.Dataset(name)
	if !ok {
		t.Fatalf("no dataset %s", name)
	}
	a, err := d.Read(context.Background(), nil, tet.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a.Float64s()
}

// TestFromOtherSources checks coordinates, attributes, masks and equal names.
func TestFromOtherSources(t *testing.T) {
	mask := &tgm.Mask{N: 4, Bits: []byte{0x40}}
	netcdf := mapping.NetCDF{Attributes: map[string]any{"units": "K", "_FillValue": -9.5, "flag": int64(3), "list": []int64{1}}, Dims: []string{"y", "x"}}
	f := message(t,
		object{[]uint64{2, 2}, tgm.Float32, floats(1, 2, 3, 4), mask, map[string]any{"name": "t", "dim_names": []string{"y", "x"}, "netcdf": netcdf.Map()}, tgm.Pipeline{}},
		object{[]uint64{2}, tgm.Float32, floats(10, 20.5), nil, map[string]any{"name": "x"}, tgm.Pipeline{}},
		object{[]uint64{2}, tgm.Float32, floats(1, 2), mask1(), map[string]any{"name": "t", "mars": map[string]any{"param": "167", "step": int64(6)}}, tgm.Pipeline{Compression: "zstd"}},
		object{nil, tgm.Int64, make([]byte, 8), nil, nil, tgm.Pipeline{}},
	)
	out, report := exported(t, totet.Options{}, f)
	if report.Datasets != 4 || len(report.Notes) != 0 {
		t.Errorf("report %+v", report)
	}
	if v := values(t, out, "t"); !slices.Equal(v, []float64{1, -9.5, 3, 4}) {
		t.Errorf("t is %v", v)
	}
	d, _ := out.Dataset("t")
	if m := d.Metadata(); !reflect.DeepEqual(m.Attrs, map[string]string{"units": "K", "_FillValue": "-9.5", "flag": "3"}) ||
		!slices.Equal(m.DimNames, []string{"y", "x"}) || !reflect.DeepEqual(m.Coords, map[string]tet.CoordAxis{"x": {Labels: []string{"10", "20.5"}}}) {
		t.Errorf("metadata of t: %+v", m)
	}
	second, _ := out.Dataset("t_2")
	if v := values(t, out, "t_2"); v[0] != 1 || !math.IsNaN(v[1]) || second.Metadata().Attrs["mars.param"] != "167" {
		t.Errorf("t_2 is %v, %v", v, second.Metadata())
	}
	if c := second.ChunkAt(0); c.Codec != tet.Zstd {
		t.Errorf("what was compressed is %v", c.Codec)
	}
	scalar, ok := out.Dataset("object_3")
	if !ok || !slices.Equal(scalar.Shape, []uint64{1}) {
		t.Errorf("the scalar: %+v", scalar)
	}
	if h := out.History(); len(h) != 1 || h[0].Op != "convert" || h[0].Source != "tgm" {
		t.Errorf("history %+v", h)
	}
}

func mask1() *tgm.Mask { return &tgm.Mask{N: 2, Bits: []byte{0x40}} }

// TestFromTet holds that objects from a .tet file get back all they had, in chunks or whole.
func TestFromTet(t *testing.T) {
	described := func(start []uint64) map[string]any {
		d := mapping.Tet{
			Attributes: map[string]string{"units": "K"}, Chunks: []uint64{2, 2}, Codec: "zstd", Coords: map[string][]string{"x": {"1", "2", "3"}},
			History: []mapping.TetEvent{{Op: "make", Source: "a", At: "0", Agent: mapping.Some("me")}},
		}
		if start != nil {
			d.Start, d.Shape = start, []uint64{2, 3}
		}
		return map[string]any{"name": "t", "dim_names": []string{"y", "x"}, "tet": d.Map()}
	}
	label := object{[]uint64{3}, tgm.Float32, floats(1, 2, 3), nil, map[string]any{"name": "x", "dim_names": []string{"x"}}, tgm.Pipeline{}}
	whole := message(t, object{[]uint64{2, 3}, tgm.Float32, floats(1, 2, 3, 4, 5, 6), nil, described(nil), tgm.Pipeline{}}, label)
	first := message(t, object{[]uint64{2, 2}, tgm.Float32, floats(1, 2, 4, 5), nil, described([]uint64{0, 0}), tgm.Pipeline{}}, label)
	second := message(t, object{[]uint64{2, 1}, tgm.Float32, floats(3, 6), nil, described([]uint64{0, 2}), tgm.Pipeline{}}, label)
	for name, files := range map[string][]string{"whole": {whole}, "chunks": {second, first}} {
		out, report := exported(t, totet.Options{}, files...)
		if report.Datasets != 1 || report.Chunks != 2 {
			t.Errorf("%s: %+v", name, report)
		}
		if v := values(t, out, "t"); !slices.Equal(v, []float64{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v", name, v)
		}
		d, _ := out.Dataset("t")
		if d.ChunkAt(0).Codec != tet.Zstd || !slices.Equal(d.ChunkShape, []uint64{2, 2}) || d.Metadata().Attrs["units"] != "K" || len(d.Labels(1)) != 3 {
			t.Errorf("%s: %+v, %+v", name, d.Record, d.Metadata())
		}
		if h := out.History(); len(h) != 2 || h[0].Op != "make" || h[0].Agent == nil || *h[0].Agent != "me" {
			t.Errorf("%s: history %+v", name, h)
		}
	}
	dir := t.TempDir()
	if _, err := export(t, filepath.Join(dir, "a.tet"), totet.Options{}, first); err == nil {
		t.Error("a file with a missing chunk was written")
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

func TestOptions(t *testing.T) {
	f := message(t, object{[]uint64{4, 4}, tgm.Float32, make([]byte, 64), nil, map[string]any{"name": "a"}, tgm.Pipeline{}})
	out, _ := exported(t, totet.Options{Chunks: []int64{3, 2}, Codec: "zstd"}, f)
	if d, _ := out.Dataset("a"); d.NumChunks() != 4 || d.ChunkAt(3).Codec != tet.Zstd {
		t.Errorf("%+v", d.Record)
	}
	out, _ = exported(t, totet.Options{Chunks: []int64{3}}, f)
	if d, _ := out.Dataset("a"); d.NumChunks() != 1 {
		t.Errorf("%+v", d.Record)
	}
}

func TestRefused(t *testing.T) {
	good := object{[]uint64{1}, tgm.Uint8, []byte{1}, nil, map[string]any{"name": "good"}, tgm.Pipeline{}}
	tests := map[string]object{
		"dtype int8":         {[]uint64{1}, tgm.Int8, []byte{1}, nil, map[string]any{"name": "bad"}, tgm.Pipeline{}},
		"extents of at":      {[]uint64{0}, tgm.Uint8, nil, nil, map[string]any{"name": "bad"}, tgm.Pipeline{}},
		"9 dimensions":       {[]uint64{1, 1, 1, 1, 1, 1, 1, 1, 1}, tgm.Uint8, []byte{1}, nil, map[string]any{"name": "bad"}, tgm.Pipeline{}},
		"are no chunk [2]":   {[]uint64{1}, tgm.Uint8, []byte{1}, nil, map[string]any{"name": "bad", "tet": map[string]any{"_start": []uint64{1}, "_shape": []uint64{4}, "_chunks": []uint64{2}}}, tgm.Pipeline{}},
		"chunk of 1 dimensi": {[]uint64{1}, tgm.Uint8, []byte{1}, nil, map[string]any{"name": "bad", "tet": map[string]any{"_start": []uint64{1}}}, tgm.Pipeline{}},
	}
	for want, bad := range tests {
		f := message(t, good, bad)
		_, err := export(t, filepath.Join(t.TempDir(), "a.tet"), totet.Options{}, f)
		var object *totet.ObjectError
		if !errors.As(err, &object) || object.Name != "bad" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if _, report := exported(t, totet.Options{SkipBad: true}, f); report.Datasets != 1 || len(report.Skipped) != 1 {
			t.Errorf("%s: %+v", want, report)
		}
	}
	second := message(t, good, tests["dtype int8"])
	_, err := export(t, filepath.Join(t.TempDir(), "a.tet"), totet.Options{}, message(t, good), second)
	if err == nil || !strings.HasPrefix(err.Error(), second+": message 0, object 1 (bad): ") {
		t.Errorf("%v, expected the file first", err)
	}
	if _, err := totet.Export(t.Context(), dataset.ObjectList(nil), nil, output(t, filepath.Join(t.TempDir(), "a.tet")), totet.Options{}); !errors.Is(err, totet.ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
}
