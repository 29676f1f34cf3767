package inflate_test

import (
	"bytes"
	"compress/zlib"
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/inflate"
)

func Example() {
	var stream bytes.Buffer
	w := zlib.NewWriter(&stream)
	fmt.Fprint(w, "a chunk of known size")
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	chunk := make([]byte, 21)
	err := inflate.Zlib(chunk, stream.Bytes())
	fmt.Printf("%s, %v\n", chunk, err)
	// Output: a chunk of known size, <nil>
}
