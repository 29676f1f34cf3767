package zarr_test

import (
	"fmt"

	"github.com/tgmconv/tgmconv/zarr"
)

func ExampleNewCoder() {
	meta := &zarr.ArrayMetadata{
		Shape: []uint64{4}, DataType: zarr.Int16, ChunkShape: []uint64{4}, ChunkKeys: zarr.DefaultKeys, FillValue: int64(0), Codecs: zarr.PlainCodecs(zarr.Int16),
	}
	coder, err := zarr.NewCoder(meta)
	if err != nil {
		fmt.Println(err)
		return
	}
	stored, err := coder.Encode([]byte{1, 0, 2, 0, 3, 0, 4, 0})
	fmt.Println(stored, err)
	// Output: [1 0 2 0 3 0 4 0] <nil>
}
