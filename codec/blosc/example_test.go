package blosc_test

import (
	"bytes"
	"fmt"

	"github.com/tgmconv/tgmconv/codec/blosc"
)

func Example() {
	raw := bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, 10_000) // 10 000 times the float32 1.0
	frame, err := blosc.Encode(nil, raw, blosc.DefaultParams(4))
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := blosc.Decode(nil, frame, len(raw))
	fmt.Println(len(frame) < len(raw)/100, bytes.Equal(back, raw), err)
	// Output: true true <nil>
}

func ExampleFrame_ReadAt() {
	raw := make([]byte, 1_000_000)
	for i := range raw {
		raw[i] = byte(i / 1000)
	}
	frame, err := blosc.Encode(nil, raw, blosc.Params{Codec: blosc.Zstd, Level: 3, TypeSize: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := blosc.OpenFrame(bytes.NewReader(frame), int64(len(frame)), 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	part := make([]byte, 4)
	_, err = f.ReadAt(part, 123_998)
	fmt.Println(f.Size(), part, err)
	// Output: 1000000 [123 123 124 124] <nil>
}

func ExampleDecodeChunk() {
	// The chunk of an HDF5 dataset that was packed by filter 32001.
	chunk, err := blosc.EncodeBlosc1(nil, make([]byte, 4000), blosc.DefaultParams(8))
	if err != nil {
		fmt.Println(err)
		return
	}
	size, err := blosc.ChunkSize(chunk)
	if err != nil || size > 4000 { // the chunk has 4000 bytes at most
		fmt.Println(size, err)
		return
	}
	raw, err := blosc.DecodeChunk(nil, chunk, size)
	fmt.Println(len(raw), err)
	// Output: 4000 <nil>
}
