package fromnetcdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reading"
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

// writeCoordinates writes the values of all coordinates of the file, and of other variables that variables
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
		if err := v.Read(ctx, data, nil, nil); reading.Failed(err) {
			return err
		} else if err != nil {
			continue // damaged: an error when it is converted
		}
		if _, err := io.WriteString(w, v.Path); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if f.nc.Kind == netcdf.Zarr {
		return f.writePieces(ctx, w)
	}
	return ctx.Err()
}

// pieceElements is the number of elements that are read at a place of a variable. They identify a file
// that has no bytes of its own.
const pieceElements = 16

// writePieces writes the names and the shapes of all variables, and some elements of each: the first,
// the last, and some between.
func (f *file) writePieces(ctx context.Context, w io.Writer) error {
	var failed error
	newChoice(f).each(f.nc.Root(), func(_ *netcdf.Group, v *netcdf.Var) {
		shape := v.Shape()
		_, err := fmt.Fprintf(w, "%q %d\n", v.Path, shape)
		failed = errors.Join(failed, err)
		if v.Type.Size == 0 || v.Err != nil || v.Len() == 0 {
			return
		}
		if written, err := writeStoredPieces(ctx, w, v); written || err != nil {
			failed = errors.Join(failed, err)
			return
		}
		for place := range uint64(3) {
			start, count := make([]uint64, len(shape)), make([]uint64, len(shape))
			size := v.Type.Size
			for i, n := range shape {
				count[i] = 1
				if i == len(shape)-1 {
					count[i] = min(n, pieceElements)
				}
				start[i] = (n - count[i]) / 2 * place
				size *= int(count[i])
			}
			data := make([]byte, size)
			err := v.Read(ctx, data, start, count)
			if err == nil {
				_, err = w.Write(data)
			} else if !reading.Failed(err) {
				continue // damaged: an error when it is converted
			}
			failed = errors.Join(failed, err)
		}
	})
	return errors.Join(failed, ctx.Err())
}

// largeChunk is the size of elements from which on a chunk is not decoded to identify a file.
const largeChunk = 16 << 20

// writeStoredPieces is writePieces of a variable in large chunks: stored bytes of its first chunk, its last, and one
// between, and how many there are. It reports false, and has written nothing, if the chunks are small, or lie nowhere.
func writeStoredPieces(ctx context.Context, w io.Writer, v *netcdf.Var) (bool, error) {
	shape, e := v.Shape(), v.Elements()
	if e == nil || v.Storage.Layout != netcdf.Chunked || len(v.Storage.ChunkShape) != len(shape) {
		return false, nil
	}
	if size, ok := nd.Bytes(v.Storage.ChunkShape, v.Type.Size); !ok || size < largeChunk {
		return false, nil
	}
	if _, err := e.Stored(); err != nil {
		return false, nil
	}
	grid := nd.Grid(shape, v.Storage.ChunkShape)
	for place := range uint64(3) {
		index := make([]uint64, len(grid))
		for i, n := range grid {
			index[i] = (n - 1) * place / 2
		}
		at, err := e.Place(ctx, index)
		var piece []byte
		if err == nil {
			piece = make([]byte, min(identifiedBytes, at.Length))
			_, err = at.File.ReadAt(piece, at.Offset+(at.Length-int64(len(piece)))/2)
		}
		if reading.Failed(err) || ctx.Err() != nil {
			return true, errors.Join(err, ctx.Err())
		}
		if err != nil { // not stored, or damaged: an error when it is converted
			piece, at.Length = nil, -1
		}
		if _, err := fmt.Fprintf(w, "%d %x\n", at.Length, piece); err != nil {
			return true, err
		}
	}
	return true, nil
}

// identifiedBytes is how many stored bytes of a chunk identify a file.
const identifiedBytes = 128
