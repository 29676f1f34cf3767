package ncwrite

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Model returns the description of a file that was read, to be written again. It maps each
// variable of it to the variable that was read. Chunks, filters and byte order are the same as in
// the file.
func Model(f *netcdf.File) (*Group, map[*Var]*netcdf.Var) {
	m := modeller{dims: f.DimNames(), vars: map[*Var]*netcdf.Var{}, kind: f.Kind}
	return m.group(f.Root()), m.vars
}

type modeller struct {
	kind netcdf.Kind
	dims map[*netcdf.Var][]string
	vars map[*Var]*netcdf.Var
}

// group translates a group.
func (m *modeller) group(g *netcdf.Group) *Group {
	out := &Group{Name: g.Name, Dims: g.Dims, Types: g.Types, Attrs: g.Attrs}
	for _, v := range g.Vars {
		w := &Var{Name: v.Name, Type: v.Type, Attrs: v.Attrs, Dims: m.dims[v]}
		if v.Storage.Layout == netcdf.Chunked {
			w.ChunkShape, w.Filters = v.Storage.ChunkShape, v.Storage.Filters
		}
		w.BigEndian = v.Storage.BigEndian && !classic(m.kind)
		m.vars[w] = v
		out.Vars = append(out.Vars, w)
	}
	for _, c := range g.Groups {
		out.Groups = append(out.Groups, m.group(c))
	}
	return out
}

// Copy writes a file that was read to sink, in the given format. Filters that cannot be applied are
// left out.
func Copy(ctx context.Context, sink io.Writer, kind netcdf.Kind, f *netcdf.File, opts ...Option) error {
	root, from := Model(f)
	changeStorage(root, kind)
	w, err := Create(sink, kind, root, opts...)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, v := range w.plan.vars {
		if err := w.CopyVar(ctx, v.Var, from[v.Var]); err != nil {
			return err
		}
	}
	return w.Close()
}

// changeStorage leaves out features that a format does not have: chunks, and filters that are not
// implemented.
func changeStorage(g *Group, kind netcdf.Kind) {
	for _, v := range g.Vars {
		if classic(kind) {
			v.ChunkShape, v.Filters = nil, nil
		}
		v.Filters = slices.DeleteFunc(slices.Clone(v.Filters), func(f netcdf.Filter) bool { return !Applied(f) })
	}
	for _, c := range g.Groups {
		changeStorage(c, kind)
	}
}

// copyBytes is about how much of a variable is in memory while it is copied.
const copyBytes = 4 << 20

// CopyVar writes the elements of a variable that was read, which has the same type and shape.
func (w *Writer) CopyVar(ctx context.Context, v *Var, from *netcdf.Var) error {
	var buf []byte
	shape, size := from.Shape(), uint64(max(1, from.Type.Size))
	tile := nd.Rows(shape, size, copyBytes)
	if len(v.ChunkShape) == len(shape) {
		tile = nd.RowsOf(shape, v.ChunkShape, size, copyBytes)
	}
	for start, count := range nd.Tiles(shape, tile) {
		n := nd.Volume(count)
		var err error
		switch c := from.Type.Class; {
		case c == netcdf.String:
			var texts *netcdf.Texts
			if texts, err = from.ReadTexts(ctx, start, count); err == nil {
				list := texts.Strings()
				for i := range list {
					if texts.Null(i) {
						list[i] = Null
					}
				}
				err = w.WriteStrings(ctx, v, start, count, list)
			}
		case c == netcdf.Vlen:
			var list *netcdf.Ragged
			if list, err = from.ReadRagged(ctx, start, count); err == nil {
				err = w.WriteRagged(ctx, v, start, count, list)
			}
		case from.Type.Size == 0:
			err = fmt.Errorf("variable %s: type %s is not copied", from.Path, describe(from.Type))
		default:
			if size := int(n) * from.Type.Size; cap(buf) < size {
				buf = make([]byte, size)
			} else {
				buf = buf[:size]
			}
			if c == netcdf.Compound {
				clear(buf) // bytes between fields are not read
			}
			if err = from.Read(ctx, buf, start, count); err == nil {
				err = w.Write(ctx, v, start, count, buf)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
