package conformance_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tgmconv/tgmconv/internal/conformance"
	"github.com/tgmconv/tgmconv/tgm"
)

// Making the whole suite and reading it back.
func Example() {
	folder, err := os.MkdirTemp("", "suite")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	cases, err := conformance.Make(folder)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range cases {
		if err := conformance.Check(folder, c); err != nil {
			log.Fatal(c.File, ": ", err)
		}
	}
}

// Checking one file against the values that a reader must get.
func ExampleCheck() {
	folder, err := os.MkdirTemp("", "case")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	values := []float32{280.5, 281, 281.5}
	var message bytes.Buffer
	w := tgm.NewMessageWriter(&message, tgm.WriterOptions{})
	if err := w.AppendArray("t", tgm.ArrayOf(values), tgm.Pipeline{Compression: "zstd"}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "t.tgm"), message.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	elements, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "t.values"), elements, 0o644); err != nil {
		log.Fatal(err)
	}
	c := conformance.Case{File: "t.tgm", Values: "t.values", DType: "float32", Shape: []uint64{3}, ByteOrder: "little"}
	fmt.Println(conformance.Check(folder, c))
	c.Shape = []uint64{4}
	fmt.Println(conformance.Check(folder, c))
	// Output:
	// <nil>
	// found float32 [3], little-endian, expected float32 [4], little-endian
}
