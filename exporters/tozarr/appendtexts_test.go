package tozarr_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/exporters/tozarr"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A textView is a view with arrays of texts, whose chunks are stored texts.
type textView struct {
	*memoryView
	texts map[string]string
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

// TestAppendBesideTexts appends to a store that holds texts, which stay unchanged.
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

// records is a view of texts along time: names of a width and remarks of any length, in chunks of a
// length.
func records(first float64, chunk, width int, texts ...string) *textView {
	v := &textView{new(memoryView), map[string]string{}}
	v.first = map[string]float64{"time": first}
	n, c := uint64(len(texts)), uint64(chunk)
	v.add("time", zarr.Int64, "time", []uint64{n}, []uint64{n})
	v.add("name", "null_terminated_bytes", "time", []uint64{n}, []uint64{c})
	v.add("remark", "string", "time station", []uint64{n, 2}, []uint64{c, 2})
	a := v.arrays["name"]
	a.FillValue, a.Codecs, a.DataTypeConfig = []byte{}, []zarr.Codec{{Name: "bytes"}}, map[string]any{"length_bytes": uint64(width)}
	v.arrays["remark"].FillValue, v.arrays["remark"].Codecs = "", []zarr.Codec{{Name: "vlen-utf8", Configuration: map[string]any{}}}
	for i := 0; i < len(texts); i += chunk {
		names, remarks := "", string([]byte{byte(2 * chunk), 0, 0, 0})
		for k := range chunk {
			text := ""
			if i+k < len(texts) {
				text = texts[i+k]
			}
			names += text + strings.Repeat("\x00", width-len(text))
			for range 2 {
				remarks += string([]byte{byte(len(text)), 0, 0, 0}) + text
			}
		}
		v.texts[fmt.Sprintf("name/%d", i/chunk)] = names
		v.texts[fmt.Sprintf("remark/%d", i/chunk)] = remarks
	}
	return v
}

// Chunk implements serve.View: one text for all chunks, or one for each along the first dimension.
func (v *textView) Chunk(ctx context.Context, path string, index []uint64) (serve.Chunk, error) {
	text, ok := v.texts[path]
	if !ok && len(index) > 0 {
		text, ok = v.texts[fmt.Sprintf("%s/%d", path, index[0])]
	}
	if !ok {
		if v.arrays[path].DataType.Size() == 0 {
			return serve.Chunk{}, zarr.ErrNotFound
		}
		return v.memoryView.Chunk(ctx, path, index)
	}
	return serve.Chunk{Size: int64(len(text)), Stored: strings.NewReader(text)}, nil
}

// contents are the values of the keys of a folder with a prefix, one after the other.
func contents(t *testing.T, dir, prefix string) string {
	t.Helper()
	all := ""
	err := filepath.WalkDir(filepath.Join(dir, prefix), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all += string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAppendTexts appends texts in chunks of other lengths and widths than in the store. The result must
// equal a store of all inputs written at once.
func TestAppendTexts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	opts := tozarr.Options{Append: "time"}
	for _, v := range []*textView{
		records(0, 3, 5, "oslo", "rome"),
		records(10, 2, 5, "paris", "bern", ""),
		records(20, 4, 7, "lima", "quito", "x", "y", "z"),
		records(30, 1, 2, "a", "bc"),
	} {
		if _, err := tozarr.Write(t.Context(), v, folder(t, dir), opts); err != nil {
			t.Fatal(err)
		}
	}
	all := records(0, 3, 5, "oslo", "rome", "paris", "bern", "", "lima", "quito", "x", "y", "z", "a", "bc")
	for _, path := range []string{"name", "remark"} {
		want := ""
		for i := range 4 {
			want += all.texts[fmt.Sprintf("%s/%d", path, i)]
		}
		if got := contents(t, dir, path+"/c"); got != want {
			t.Errorf("%s is %q, expected %q", path, got, want)
		}
	}
	documents := contents(t, dir, "name/zarr.json")
	if !strings.Contains(documents, `"length_bytes":5`) || !strings.Contains(documents, `"shape":[12]`) {
		t.Errorf("the document of name is %s", documents)
	}
}

// TestAppendTextHoles appends texts with absent chunks: they are empty.
func TestAppendTextHoles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	for run := range 2 {
		v := records(float64(10*run), 2, 3, "a", "b", "c")
		delete(v.texts, fmt.Sprintf("name/%d", run))
		if _, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Append: "time"}); err != nil {
			t.Fatal(err)
		}
	}
	// Two empty texts and c, then a, b and an empty text.
	store := zarr.NewDir(os.DirFS(dir))
	if _, err := zarr.ReadAll(t.Context(), store, "name/c/0", 100); err == nil {
		t.Error("there is a chunk of texts that the inputs do not have")
	}
	for key, want := range map[string]string{"name/c/1": "c\x00\x00a\x00\x00", "name/c/2": "b\x00\x00\x00\x00\x00"} {
		if got, err := zarr.ReadAll(t.Context(), store, key, 100); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; expected %q", key, got, err, want)
		}
	}
}

