package zarr

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A phase is a set of places in a chain.
type phase uint8

const (
	arrays phase = 1 << iota // among array-to-array codecs, or as the array-to-bytes codec
	serial                   // among bytes-to-bytes codecs
)

// A codecType is a codec that chunks can have.
type codecType struct {
	// names are the names in documents of format 3. X of format 2 and of the library numcodecs is numcodecs.X
	// here.
	names []string
	takes phase
	// open makes the stage of a codec, and describes its output for an input.
	open func(c Codec, in spec) (stage, spec, error)
}

// numcodecs is the prefix of the names of codecs of format 2.
const numcodecs = "numcodecs."

// The names of codecs that are not in the core specification: numcodecs' codecs, as zarr-python and zarrita
// register them.
const (
	ShuffleName = "numcodecs.shuffle" // the codec of [ShuffleCodec]
	ZlibName    = "numcodecs.zlib"
)

// codecTypes returns all codecs. Filters of format 2 work on bytes wherever they stand.
func codecTypes() []codecType {
	return []codecType{
		{[]string{"transpose"}, arrays, newTranspose},
		{[]string{"bytes", "endian"}, arrays, newByteOrder},
		{[]string{shardingName}, arrays, newShardingStage},
		{[]string{optionalName}, arrays, newOptional},
		{[]string{"packbits"}, arrays, newPackBits},
		{[]string{"bitround", "numcodecs.bitround"}, arrays | serial, newSame},
		{[]string{"cast_value"}, arrays, newCastValue},
		{[]string{"scale_offset"}, arrays, newScaleOffset},

		{[]string{"vlen-utf8", "numcodecs.vlen-utf8"}, arrays, newVlen},
		{[]string{"vlen-bytes", "numcodecs.vlen-bytes"}, arrays, newVlen},
		{[]string{"vlen-array", "numcodecs.vlen-array"}, arrays, newVlen},
		{[]string{"numcodecs.json2"}, arrays, newJSON2},
		{[]string{"numcodecs.categorize"}, arrays, newCategorize},
		{[]string{"numcodecs.pickle"}, arrays | serial, refused("which can run any program,")},
		{[]string{"numcodecs.pcodec"}, arrays | serial, refused("for which there is no library,")},

		{[]string{"numcodecs.delta"}, arrays | serial, newDelta},
		{[]string{"numcodecs.fixedscaleoffset"}, arrays | serial, newFixedScaleOffset},
		{[]string{"numcodecs.quantize"}, arrays | serial, newQuantize},
		{[]string{"numcodecs.astype"}, arrays | serial, newAsType},
		{[]string{"numcodecs.packbits"}, arrays | serial, newOldPackBits},
		{[]string{"numcodecs.zfpy"}, arrays | serial, newZfpy},

		{[]string{"zstd", "numcodecs.zstd"}, serial, newZstd},
		{[]string{"gzip", "numcodecs.gzip"}, serial, newGzip},
		{[]string{"zlib", ZlibName}, serial, newZlib},
		{[]string{"blosc", "numcodecs.blosc"}, serial, newBlosc},
		{[]string{"numcodecs.lz4"}, serial, newLZ4},
		{[]string{"bz2", "numcodecs.bz2"}, serial, newBZ2},
		{[]string{"numcodecs.lzma"}, serial, newLZMA},
		{[]string{ShuffleName}, serial, newShuffle},

		{[]string{"crc32c"}, serial, newCRC32C},
		{[]string{"numcodecs.crc32c"}, serial, newCRC32C},
		{[]string{"numcodecs.crc32"}, serial, newCRC32},
		{[]string{"adler32", "numcodecs.adler32"}, serial, newAdler32},
		{[]string{"fletcher32", "numcodecs.fletcher32"}, serial, newFletcher32},
		{[]string{"numcodecs.jenkins_lookup3"}, serial, newLookup3},
	}
}

// codecTypeOf returns the codec of a name, nil if it is not known.
func codecTypeOf(name string) *codecType {
	for _, t := range codecTypes() {
		if slices.Contains(t.names, name) {
			return &t
		}
	}
	return nil
}

// refused is a codec that is known and not implemented.
func refused(why string) func(Codec, spec) (stage, spec, error) {
	return func(c Codec, _ spec) (stage, spec, error) {
		return nil, spec{}, &UnsupportedError{What: fmt.Sprintf("codec %q, %s", strings.TrimPrefix(c.Name, numcodecs), why)}
	}
}

// configInt is an integer of a codec's configuration, absent if it has none.
func configInt(c Codec, key string, absent int) int {
	if n, ok := wholeNumber(c.Configuration[key]); ok && int64(int(n)) == n {
		return int(n)
	}
	return absent
}

// configFloat is a number of a codec's configuration. integer is false if it is written with a point
// or an exponent.
func configFloat(c Codec, key string) (f float64, integer bool, err error) {
	switch v := c.Configuration[key].(type) {
	case json.Number:
		f, err = v.Float64()
		_, integer = wholeNumber(v)
	case float64:
		f = v
	default:
		var n int64
		n, integer = wholeNumber(v)
		f = float64(n)
		if !integer {
			err = fmt.Errorf("codec %s: %s is %v, expected a number", c.Name, key, v)
		}
	}
	return f, integer, err
}
