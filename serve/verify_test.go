package serve

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// TestDamagedPayloadIsNotServed changes a bit of payloads that are read from the file, served as
// they are, and decoded.
func TestDamagedPayloadIsNotServed(t *testing.T) {
	for name, p := range map[string]tgm.Pipeline{"plain": {}, "zstd": {Compression: "zstd"}, "shuffle": {Filter: "shuffle"}} {
		data := testMessage(t, nil, testObject{base: map[string]any{"name": "x"}, array: float32s(100), pipeline: p})
		f, err := tgm.NewFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Message(0)
		if err != nil {
			t.Fatal(err)
		}
		o, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		data[o.PayloadOffset()+o.PayloadLength()-2] ^= 1
		var damage *tgm.HashError
		for range 2 {
			if _, err := zarr.ReadAll(context.Background(), testStore(t, data), "x/c/0", 1<<20); !errors.As(err, &damage) {
				t.Errorf("%s: %v", name, err)
			}
		}
		skip := OpenMessages(f, MessageOptions{SkipHashes: true})
		if _, err := zarr.ReadAll(context.Background(), skip, "x/c/0", 1<<20); errors.As(err, &damage) {
			t.Errorf("%s, hashes left alone: %v", name, err)
		}
	}
}
