package tozarr_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/zarr"
)

// A textView is a view with arrays of texts, whose chunks are what it stores.
type textView struct {
	*memoryView
	texts map[string]string
}

func (v *textView) Chunk(ctx context.Context, path string, index []uint64) (zarr.Chunk, error) {
	if text, ok := v.texts[path]; ok {
		return zarr.Chunk{Size: int64(len(text)), Stored: strings.NewReader(text)}, nil
	}
	return v.memoryView.Chunk(ctx, path, index)
}

// stations is a view of t(time, station) with texts: names, which are labels, and regions, which are
// not.
func stations(first float64) *textView {
	v := &textView{new(memoryView), map[string]string{
		"name": "\x02\x00\x00\x00\x04\x00\x00\x00Oslo\x04\x00\x00\x00Rome", "region": "NS", "empty": "",
	}}
	v.first = map[string]float64{"time": first}
	v.add("time", zarr.Int64, "time", []uint64{3}, []uint64{3})
	v.add("t", zarr.Float64, "time station", []uint64{3, 2}, []uint64{1, 2})
	v.arrays["t"].Attributes["coordinates"] = "name"
	v.add("name", "string", "station", []uint64{2}, []uint64{2})
	v.arrays["name"].FillValue, v.arrays["name"].Codecs = "", []zarr.Codec{{Name: "vlen-utf8", Configuration: map[string]any{}}}
	v.add("region", "null_terminated_bytes", "station", []uint64{2}, []uint64{2})
	v.add("empty", "null_terminated_bytes", "none", []uint64{0}, []uint64{1})
	for _, path := range []string{"region", "empty"} {
		a := v.arrays[path]
		a.FillValue, a.Codecs, a.DataTypeConfig = []byte(" "), []zarr.Codec{{Name: "bytes"}}, map[string]any{"length_bytes": uint64(1)}
	}
	return v
}

// TestAppendBesideTexts appends to a store that holds texts, which stay as they are.
func TestAppendBesideTexts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	opts := tozarr.Options{Append: "time"}
	for run := range 3 {
		v := stations(float64(10 * run))
		if run == 2 {
			v.texts["region"] = "NX"
		}
		report, err := tozarr.Write(t.Context(), v, folder(t, dir), opts)
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(report.Notes, "\n"); (run == 2) != strings.Contains(notes, "region: it has no dimension time") {
			t.Errorf("run %d: notes %q", run, notes)
		}
	}
	store := zarr.NewDir(os.DirFS(dir))
	if got := elements(t, store, "t"); len(got) != 18 {
		t.Errorf("t has %d elements, expected 18", len(got))
	}
	for key, want := range map[string]string{"name/c/0": stations(0).texts["name"], "region/c/0": "NS"} {
		if got, err := zarr.ReadAll(t.Context(), store, key, 100); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; expected %q", key, got, err, want)
		}
	}
	root, err := zarr.ReadAll(t.Context(), store, "zarr.json", 1<<20)
	if err != nil || !strings.Contains(string(root), `"data_type":{"configuration":{"length_bytes":1},"name":"null_terminated_bytes"}`) || !strings.Contains(string(root), `"fill_value":"IA=="`) {
		t.Errorf("the document of the root is %s, %v", root, err)
	}
	for name, change := range map[string]func(*textView){
		"other labels": func(v *textView) { v.texts["name"] = strings.Replace(v.texts["name"], "Rome", "Bern", 1) },
		"longer texts": func(v *textView) { v.arrays["region"].DataTypeConfig = map[string]any{"length_bytes": uint64(2)} },
		"other codecs": func(v *textView) { v.arrays["region"].Codecs = []zarr.Codec{{Name: "bytes"}, {Name: "zstd"}} },
		"other chunks": func(v *textView) { v.arrays["region"].ChunkShape = []uint64{1} },
		"another type": func(v *textView) { v.arrays["region"].DataType = "string" },
	} {
		v := stations(50)
		change(v)
		var failed *tozarr.AppendError
		if _, err := tozarr.Write(t.Context(), v, folder(t, dir), opts); !errors.As(err, &failed) {
			t.Errorf("%s: %v, expected an AppendError", name, err)
		}
	}
}

// TestAppendTexts wants an error where texts would have to grow.
func TestAppendTexts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	for run := range 2 {
		v := stations(float64(10 * run))
		v.arrays["region"].Shape, v.arrays["region"].ChunkShape, v.arrays["region"].DimensionNames = []uint64{3}, []uint64{3}, []string{"time"}
		v.texts["region"] = "abc"
		_, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Append: "time"})
		if run == 0 && err != nil || run == 1 && (err == nil || !strings.Contains(err.Error(), "region: it holds texts along time")) {
			t.Errorf("run %d: %v", run, err)
		}
	}
}
