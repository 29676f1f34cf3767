package compress_test

import (
	"bytes"
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

func Example() {
	raw := bytes.Repeat([]byte("temperature "), 1000)
	coded, err := compress.EncodeZstd(nil, raw, compress.DefaultZstdLevel)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := compress.DecodeZstd(nil, coded, len(raw))
	fmt.Println(len(coded) < 100, bytes.Equal(back, raw), err)
	_, err = compress.DecodeZstd(nil, coded, len(raw)+1)
	fmt.Println(err != nil)
	// Output:
	// true true <nil>
	// true
}
