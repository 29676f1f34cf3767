package totet_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tgmconv/tgmconv/exporters/totet"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/zarr"
)

// arrayDocument is the document of an array of int16 without codecs.
func arrayDocument(shape, chunk, more string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{"zarr_format":3,"node_type":"array","shape":%s,"data_type":"int16","fill_value":-1,
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":%s}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
"codecs":[{"name":"bytes","configuration":{"endian":"big"}}]%s}`, shape, chunk, more)}
}

func zarrFiles() fstest.MapFS {
	return fstest.MapFS{
		"zarr.json":     {Data: []byte(`{"zarr_format":3,"node_type":"group","attributes":{}}`)},
		"g/zarr.json":   {Data: []byte(`{"zarr_format":3,"node_type":"group","attributes":{}}`)},
		"g/x/zarr.json": arrayDocument("[3]", "[3]", `,"dimension_names":["x"]`),
		"g/x/c/0":       {Data: []byte{0, 10, 0, 20, 0, 30}},
		"g/t/zarr.json": arrayDocument("[2,3]", "[2,2]", `,"dimension_names":["y","x"],"attributes":{"units":"K","n":3,"map":{}}`),
		"g/t/c/0/0":     {Data: []byte{0, 1, 0, 2, 0, 4, 0, 5}}, // the other chunk is not there
	}
}

func TestExportZarr(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tet")
	report, err := totet.ExportZarr(context.Background(), zarr.NewDir(zarrFiles()), output(t, path), totet.Options{})
	if err != nil || report.Datasets != 2 || report.Chunks != 3 {
		t.Fatalf("%+v, %v", report, err)
	}
	f, err := tet.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, ok := f.Dataset("g/t")
	if !ok {
		t.Fatalf("datasets %v", f.Datasets())
	}
	p, err := d.Plan(nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Read(context.Background(), tet.ReadOptions{})
	if want := []byte{1, 0, 2, 0, 255, 255, 4, 0, 5, 0, 255, 255}; err != nil || !slices.Equal(a.Data, want) {
		t.Errorf("values %v, expected %v, %v", a.Data, want, err)
	}
	if m := d.Metadata(); len(m.Attrs) != 2 || m.Attrs["units"] != "K" || m.Attrs["n"] != "3" {
		t.Errorf("attributes %v", m.Attrs)
	}
	if !slices.Equal(d.DimNames(), []string{"y", "x"}) || !slices.Equal(d.Labels(1), []string{"10", "20", "30"}) {
		t.Errorf("dimensions %v, labels %v", d.DimNames(), d.Labels(1))
	}
}

func TestExportZarrRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		document *fstest.MapFile
		why      string
	}{
		"huge chunk":  {arrayDocument("[1099511627776]", "[1099511627776]", ""), "have more than 1073741824 bytes"},
		"many chunks": {arrayDocument("[1099511627776]", "[1]", ""), "more than 16777216 of them"},
		"empty":       {arrayDocument("[0]", "[1]", ""), "extents of at least 1"},
		"rank":        {arrayDocument("[1,1,1,1,1,1,1,1,1]", "[1,1,1,1,1,1,1,1,1]", ""), "9 dimensions"},
	} {
		files := zarrFiles()
		files["bad/zarr.json"] = c.document
		path := filepath.Join(t.TempDir(), "a.tet")
		if _, err := totet.ExportZarr(context.Background(), zarr.NewDir(files), output(t, path), totet.Options{}); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, expected %q", name, err, c.why)
		}
		report, err := totet.ExportZarr(context.Background(), zarr.NewDir(files), output(t, path), totet.Options{SkipBad: true})
		if err != nil || report.Datasets != 2 || len(report.Skipped) != 1 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}
