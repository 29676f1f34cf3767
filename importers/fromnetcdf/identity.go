package fromnetcdf

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
)

// mostIdentified bounds the bytes of coordinates that are read to identify a large file.
const mostIdentified = 32 << 20

// sourceOf returns the function that names the source that an input is. Large files, of which only
// pieces are read, have the same name only if they have the same coordinates as well.
func (s *Source) sourceOf(input string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		return s.files.SourceID(ctx, input, func(f *file, w io.Writer) error { return f.writeCoordinates(ctx, w) })
	}
}

// writeCoordinates writes the values of all coordinates of the file, and of what else variables
// need.
func (f *file) writeCoordinates(ctx context.Context, w io.Writer) error {
	if err := f.parse(); err != nil {
		return err
	}
	c := newChoice(f)
	known := make(map[*netcdf.Var]bool)
	var all []*netcdf.Var
	c.each(f.nc.Root(), func(_ *netcdf.Group, v *netcdf.Var) {
		for _, other := range c.belongings(v) {
			if !known[other] {
				known[other] = true
				all = append(all, other)
			}
		}
	})
	slices.SortFunc(all, func(a, b *netcdf.Var) int { return strings.Compare(a.Path, b.Path) })
	left := uint64(mostIdentified)
	for _, v := range all {
		if v.Size() > left || v.CheckRead(nil, nil) != nil {
			continue
		}
		left -= v.Size()
		data := make([]byte, v.Size())
		if v.Read(ctx, data, nil, nil) != nil {
			continue // an error when it is converted
		}
		if _, err := io.WriteString(w, v.Path); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return ctx.Err()
}
