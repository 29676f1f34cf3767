package zarr

import "github.com/tgmconv/tgmconv/tgm"

// storedCodecs is the chain of codecs that decodes what was stored of elements of a type.
func storedCodecs(t DataType, bigEndian bool, transforms []tgm.Transform) []Codec {
	first := littleBytes(t.component())
	if bigEndian && t.component() > 1 {
		first.Configuration = map[string]any{"endian": "big"}
	}
	chain := []Codec{first}
	for _, s := range transforms {
		switch s.Name {
		case "shuffle":
			chain = append(chain, ShuffleCodec(s.Size))
		case "deflate":
			chain = append(chain, Codec{Name: zlibName, Configuration: map[string]any{"level": levelOr(s.Level, 1, 9, 1)}})
		case "zstd":
			chain = append(chain, Codec{Name: "zstd", Configuration: map[string]any{"level": levelOr(s.Level, -131072, 22, 3), "checksum": false}})
		case "blosc":
			// What a decoder needs stands in the data.
			chain = append(chain, Codec{Name: "blosc", Configuration: map[string]any{
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
