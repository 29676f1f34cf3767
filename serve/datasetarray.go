package serve

import (
	"context"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// Array returns the array of the elements shown at a path, with the fill value in holes. Its blocks are
// the cheapest to read.
func (v *DatasetView) Array(ctx context.Context, path string) (array.Array, error) {
	n := v.nodes[path]
	if n == nil || n.variable == nil {
		return nil, zarr.KeyNotFound(path)
	}
	a, err := n.variable.Values(n.variable.Array(ctx, v.fields, fillBytes(n.variable)))
	if err == nil && v.shownType(n.variable) == tgm.Float32 {
		a = array.Single(a)
	}
	return a, err
}
