package tgm

import (
	"github.com/tgmconv/tgmconv/codec/aec"
)

// Compat says which releases of the reference implementation must be able to read what is written.
type Compat uint8

const (
	// CompatHead is what release 0.24 writes; 0.19 and later read it.
	CompatHead Compat = iota
	// Compat017 is what 0.17 and 0.18 read. Later releases do so too, except for simple_packing,
	// whose keys were renamed.
	Compat017
)

// Pipeline says how arrays are stored. The zero value stores them as they are.
type Pipeline struct {
	Encoding    string // "" or none, simple_packing
	Filter      string // "" or none, shuffle
	Compression string // "" or none, zstd, lz4, szip, and for Bitmask rle, roaring
	// Bits is the width of packed integers, 1 to 64 (0: 16), and DecimalScale the D of
	// simple_packing.
	Bits         int
	DecimalScale int
	// Level is the compression level (0: the codec's default, 3 for zstd).
	Level int
	// ShuffleSize is the element size of the shuffle filter in bytes (0: the stored width of one
	// element).
	ShuffleSize int
	Szip        SzipParams
	Masks       MaskOptions
	// AllowNaN and AllowInf store non-finite values as masks; without them such values are an
	// error. Points that Array.Missing marks need neither.
	AllowNaN, AllowInf bool
	Compat             Compat
	// NoHash leaves the hash slot of the frame empty.
	NoHash bool
}

// SzipParams configure szip. The zero value is 16 samples a block, 128 blocks an interval, with
// preprocessing.
type SzipParams struct {
	BlockSize int   // 8, 16, 32 or 64 samples
	RSI       int   // 1 to 4096 blocks
	Flags     uint8 // libaec's values; 0 with the other fields 0 means preprocessing
}

// MaskOptions choose how masks are stored: "" (roaring), none, rle, roaring, zstd or lz4.
type MaskOptions struct {
	NaN, PosInf, NegInf string
	Level               int // of zstd; 0 is its default
	// SmallThreshold is the size in bytes of the raw bits up to which they are stored raw whatever
	// the method; 0 means 128, negative means never.
	SmallThreshold int
}

// aecParams returns the parameters of a stream of samples of so many bits.
func (s SzipParams) aecParams(bits int) aec.Params {
	p := aec.Params{BitsPerSample: bits, BlockSize: s.BlockSize, RSI: s.RSI, Flags: aec.Flags(s.Flags)}
	if s == (SzipParams{}) {
		p.Flags = aec.Preprocess
	}
	if p.BlockSize == 0 {
		p.BlockSize = 16
	}
	if p.RSI == 0 {
		p.RSI = 128
	}
	return p
}

// withDefaults spells out empty names.
func (p Pipeline) withDefaults() Pipeline {
	for _, name := range []*string{&p.Encoding, &p.Filter, &p.Compression} {
		if *name == "" {
			*name = nameNone
		}
	}
	return p
}

// check reports a pipeline that no array of the type can go through.
func (p Pipeline) check(dtype DType) error {
	switch p.Encoding {
	case nameNone:
	case nameSimplePacking:
		if dtype != Float64 {
			return encodingError(nil, "simple_packing takes float64, not %s", dtype)
		}
	default:
		return encodingError(nil, "encoding %q is unknown", p.Encoding)
	}
	switch p.Filter {
	case nameNone:
	case nameShuffle:
		if dtype == Bitmask {
			return encodingError(nil, "shuffle needs whole bytes, not %s", dtype)
		}
	default:
		return encodingError(nil, "filter %q is unknown", p.Filter)
	}
	switch p.Compression {
	case nameNone, nameZstd, nameLZ4, nameSzip:
	case nameRLE, nameRoaring:
		if dtype != Bitmask {
			return encodingError(nil, "compression %s takes %s, not %s", p.Compression, Bitmask, dtype)
		}
	case nameBlosc2, nameZFP, nameSZ3:
		return unsupported("compression " + p.Compression)
	default:
		return encodingError(nil, "compression %q is unknown", p.Compression)
	}
	return nil
}

// widened returns the next width at which szip and shuffle see whole samples.
func widened(bits int) int {
	switch {
	case bits <= 8:
		return 8
	case bits <= 16:
		return 16
	case bits <= 24:
		return 24
	case bits <= 32:
		return 32
	}
	return 64
}

// needsWholeBytes reports whether packed integers must be a whole number of bytes wide: the reference
// implementation hands packed bits to szip as if each integer stood in bytes of its own, and drops
// bits of all other widths.
func (p Pipeline) needsWholeBytes() bool { return p.Compression == nameSzip || p.Filter == nameShuffle }
