package overview

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/serve"
	"github.com/tgmconv/tgmconv/zarr"
)

// A snippet opens the data in a client.
type snippet struct{ Client, Code string }

// snippets open the data in several clients: all of it, or one array where a client opens those.
func (p *Page) snippets(ctx context.Context, base string, paths *serve.DatasetPaths) []snippet {
	list := []snippet{{"xarray", "import xarray\ndata = " + OpenInXarray(p.set, base)}}
	arrays := examples(p.set, paths)
	if len(arrays) == 0 {
		return list
	}
	list = append(list,
		snippet{"zarr-python", fmt.Sprintf("import zarr\ngroup = zarr.open_group(%q, mode=\"r\")\nvalues = group[%q][...]", base, arrays[0].path)},
		snippet{"zarrita.js", fmt.Sprintf("import * as zarr from \"zarrita\";\nconst store = new zarr.FetchStore(%q);\nconst array = await zarr.open(store, { kind: \"array\" });\nconst { data, shape } = await zarr.get(array);", base+"/"+arrays[0].path)})
	if code := p.gdal(ctx, base, arrays); code != "" {
		list = append(list, snippet{"GDAL", code})
	}
	return list
}

// OpenInXarray is the call in Python that opens a dataset that is served at an address.
func OpenInXarray(set *dataset.Dataset, base string) string {
	switch {
	case len(set.Groups) < 2:
		return fmt.Sprintf("xarray.open_zarr(%q)", base)
	case set.Aligned():
		return fmt.Sprintf("xarray.open_datatree(%q, engine=\"zarr\")", base)
	}
	return fmt.Sprintf("xarray.open_groups(%q, engine=\"zarr\")", base)
}

// An example is an array that shows how arrays are opened.
type example struct {
	path     string
	variable *dataset.Variable
}

// examples are arrays that all clients read: numbers along dimensions, data before coordinates. If
// there are none, others.
func examples(set *dataset.Dataset, paths *serve.DatasetPaths) []example {
	var ranks [3][]example
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			rank := 0
			switch {
			case !readable(v):
				rank = 2
			case v.Coordinate:
				rank = 1
			}
			ranks[rank] = append(ranks[rank], example{paths.Variable(g, v), v})
		}
	}
	return slices.Concat(ranks[:]...)
}

// readable reports whether all clients read a variable: not texts, complex numbers and scalars.
func readable(v *dataset.Variable) bool {
	numbers := v.DType.IsInteger() || v.DType.IsFloat()
	return numbers && v.Text == dataset.NotText && len(v.Shape) > 0 && !slices.Contains(v.Shape, 0)
}

// The prefix of the codecs that GDAL does not have, and the number of arrays among which one without
// them is looked for.
const (
	numcodecs = "numcodecs."
	maxLooked = 20
)

// gdal opens one of the arrays in GDAL, which finds no names with blanks.
func (p *Page) gdal(ctx context.Context, base string, arrays []example) string {
	code := ""
	for _, a := range arrays[:min(maxLooked, len(arrays))] {
		if !readable(a.variable) || strings.ContainsAny(a.path, " '\"") {
			continue
		}
		var codecs []zarr.Codec
		if p.opts.Codecs != nil {
			codecs = p.opts.Codecs(ctx, a.path)
		}
		if !slices.ContainsFunc(codecs, func(c zarr.Codec) bool { return strings.HasPrefix(c.Name, numcodecs) }) {
			return fmt.Sprintf("gdalinfo 'ZARR:\"/vsicurl/%s\":/%s'", base, a.path)
		}
		code = "# GDAL does not decode the chunks of these files: serve them with --codec zstd"
	}
	return code
}