// TestAppendTextsRefused wants errors, and the store as it was, where texts do not fit.
func TestAppendTextsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		next *textView
		edit func(*textView)
		want string
	}{
		"too long":     {next: records(10, 2, 8, "paris", "antwerp", "x"), want: `name: its texts have at most 5 bytes in the store, and up to 7 in the inputs, such as "antwerp"`},
		"another fill": {edit: func(v *textView) { v.arrays["name"].FillValue = []byte(" ") }, want: `name: its fill value is "" in the store, and "IA==" in the inputs`},
		"other codecs": {edit: func(v *textView) {
			v.arrays["remark"].Codecs = append(v.arrays["remark"].Codecs, zarr.Codec{Name: "zstd"})
		},
			want: "remark: its texts have the codecs vlen-utf8 in the store, and vlen-utf8, zstd in the inputs"},
		"a short chunk": {edit: func(v *textView) { v.texts["remark/0"] = v.texts["remark/0"][:9] }, want: "remark: a chunk of 9 bytes"},
		"a large number": {edit: func(v *textView) {
			v.texts["remark/0"] = "\x06\x00\x00\x00\xff\xff\xff\xff" + strings.Repeat("\x00", 30)
		}, want: "remark: a chunk of 38 bytes ends within text 0 of 6"},
	} {
		dir := filepath.Join(t.TempDir(), "out.zarr")
		opts := tozarr.Options{Append: "time"}
		if _, err := tozarr.Write(t.Context(), records(0, 3, 5, "oslo", "rome"), folder(t, dir), opts); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir, "zarr.json") + contents(t, dir, "name") + contents(t, dir, "remark/zarr.json")
		v := c.next
		if v == nil {
			v = records(10, 3, 5, "a", "b", "c")
			c.edit(v)
		}
		_, err := tozarr.Write(t.Context(), v, folder(t, dir), opts)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
		if _, ok := errors.AsType[*tozarr.AppendError](err); !ok {
			continue // while it was writing
		}
		if after := contents(t, dir, "zarr.json") + contents(t, dir, "name") + contents(t, dir, "remark/zarr.json"); after != before {
			t.Errorf("%s: the store was changed", name)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
			t.Errorf("%s: %d entries in the store, %v; expected 4", name, len(entries), err)
		}
	}
}

// TestAppendTextLabels wants an error where texts that name the positions of the dimension are in
// the store already.
func TestAppendTextLabels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.zarr")
	for run, c := range []struct {
		texts []string
		want  string
	}{{[]string{"oslo", "rome"}, ""}, {[]string{"bern"}, ""}, {[]string{"lima", "bern"}, `name: name "bern" of the inputs is in the store already`}} {
		v := records(0, 2, 5, c.texts...)
		for _, path := range []string{"time", "remark", "name"} {
			v.arrays[path].DimensionNames[0] = "name"
		}
		_, err := tozarr.Write(t.Context(), v, folder(t, dir), tozarr.Options{Append: "name"})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("run %d: %v, expected %q", run, err, c.want)
		}
	}
}
