package main

import (
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/tgm"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}
func main() {
	f, err := os.Create(os.Args[1])
	check(err)
	w := tgm.NewMessageWriter(f, tgm.WriterOptions{})
	for i := range 12 {
		o, err := tgm.EncodePacked(tgm.Packed{Shape: []uint64{1 << 25}}, tgm.Pipeline{})
		check(err)
		check(w.Append(o, map[string]any{"name": fmt.Sprint("c", i)}))
	}
	z := make([]byte, 64<<20)
	o, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{8 << 20}, DType: tgm.Float64, Data: z}, tgm.Pipeline{Compression: "zstd"})
	check(err)
	check(w.Append(o, map[string]any{"name": "z"}))
	o, err = tgm.EncodeArray(tgm.Array{Shape: []uint64{8 << 20}, DType: tgm.Float64, Data: z}, tgm.Pipeline{Filter: "shuffle", Compression: "lz4"})
	check(err)
	check(w.Append(o, map[string]any{"name": "s"}))
	check(w.Close())
}
