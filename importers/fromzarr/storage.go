package fromzarr

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// filters are the filters of HDF5 that work like codecs, by the names of the codecs. Their numbers
// are from the registry of The HDF Group.
var filters = map[string]netcdf.Filter{
	"zlib":       {ID: netcdf.FilterDeflate, Name: "deflate"},
	"gzip":       {ID: netcdf.FilterDeflate, Name: "deflate"},
	"zstd":       {ID: netcdf.FilterZstd, Name: "zstd"},
	"shuffle":    {ID: netcdf.FilterShuffle, Name: "shuffle"},
	"fletcher32": {ID: netcdf.FilterFletcher32, Name: "fletcher32"},
	"bz2":        {ID: 307, Name: "bzip2"},
	"blosc":      {ID: 32001, Name: "blosc"},
	"lz4":        {ID: 32004, Name: "lz4"},
	"zfpy":       {ID: 32013, Name: "zfp"},
}

// defaultLevel is the level of a compression without a level.
const defaultLevel = 3

// storageOf describes the storage of elements in the words of HDF5: in chunks, or inner chunks if there are
// shards, and with filters for the codecs.
func storageOf(meta *zarr.ArrayMetadata) netcdf.Storage {
	s := netcdf.Storage{Layout: netcdf.Chunked, ChunkShape: meta.ChunkShape}
	if len(meta.Shape) == 0 || slices.Contains(meta.Shape, 0) { // where HDF5 has no chunks
		return netcdf.Storage{Layout: netcdf.Contiguous}
	}
	codecs := meta.Codecs
	for len(codecs) > 0 && codecs[0].Name == "sharding_indexed" {
		chunk, inner := innerChunks(codecs[0])
		if len(chunk) != len(meta.Shape) {
			break
		}
		s.ChunkShape, codecs = chunk, inner
	}
	for _, c := range codecs {
		if c.Name == "bytes" {
			s.BigEndian = c.Configuration["endian"] == "big"
			continue
		}
		f, ok := filters[strings.TrimPrefix(c.Name, "numcodecs.")]
		if !ok {
			continue
		}
		if f.Level = defaultLevel; f.ID != netcdf.FilterDeflate && f.ID != netcdf.FilterZstd {
			f.Level = -1
		} else if n, ok := integer(c.Configuration["level"]); ok {
			f.Level = int(n)
		}
		if f.Level >= 0 {
			f.Params = []uint32{uint32(f.Level)}
		} else if f.ID == netcdf.FilterShuffle {
			f.Params = []uint32{uint32(max(1, meta.DataType.Size()))}
		}
		s.Filters = append(s.Filters, f)
	}
	return s
}

// innerChunks are the shape and the codecs of the chunks in a shard.
func innerChunks(c zarr.Codec) (chunk []uint64, codecs []zarr.Codec) {
	list, _ := c.Configuration["chunk_shape"].([]any)
	for _, v := range list {
		n, ok := integer(v)
		if !ok || n < 1 {
			return nil, nil
		}
		chunk = append(chunk, uint64(n))
	}
	inner, _ := c.Configuration["codecs"].([]any)
	for _, v := range inner {
		m, _ := v.(map[string]any)
		name, _ := m["name"].(string)
		configuration, _ := m["configuration"].(map[string]any)
		codecs = append(codecs, zarr.Codec{Name: name, Configuration: configuration})
	}
	return chunk, codecs
}

// integer is a number of a document.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}
