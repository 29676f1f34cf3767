package serve

import (
	"github.com/tgmconv/tgmconv/tgm"

	"github.com/tgmconv/tgmconv/zarr"
)

// storedCodecs is the chain of codecs that decodes stored elements of a type.
func storedCodecs(t zarr.DataType, bigEndian bool, transforms []tgm.Transform) []zarr.Codec {
	chain := zarr.PlainCodecs(t)
	if bigEndian && chain[0].Configuration != nil {
		chain[0].Configuration = map[string]any{"endian": "big"}
	}
	for _, s := range transforms {
		switch s.Name {
		case "shuffle":
			chain = append(chain, zarr.ShuffleCodec(s.Size))
		case "deflate":
			chain = append(chain, zarr.Codec{Name: zarr.ZlibName, Configuration: map[string]any{"level": levelOr(s.Level, 1, 9, 1)}})
		case "gzip":
			chain = append(chain, zarr.Codec{Name: "gzip", Configuration: map[string]any{"level": levelOr(s.Level, 1, 9, 5)}})
		case "crc32c":
			chain = append(chain, zarr.Codec{Name: "crc32c"})
		case "zstd":
			chain = append(chain, zarr.Codec{Name: "zstd", Configuration: map[string]any{"level": levelOr(s.Level, -131072, 22, 3), "checksum": false}})
		case "blosc":
			// The parameters of the decoder stand in the data.
			chain = append(chain, zarr.Codec{Name: "blosc", Configuration: map[string]any{
				"cname": "lz4", "clevel": int64(5), "shuffle": "shuffle", "typesize": int64(max(1, s.Size)), "blocksize": int64(0),
			}})
		}
	}
	return chain
}

// levelOr is a compression level that documents may have.
func levelOr(level, low, high, otherwise int) int64 {
	if level < low || level > high || level == 0 {
		return int64(otherwise)
	}
	return int64(level)
}
