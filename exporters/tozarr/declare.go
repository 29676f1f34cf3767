package tozarr

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/zarr"
)

// Declare adds the settings of how a store is written.
func (o *Options) Declare(s *option.Set) {
	const source = "source"
	o.Codec.Name = "blosc"
	dtype := source
	option.Parsed(s, "chunks", &o.Chunks, "", ParseLengths, "lengths of chunks by dimension, such as step=all,latitude=90")
	option.Parsed(s, "shards", &o.Shards, "", ParseLengths, "lengths of shards by dimension; multiples of the chunks")
	s.Add(option.Option{Name: "codec", Value: &o.Codec.Name, Words: CodecNames(),
		Help: "blosc (zstd and bit shuffle), zstd, gzip, none, or source: chunks as in the files if other programs can decode them, else blosc"}, nil)
	s.Add(option.Option{Name: "compression-level", Value: &o.Codec.Level, Help: "level of the codec; 0 means 1 for blosc, 3 for zstd, 5 for gzip"}, nil)
	s.Add(option.Option{Name: "shuffle", Value: &o.Codec.Shuffle, Words: []string{"byte", "bit", "none"},
		Help: "shuffle before compression: byte, bit (blosc) or none; default: bit for blosc, none for other codecs"}, nil)
	s.Word("dtype", &dtype, []string{source, string(zarr.Float32), string(zarr.Float64)}, "type of floating-point variables: source, float32 or float64")
	s.Each("variable", &o.Variables, "variable to write, with its coordinates; GROUP/NAME in a group (repeatable)")
	s.Text("append", &o.Append, "dimension along which an existing store grows, such as time")
	option.Parsed(s, "max-memory", &o.MaxMemory, "1GiB", option.ParseBytes, "bound on the memory for elements, such as 500MB or 4GiB")
	s.Check(func() error {
		if err := o.Codec.Check(); err != nil {
			return fmt.Errorf("--codec: %w", err)
		}
		if dtype != source {
			o.DType = zarr.DataType(dtype)
		}
		return nil
	})
}
