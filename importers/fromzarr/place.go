package fromzarr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// Stored implements netcdf.Elements: the codecs that any client has, after the codec bytes.
func (e *elements) Stored() (netcdf.StoredChunks, error) {
	var s netcdf.StoredChunks
	if e.folder == nil || e.width > 0 || e.scalar || e.times != nil && (e.times.scale != 1 || e.times.months != 0) {
		return s, errors.New("elements are not stored as they are shown")
	}
	chunk, codecs, fill := e.array.Stored()
	if !slices.Equal(chunk, storageOf(e.array.Metadata()).ChunkShape) {
		return s, errors.New("chunks are in shards within shards")
	}
	if len(codecs) == 0 || codecs[0].Name != "bytes" {
		return s, fmt.Errorf("the codec %s comes first", nameOf(codecs))
	}
	s.Fill = slices.Clone(fill)
	for _, c := range codecs[1:] {
		name := strings.TrimPrefix(c.Name, "numcodecs.")
		f, ok := filters[name]
		switch name {
		case "shuffle":
			size, _ := integer(c.Configuration["elementsize"])
			ok = size == int64(e.array.Element().Size) && len(s.Filters) == 0
		case "zstd", "zlib", "blosc":
		case "gzip":
			f.Name, ok = name, true
		case "crc32c":
			location := c.Configuration["location"]
			f.Name, ok = name, location == nil || location == "end"
		default:
			ok = false
		}
		if !ok {
			return s, fmt.Errorf("other programs may not have the codec %s", c.Name)
		}
		if level, ok := integer(c.Configuration["level"]); ok {
			f.Level = int(level)
		}
		s.Filters = append(s.Filters, f)
	}
	return s, nil
}

// nameOf is the name of the first codec.
func nameOf(codecs []zarr.Codec) string {
	if len(codecs) == 0 {
		return "bytes"
	}
	return codecs[0].Name
}

// Place implements netcdf.Elements.
func (e *elements) Place(ctx context.Context, index []uint64) (netcdf.Place, error) {
	key, offset, length, err := e.array.Place(ctx, index)
	if errors.Is(err, zarr.ErrNotFound) {
		return netcdf.Place{}, fs.ErrNotExist
	}
	if err != nil {
		return netcdf.Place{}, err
	}
	location, begin, nowhere := e.folder.place(ctx, key)
	if nowhere != nil {
		nowhere = fmt.Errorf("%s: %w", key, nowhere)
	}
	r := &chunkReader{ctx, e.folder, key, begin}
	return netcdf.Place{File: netcdf.RawFile{ReaderAt: r, Name: location}, Offset: begin + offset, Length: length, Nowhere: nowhere}, nil
}

// A chunkReader reads the value of a key from a file, from an offset on, and nothing else.
type chunkReader struct {
	ctx   context.Context
	store *store
	key   string
	begin int64
}

// ReadAt implements io.ReaderAt.
func (r *chunkReader) ReadAt(p []byte, off int64) (int, error) {
	blob, err := r.store.folder.Open(r.ctx, r.key)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", r.key, err)
	}
	defer blob.Close()
	return blob.ReadAt(r.ctx, p, off-r.begin)
}
