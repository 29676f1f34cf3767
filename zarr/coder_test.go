package zarr

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/nd"
)

// coded is the document of an array of 8 x 12 elements.
func coded(t testing.TB, dtype DataType, codecs ...Codec) *ArrayMetadata {
	t.Helper()
	return &ArrayMetadata{
		Shape: []uint64{8, 12}, DataType: dtype, ChunkShape: []uint64{8, 12}, ChunkKeys: DefaultKeys,
		FillValue: dtype.DefaultFill(), Codecs: codecs, DimensionNames: []string{"y", "x"},
	}
}

// chains are chains of codecs, by name.
func chains(t DataType) map[string][]Codec {
	plain := PlainCodecs(t)
	with := func(more ...Codec) []Codec { return append(plain[:1:1], more...) }
	blosc := func(cname, shuffle string) Codec {
		return Codec{Name: "blosc", Configuration: map[string]any{
			"cname": cname, "clevel": int64(5), "shuffle": shuffle, "typesize": int64(t.Size()), "blocksize": int64(0),
		}}
	}
	zstd := Codec{Name: "zstd", Configuration: map[string]any{"level": int64(3), "checksum": false}}
	all := map[string][]Codec{
		"plain":   plain,
		"big":     {{Name: "bytes", Configuration: map[string]any{"endian": "big"}}},
		"zstd":    with(zstd),
		"gzip":    with(Codec{Name: "gzip", Configuration: map[string]any{"level": int64(5)}}),
		"crc32c":  with(zstd, Codec{Name: "crc32c"}),
		"shuffle": with(ShuffleCodec(t.Size()), zstd),
		"zlib":    with(ShuffleCodec(t.Size()), Codec{Name: "numcodecs.zlib", Configuration: map[string]any{"level": int64(1)}}),
		"odd":     with(ShuffleCodec(5), zstd),
	}
	for _, cname := range []string{"zstd", "lz4", "lz4hc", "zlib", "blosclz"} {
		for _, shuffle := range []string{"bitshuffle", "shuffle", "noshuffle"} {
			all["blosc "+cname+" "+shuffle] = with(blosc(cname, shuffle))
		}
	}
	blocks := blosc("zstd", "bitshuffle")
	blocks.Configuration["blocksize"] = int64(128)
	all["blosc blocks"] = with(blocks)
	for name, chain := range maps.Clone(all) {
		all["shards of "+name] = []Codec{Sharding([]uint64{4, 3}, chain)}
	}
	return all
}

func TestCodersReadWhatTheyWrite(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, dtype := range []DataType{Uint8, Int16, Float32, Float64, Complex128} {
		data := make([]byte, 8*12*dtype.Size())
		for i := range data {
			data[i] = byte(random.Uint32() >> 3 & 7)
		}
		fill, err := dtype.FillBytes(dtype.DefaultFill())
		if dtype == Complex128 {
			fill, err = dtype.FillBytes([]any{"NaN", "NaN"})
		}
		if err != nil {
			t.Fatal(err)
		}
		nd.Fill(nd.At(data, []uint64{8, 12}, []uint64{4, 3}), []uint64{4, 3}, fill) // an inner chunk that is absent
		for name, codecs := range chains(dtype) {
			meta := coded(t, dtype, codecs...)
			coder, err := NewCoder(meta)
			if err != nil {
				t.Fatalf("%s, %s: %v", dtype, name, err)
			}
			stored, err := coder.Encode(data)
			if err != nil {
				t.Fatalf("%s, %s: %v", dtype, name, err)
			}
			if again, err := coder.Decode(stored); err != nil || !bytes.Equal(again, data) {
				t.Errorf("%s, %s: other elements than were written: %v", dtype, name, err)
			}
			// A document that is read again makes the same coder.
			text, err := json.Marshal(meta)
			if err != nil {
				t.Fatal(err)
			}
			a, err := OpenArray(t.Context(), mapStore{"zarr.json": text, "c/0/0": stored}, "")
			if err != nil {
				t.Fatalf("%s, %s: %v", dtype, name, err)
			}
			got := make([]byte, len(data))
			if err := a.Read(t.Context(), got); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s, %s: the array has other elements: %v", dtype, name, err)
			}
			for _, cut := range []int{0, 1, len(stored) / 2, len(stored) - 1} {
				if got, err := coder.Decode(stored[:cut]); err == nil && bytes.Equal(got, data) {
					t.Errorf("%s, %s: %d of %d bytes decode to all elements", dtype, name, cut, len(stored))
				}
			}
		}
	}
}

func TestAbsentInnerChunksTakeNoRoom(t *testing.T) {
	meta := coded(t, Float64, Sharding([]uint64{4, 3}, PlainCodecs(Float64)))
	coder, err := NewCoder(meta)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, coder.Size())
	fill, err := Float64.FillBytes("NaN")
	if err != nil {
		t.Fatal(err)
	}
	nd.Fill(nd.At(data, meta.Shape, []uint64{0, 0}), meta.Shape, fill)
	stored, err := coder.Encode(data)
	if want := 8*16 + 4; err != nil || len(stored) != want {
		t.Errorf("%d bytes, %v, expected the index of %d", len(stored), err, want)
	}
}

func TestBadShardingIsRefused(t *testing.T) {
	good := Sharding([]uint64{4, 3}, PlainCodecs(Float64)).Configuration
	for key, values := range map[string][]any{
		"chunk_shape":    {nil, []uint64{4}, []uint64{4, 5}, []uint64{0, 3}, []any{json.Number("4"), json.Number("-3")}, "4"},
		"codecs":         {nil, []any{}, []any{map[string]any{"name": "none"}}, codecDocuments([]Codec{Sharding([]uint64{4, 3}, nil)})},
		"index_codecs":   {nil, []any{}, codecDocuments([]Codec{littleBytes(8), {Name: "zstd"}})},
		"index_location": {"middle", 4},
	} {
		for _, v := range values {
			configuration := map[string]any{}
			for k, old := range good {
				configuration[k] = old
			}
			configuration[key] = v
			if _, err := NewCoder(coded(t, Float64, Codec{Name: shardingName, Configuration: configuration})); err == nil {
				t.Errorf("%s %v was accepted", key, v)
			}
		}
	}
}

// FuzzDecodeChunk decodes any bytes.
func FuzzDecodeChunk(f *testing.F) {
	var names []string
	all := chains(Int16)
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	data := make([]byte, 8*12*2)
	for i := range data {
		data[i] = byte(i)
	}
	for i, name := range names {
		coder, err := NewCoder(coded(f, Int16, all[name]...))
		if err != nil {
			f.Fatal(err)
		}
		stored, err := coder.Encode(data)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), stored)
	}
	f.Fuzz(func(t *testing.T, which uint8, stored []byte) {
		name := names[int(which)%len(names)]
		coder, err := NewCoder(coded(t, Int16, all[name]...))
		if err != nil {
			t.Fatal(err)
		}
		got, err := coder.Decode(stored)
		if err == nil && len(got) != len(data) {
			t.Fatalf("%s: %d bytes, expected %d", name, len(got), len(data))
		}
	})
}
