package blosc

import "strconv"

// Codec compresses the streams of a block. Its values are the numbers in a frame.
type Codec uint8

// The codecs of Blosc.
const (
	BloscLZ Codec = 0
	LZ4     Codec = 1
	LZ4HC   Codec = 2
	Zlib    Codec = 4
	Zstd    Codec = 5
)

var codecNames = map[Codec]string{BloscLZ: "blosclz", LZ4: "lz4", LZ4HC: "lz4hc", Zlib: "zlib", Zstd: "zstd"}

// String returns the name of the codec in the blosc2_codec key.
func (c Codec) String() string {
	if name, ok := codecNames[c]; ok {
		return name
	}
	return "codec " + strconv.Itoa(int(c))
}

// ParseCodec returns the codec that the blosc2_codec key names: blosclz, lz4, lz4hc, zlib or zstd.
func ParseCodec(name string) (Codec, error) {
	for c, n := range codecNames {
		if n == name {
			return c, nil
		}
	}
	return 0, &ParamError{"blosc2_codec", strconv.Quote(name), "blosclz, lz4, lz4hc, zlib or zstd"}
}

// Filter rearranges the bytes of a block before they are compressed.
type Filter uint8

// The filters of Blosc 2. An encoder takes the first three.
const (
	NoFilter   Filter = 0
	Shuffle    Filter = 1 // by bytes
	BitShuffle Filter = 2 // by bits
	Delta      Filter = 3 // exclusive or with the word before, or with the same word of the first block
	TruncPrec  Filter = 4 // clears low bits of the mantissa
)

// Params of an encoder. See [DefaultParams] for the usual parameters.
type Params struct {
	// Codec is the blosc2_codec of Tensogram.
	Codec Codec
	// Level is the blosc2_clevel of Tensogram: 0 (store) to 9 (smallest).
	Level int
	// TypeSize is the size of an element in bytes: 1 to 255, or 0 for 1.
	TypeSize int
	// Filter is NoFilter, Shuffle or BitShuffle.
	Filter Filter
	// ChunkSize is the number of bytes of a chunk of a frame before compression, 0 for 256 MiB. It
	// is rounded down to a multiple of TypeSize.
	ChunkSize int
	// BlockSize is the number of bytes of a block, which are shuffled and compressed at a time.
	// With 0, C-Blosc2's choice is taken. It is held between 128 bytes and 512 MiB, and rounded
	// down to a multiple of TypeSize.
	BlockSize int
}

// DefaultParams returns the parameters that Tensogram uses when a descriptor names none: lz4, level
// 5, byte shuffle.
func DefaultParams(typeSize int) Params {
	return Params{Codec: LZ4, Level: 5, TypeSize: typeSize, Filter: Shuffle}
}

const (
	maxTypeSize      = 255
	defaultChunkSize = 256 << 20
	// A chunk counts its bytes in 31 bits.
	maxChunkSize = 1<<31 - 1 - headerSize2
	// Decoders of Blosc 1 take blocks of 128 bytes to a third of 2 GiB. Decoders of Blosc 2 take at most
	// 512 MiB.
	minBlockSize = 128
	maxBlockSize = 512 << 20
)

// checked returns p with defaults filled in.
func (p Params) checked() (Params, error) {
	if _, ok := codecNames[p.Codec]; !ok {
		return p, &ParamError{"blosc2_codec", p.Codec, "blosclz, lz4, lz4hc, zlib or zstd"}
	}
	if p.Level < 0 || p.Level > 9 {
		return p, &ParamError{"blosc2_clevel", p.Level, "0 to 9"}
	}
	if p.TypeSize < 0 || p.TypeSize > maxTypeSize {
		return p, &ParamError{"type size", p.TypeSize, "1 to 255"}
	}
	if p.Filter > BitShuffle {
		return p, &ParamError{"filter", p.Filter, "none, shuffle or bit shuffle"}
	}
	p.TypeSize = max(p.TypeSize, 1)
	if p.BlockSize < 0 {
		return p, &ParamError{"block size", p.BlockSize, "0 or more"}
	}
	if p.ChunkSize == 0 {
		p.ChunkSize = defaultChunkSize
	}
	if p.ChunkSize < p.TypeSize || p.ChunkSize > maxChunkSize {
		return p, &ParamError{"chunk size", p.ChunkSize, "at least one element and less than 2 GiB"}
	}
	p.ChunkSize -= p.ChunkSize % p.TypeSize
	return p, nil
}

// slots returns the filter pipeline as Tensogram writes it. Byte shuffle is in the last of the
// six slots, bit shuffle in the first.
func (p Params) slots() (filters [6]Filter) {
	switch p.Filter {
	case Shuffle:
		filters[5] = Shuffle
	case BitShuffle:
		filters[0] = BitShuffle
	}
	return filters
}
