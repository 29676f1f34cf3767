package unzstd_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/compress/unzstd"
)

func Example() {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 6, 0x31, 0, 0, 'w', 'a', 'r', 'm', 'e', 'r'}
	content := make([]byte, 6)
	ok := unzstd.Decode(content, frame)
	fmt.Println(ok, string(content))
	// Output: true warmer
}
