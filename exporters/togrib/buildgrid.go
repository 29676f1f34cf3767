package togrib

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/grib/geometry"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// gridSection makes section 3.
func (b *builder) gridSection() error {
	g := b.entry.Geometry()
	if g == nil {
		var err error
		if g, err = b.geometry(); err != nil {
			return err
		}
	}
	grid, err := geometry.FromGeometry(g)
	if err == nil && grid.NumberOfDataPoints != b.points {
		err = fmt.Errorf("a grid of %d points for %d values", grid.NumberOfDataPoints, b.points)
	}
	uv := b.integer(0, "uvRelativeToGrid") != 0
	switch b.grid = grid; {
	case err != nil:
	case b.edition == 1:
		b.draft.Edition = 1
		b.draft.Grid, err = grid.Section1(uv)
	default:
		b.draft.Grid, err = grid.Section(uv)
	}
	if err != nil {
		return &BuildError{mapping.KeyGeometry, err}
	}
	return nil
}

// geometry makes the description of a grid from the keys of the reference's importer: the keys for writing
// the field again, or ecCodes' namespace that convert-grib --all-keys keeps.
func (b *builder) geometry() (map[string]any, error) {
	g, err := mars.Geometry(b.entry, b.shape)
	if bad := (*mars.KeyError)(nil); errors.As(err, &bad) {
		return nil, &BuildError{bad.Key, bad.Err}
	}
	return g, err
}

// ecCodes returns a namespace of ecCodes that the entry has, or nil.
func (b *builder) ecCodes(namespace string) map[string]any {
	keys, _ := b.entry.Namespace(mapping.KeyGRIB)[namespace].(map[string]any)
	return keys
}
