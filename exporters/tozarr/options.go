package tozarr

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/half"
	"github.com/tgmconv/tgmconv/zarr"
)

// Lengths are lengths along dimensions, by name; [All] is the whole dimension.
type Lengths map[string]uint64

// All as a length means the length of the whole dimension.
const All = math.MaxUint64

// ParseLengths reads "step=all,latitude=90".
func ParseLengths(text string) (Lengths, error) {
	lengths := make(Lengths)
	for field := range strings.SplitSeq(text, ",") {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		dim, value, ok := strings.Cut(field, "=")
		n, err := strconv.ParseUint(value, 10, 63)
		if value == "all" {
			n, err = All, nil
		}
		if !ok || dim == "" || err != nil || n == 0 {
			return nil, fmt.Errorf("found %q, expected DIMENSION=LENGTH with a length of at least 1 or all", field)
		}
		lengths[dim] = n
	}
	return lengths, nil
}

// shape is the shape of chunks of an array; absent has the lengths of dimensions that are not named.
func (l Lengths) shape(a *zarr.ArrayMetadata, absent []uint64) []uint64 {
	shape := slices.Clone(absent)
	for i, dim := range a.DimensionNames {
		if n, ok := l[dim]; ok {
			shape[i] = min(n, max(1, a.Shape[i]))
		}
	}
	return shape
}

// shard is the shape of shards of chunks, nil without shards.
func (l Lengths) shard(a *zarr.ArrayMetadata, chunk []uint64) ([]uint64, error) {
	if len(l) == 0 || len(a.Shape) == 0 {
		return nil, nil
	}
	shape := slices.Clone(chunk)
	for i, dim := range a.DimensionNames {
		n, ok := l[dim]
		if !ok {
			continue
		}
		if end := roundUp(max(1, a.Shape[i]), chunk[i]); n > end {
			n = end
		}
		if n%chunk[i] != 0 {
			return nil, fmt.Errorf("shards of %d along %s are not a multiple of the chunks of %d", n, dim, chunk[i])
		}
		shape[i] = n
	}
	return shape, nil
}

// A Codec is how chunks are compressed. The zero value is Blosc with zstd, level 1, and its bit
// shuffle.
type Codec struct {
	Name    string // one of CodecNames; empty is blosc
	Level   int    // 0 is 1 for blosc, 3 for zstd, 5 for gzip
	Shuffle string // byte, bit (blosc only), none; empty is bit for blosc, else none
}

// CodecSource keeps the stored bytes of chunks that are compressed and keep their shape and type.
// Others are compressed with Blosc.
const CodecSource = "source"

// CodecNames returns the valid values of [Codec.Name].
func CodecNames() []string { return []string{"blosc", "zstd", "gzip", "none", CodecSource} }

// chain is the chain of codecs for chunks of a type.
func (c Codec) chain(t zarr.DataType) ([]zarr.Codec, error) {
	chain := zarr.PlainCodecs(t)
	element := t.Size()
	name := c.Name
	if name == "" || name == CodecSource {
		name = "blosc"
	}
	switch c.Shuffle {
	case "", "none":
	case "byte":
		if name != "blosc" && name != "none" && element > 1 {
			chain = append(chain, zarr.ShuffleCodec(element))
		}
	case "bit":
		if name != "blosc" {
			return nil, fmt.Errorf("codec %s has no bit shuffle", name)
		}
	default:
		return nil, fmt.Errorf("shuffle is %q, expected byte, bit or none", c.Shuffle)
	}
	levels := map[string][3]int{"blosc": {1, 1, 9}, "zstd": {1, 3, 22}, "gzip": {1, 5, 9}, "none": {0, 0, 0}}
	level, ok := levels[name]
	if !ok {
		return nil, fmt.Errorf("codec is %q, expected one of %s", name, strings.Join(CodecNames(), ", "))
	}
	n := int64(c.Level)
	if n == 0 {
		n = int64(level[1])
	}
	if n < int64(level[0]) || n > int64(level[2]) {
		return nil, fmt.Errorf("level %d of codec %s, expected %d to %d", c.Level, name, level[0], level[2])
	}
	switch name {
	case "zstd":
		chain = append(chain, zarr.Codec{Name: name, Configuration: map[string]any{"level": n, "checksum": false}})
	case "gzip":
		chain = append(chain, zarr.Codec{Name: name, Configuration: map[string]any{"level": n}})
	case "blosc":
		mode := map[string]string{"": "bitshuffle", "bit": "bitshuffle", "byte": "shuffle", "none": "noshuffle"}[c.Shuffle]
		chain = append(chain, zarr.Codec{Name: name, Configuration: map[string]any{
			"cname": "zstd", "clevel": n, "shuffle": mode, "typesize": int64(element), "blocksize": int64(0),
		}})
	}
	return chain, nil
}

// A converter makes elements of the store's type. It may change its argument.
type converter func(data []byte) ([]byte, error)

func same(data []byte) ([]byte, error) { return data, nil }

// conversion converts between types of floats.
func conversion(from, to zarr.DataType) (converter, error) {
	switch {
	case from == to:
		return same, nil
	case from == zarr.Float64 && to == zarr.Float32:
		return func(data []byte) ([]byte, error) {
			out := make([]byte, len(data)/2)
			for i := 0; i < len(out); i += 4 {
				v := math.Float64frombits(binary.LittleEndian.Uint64(data[2*i:]))
				binary.LittleEndian.PutUint32(out[i:], math.Float32bits(float32(v)))
			}
			return out, nil
		}, nil
	case from == zarr.Float32 && to == zarr.Float64:
		return func(data []byte) ([]byte, error) {
			out := make([]byte, 2*len(data))
			for i := 0; i < len(data); i += 4 {
				v := math.Float32frombits(binary.LittleEndian.Uint32(data[i:]))
				binary.LittleEndian.PutUint64(out[2*i:], math.Float64bits(float64(v)))
			}
			return out, nil
		}, nil
	case from == zarr.Float16 && to == zarr.Float32:
		return func(data []byte) ([]byte, error) {
			out := make([]byte, 2*len(data))
			for i := 0; i < len(data); i += 2 {
				v := half.Float64(binary.LittleEndian.Uint16(data[i:]))
				binary.LittleEndian.PutUint32(out[2*i:], math.Float32bits(float32(v)))
			}
			return out, nil
		}, nil
	case from == zarr.Float16 && to == zarr.Float64:
		return func(data []byte) ([]byte, error) {
			out := make([]byte, 4*len(data))
			for i := 0; i < len(data); i += 2 {
				v := half.Float64(binary.LittleEndian.Uint16(data[i:]))
				binary.LittleEndian.PutUint64(out[4*i:], math.Float64bits(v))
			}
			return out, nil
		}, nil
	}
	return nil, fmt.Errorf("data type %s, expected float32 or float64", to)
}

// Check returns an error if the codec is not valid.
func (c Codec) Check() error {
	_, err := c.chain(zarr.Float64)
	return err
}
