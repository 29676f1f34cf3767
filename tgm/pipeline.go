package tgm

// Pipeline says how arrays are stored. The zero value stores them as they are.
type Pipeline struct {
	// Encoding, Filter and Compression are names that Stages lists; "" is none.
	Encoding, Filter, Compression string
	// Params are parameters of the stages under the names they have in descriptors, such as
	// zstd_level; see Stage.Params. They take precedence over the fields below.
	Params map[string]any
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
	// NoHash leaves the hash slot of the frame empty.
	NoHash bool
}

// MaskOptions choose how masks are stored.
type MaskOptions struct {
	// NaN, PosInf and NegInf are names that Stages(MaskStage) lists; "" is roaring.
	NaN, PosInf, NegInf string
	Level               int // of the method's compression; 0 is its default
	// SmallThreshold is the size in bytes of raw masks up to which they are stored raw, whatever
	// the method. 0 means 128, negative means never.
	SmallThreshold int
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
