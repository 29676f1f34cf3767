package overview_test

import (
	"context"
	"html"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/site/overview"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// TestSnippets wants snippets of arrays that the clients read.
func TestSnippets(t *testing.T) {
	plain := func(name string, shape ...uint64) *dataset.Variable {
		return &dataset.Variable{Name: name, Dims: []string{"y", "x"}[:len(shape)], Shape: shape, DType: tgm.Float32}
	}
	text := plain("name", 2, 7)
	text.Text = dataset.TextUTF8
	label := plain("y", 2)
	label.Coordinate = true
	root := func(variables ...*dataset.Variable) []*dataset.Group { return []*dataset.Group{{Variables: variables}} }
	below := func(variables ...*dataset.Variable) []*dataset.Group {
		return []*dataset.Group{{}, {Name: "a", Variables: variables}}
	}
	const zarrita, gdal = `zarr.FetchStore("http://h:1/`, `gdalinfo 'ZARR:"/vsicurl/http://h:1":/`
	for name, test := range map[string]struct {
		groups    []*dataset.Group
		numcodecs string // the arrays that have such a codec
		want      []string
		none      []string
	}{
		"data first":       {root(label, plain("t", 2, 3)), "", []string{`open_zarr("http://h:1")`, `group["t"]`, zarrita + `t")`, gdal + "t'"}, nil},
		"labels alone":     {root(text, label), "", []string{`group["y"]`, zarrita + `y")`, gdal + "y'"}, nil},
		"no scalars":       {root(plain("s"), plain("t", 2)), "", []string{`group["t"]`, zarrita + `t")`, gdal + "t'"}, nil},
		"not empty":        {root(plain("e", 0), plain("t", 2)), "", []string{`group["t"]`, gdal + "t'"}, nil},
		"only texts":       {root(text), "", []string{`group["name"]`, zarrita + `name")`}, []string{"GDAL"}},
		"nothing":          {root(), "", []string{`open_zarr("http://h:1")`}, []string{"GDAL", "zarrita", "group["}},
		"a group":          {below(plain("t", 2)), "", []string{`open_datatree("http://h:1", engine="zarr")`, `group["a/t"]`, gdal + "a/t'"}, nil},
		"as the store is":  {root(plain("100%", 2)), "", []string{`group["100_"]`, zarrita + `100_")`, gdal + "100_'", `href="/100_/zarr.json"`}, []string{"100%&"}},
		"blanks":           {root(plain("a b", 2), plain("c", 2)), "", []string{`group["a b"]`, gdal + "c'"}, nil},
		"GDAL has another": {root(plain("t", 2), plain("u", 2)), "t", []string{`group["t"]`, gdal + "u'"}, nil},
		"GDAL has none":    {root(plain("t", 2)), "t", []string{"# GDAL does not decode", "--codec zstd"}, []string{"gdalinfo"}},
		"groups that xarray does not join": {
			[]*dataset.Group{{Variables: []*dataset.Variable{plain("t", 2)}}, {Name: "a", Variables: []*dataset.Variable{plain("t", 3)}}}, "",
			[]string{`open_groups("http://h:1", engine="zarr")`}, []string{"open_datatree"},
		},
	} {
		p := overview.New(&dataset.Dataset{Groups: test.groups, Report: new(dataset.Report)}, overview.Options{
			Codecs: func(_ context.Context, path string) []zarr.Codec {
				if path == test.numcodecs {
					return []zarr.Codec{{Name: "bytes"}, {Name: "numcodecs.shuffle"}}
				}
				return zarr.PlainCodecs(zarr.Float32)
			},
		})
		page := html.UnescapeString(get(t, p, "h:1"))
		for _, want := range test.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: there is no %s in the page", name, want)
			}
		}
		for _, unwanted := range test.none {
			if strings.Contains(page, unwanted) {
				t.Errorf("%s: there is %s in the page", name, unwanted)
			}
		}
	}
}
