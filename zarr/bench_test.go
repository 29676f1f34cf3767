package zarr

import (
	"encoding/json"
	"fmt"
	"testing"
)

// BenchmarkNodes goes through 10 000 arrays of consolidated metadata of format 2.
func BenchmarkNodes(b *testing.B) {
	array := json.RawMessage(old(`{"compressor":{"id":"blosc","cname":"lz4","clevel":5,"shuffle":1}}`)["a/.zarray"])
	metadata := map[string]json.RawMessage{".zgroup": json.RawMessage(`{"zarr_format":2}`)}
	for i := range 10_000 {
		metadata[fmt.Sprintf("a%d/.zarray", i)] = array
		metadata[fmt.Sprintf("a%d/.zattrs", i)] = json.RawMessage(`{"_ARRAY_DIMENSIONS":["x"],"units":"K","long_name":"a"}`)
	}
	text, err := json.Marshal(map[string]any{"zarr_consolidated_format": 1, "metadata": metadata})
	if err != nil {
		b.Fatal(err)
	}
	s := mapStore{".zmetadata": text, ".zgroup": metadata[".zgroup"]}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n := 0
		for _, err := range Nodes(b.Context(), s, "") {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 10_001 {
			b.Fatalf("%d nodes", n)
		}
	}
}
