package aec_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/codec/aec"
)

// Tensogram's szip by default: blocks of 16 samples, a reference sample every 128 blocks.
func ExampleEncode() {
	p := aec.Params{BitsPerSample: 16, BlockSize: 16, RSI: 128, Flags: aec.Preprocess | aec.MSB}
	samples := make([]byte, 2*4000)
	for i := range 4000 {
		samples[2*i], samples[2*i+1] = byte(i>>10), byte(i>>2)
	}
	stream, offsets, err := aec.Encode(nil, samples, p)
	fmt.Println(len(stream), offsets, err)
	// Output: 785 [0 3211] <nil>
}

func ExampleDecodeUint32() {
	p := aec.Params{BitsPerSample: 12, BlockSize: 8, RSI: 2, Flags: aec.Preprocess}
	stream, _, err := aec.EncodeUint32(nil, []uint32{4000, 4001, 4003, 4002, 4000}, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	samples := make([]uint32, 5)
	err = aec.DecodeUint32(samples, stream, p)
	fmt.Println(samples, err)
	// Output: [4000 4001 4003 4002 4000] <nil>
}

// A range is read from the interval that holds its first sample. The rest of the stream is not
// looked at.
func ExampleDecodeRange() {
	p := aec.Params{BitsPerSample: 8, BlockSize: 8, RSI: 1, Flags: aec.Preprocess}
	stream, offsets, err := aec.Encode(nil, []byte("samples of one byte, in intervals of eight"), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	part := make([]byte, 8)
	err = aec.DecodeRange(part, stream, p, offsets, 11, len(part))
	fmt.Printf("%s %v\n", part, err)
	// Output: one byte <nil>
}

// A stream that came without offsets, such as the stream of a GRIB field, is scanned for them.
func ExampleScanOffsets() {
	p := aec.Params{BitsPerSample: 8, BlockSize: 8, RSI: 1, Flags: aec.Preprocess}
	stream, _, err := aec.Encode(nil, []byte("samples of one byte, in intervals of eight"), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(aec.ScanOffsets(stream, p, 42))
	// Output: [0 59 126 189 240 307] <nil>
}

// Samples can be used block by block while they are in the cache.
func ExampleDecoder() {
	p := aec.Params{BitsPerSample: 8, BlockSize: 8, RSI: 4, Flags: aec.Preprocess}
	stream, _, err := aec.Encode(nil, []byte("forty samples that are added piecemeal.."), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := aec.NewDecoder(stream, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := uint32(0)
	piece := make([]uint32, 16)
	for left := 40; left > 0; left -= len(piece) {
		piece = piece[:min(left, len(piece))]
		if err := d.Next(piece); err != nil {
			fmt.Println(err)
			return
		}
		for _, v := range piece {
			sum += v
		}
	}
	fmt.Println(sum)
	// Output: 3749
}
