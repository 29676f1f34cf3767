package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/tgm"
)

// TestZstdChunksMove demands that a chunk of integers with zstd alone is in the message as it is in the store, and that a
// damaged one is an error.
func TestZstdChunksMove(t *testing.T) {
	var data []byte
	for i := range 4000 {
		data = binary.LittleEndian.AppendUint32(data, uint32(i*i))
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	frame := w.EncodeAll(data, nil)
	convert := func(dtype, codecs string, chunk []byte) (string, string, error) {
		dir := t.TempDir()
		store, out := filepath.Join(dir, "a.zarr"), filepath.Join(dir, "a.tgm")
		if err := os.MkdirAll(filepath.Join(store, "c", "0"), 0o755); err != nil {
			t.Fatal(err)
		}
		document := fmt.Sprintf(`{"zarr_format":3,"node_type":"array","shape":[2,2000],"data_type":%q,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2000]}},
			"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}},%s],"attributes":{}}`, dtype, codecs)
		for name, text := range map[string][]byte{"zarr.json": []byte(document), "c/0/0": chunk} {
			if err := os.WriteFile(filepath.Join(store, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var stderr bytes.Buffer
		root := newRoot()
		root.SetErr(&stderr)
		if code := run(t.Context(), root, []string{"convert", "-q", "-o", out, store}, &stderr); code != cli.ExitOK {
			return out, "", fmt.Errorf("%s", &stderr)
		}
		f, err := tgm.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m, err := f.Message(0)
		if err != nil {
			t.Fatal(err)
		}
		o, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		a, err := o.Decode(tgm.DecodeOptions{})
		if err != nil || !bytes.Equal(a.Data, data) {
			t.Errorf("%s %s: other elements: %v", dtype, codecs, err)
		}
		return out, o.Descriptor().Filter + " " + o.Descriptor().Compression, nil
	}
	const onlyZstd = `{"name":"zstd","configuration":{"level":1,"checksum":false}}`
	out, stages, err := convert("int32", onlyZstd, frame)
	if err != nil || stages != "none zstd" {
		t.Fatalf("%s, %v", stages, err)
	}
	if written, err := os.ReadFile(out); err != nil || !bytes.Contains(written, frame) {
		t.Errorf("the chunk is not in the message: %v", err)
	}
	for _, chunk := range [][]byte{frame[:len(frame)-1], append(bytes.Clone(frame), 0), w.EncodeAll(data[4:], nil)} {
		if _, _, err := convert("int32", onlyZstd, chunk); err == nil || !strings.Contains(err.Error(), "c/0/0") {
			t.Errorf("a chunk of %d bytes: %v", len(chunk), err)
		}
	}
	if _, stages, err := convert("float32", onlyZstd, frame); err != nil || stages != "shuffle zstd" {
		t.Errorf("floating-point numbers, which may be NaN: %s, %v", stages, err)
	}
}
