package tgm

// Compat says which releases of the reference implementation must be able to read what is written.
type Compat uint8

const (
	CompatHead Compat = iota // 0.24: the current form; 0.19 and later read it
	Compat017                // 0.17 and 0.18 read it; so do later ones, except simple_packing, whose keys were renamed
)

// Pipeline says how arrays are stored. The zero value stores them as they are.
type Pipeline struct {
	Encoding    string // "" or none, simple_packing
	Filter      string // "" or none, shuffle
	Compression string // "" or none, zstd, lz4, szip, and for Bitmask rle, roaring
	// Bits is the width of packed integers, 1 to 64 (0: 16), and DecimalScale the D of simple_packing.
	Bits         int
	DecimalScale int
	// Level is the compression level (0: the codec's default, 3 for zstd).
	Level int
	// ShuffleSize is the element size of the shuffle filter in bytes (0: the stored width of one element).
	ShuffleSize int
	Szip        SzipParams
	Masks       MaskOptions
	// AllowNaN and AllowInf store non-finite values as masks; without them such values are an error. Points
	// that Array.Missing marks need neither.
	AllowNaN, AllowInf bool
	Compat             Compat
	// NoHash leaves the hash slot of the frame empty.
	NoHash bool
}

// SzipParams configure szip. The zero value is 16 samples a block, 128 blocks an interval, with preprocessing.
type SzipParams struct {
	BlockSize int   // 8, 16, 32 or 64 samples
	RSI       int   // 1 to 4096 blocks
	Flags     uint8 // libaec's values
	NoFlags   bool  // take Flags as they are even if 0
}

// MaskOptions choose how masks are stored: "" (roaring), none, rle, roaring, zstd or lz4.
type MaskOptions struct {
	NaN, PosInf, NegInf string
	Level               int // of zstd; 0 is its default
	// SmallThreshold is the size in bytes of the raw bits up to which they are stored raw whatever the method;
	// 0 means 128, negative means never.
	SmallThreshold int
}
