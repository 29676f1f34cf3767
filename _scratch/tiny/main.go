package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math"
	"os"

	"github.com/tgmconv/tgmconv/tgm"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}
func main() {
	var b bytes.Buffer
	w := tgm.NewMessageWriter(&b, tgm.WriterOptions{})
	var data []byte
	for i := range 4 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i)))
	}
	o, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{4}, DType: tgm.Float32, Data: data}, tgm.Pipeline{})
	check(err)
	check(w.Append(o, map[string]any{"name": "x", "mars": map[string]any{"param": "2t", "levtype": "sfc"}}))
	check(w.Close())
	for n, name := range map[int]string{100000: os.Args[1] + "5.tgm", 1000000: os.Args[1] + "6.tgm"} {
		f, err := os.Create(name)
		check(err)
		out := bufio.NewWriterSize(f, 1<<20)
		for range n {
			out.Write(b.Bytes())
		}
		check(out.Flush())
		check(f.Close())
	}
}
