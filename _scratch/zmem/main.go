package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/tgm"
)

func hwm() string {
	b, _ := os.ReadFile("/proc/self/status")
	for l := range strings.Lines(string(b)) {
		if strings.HasPrefix(l, "VmHWM") {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

func main() {
	n := 12500000
	data := make([]byte, 0, 8*n)
	s := uint64(42)
	for i := range n {
		s += 0x9e3779b97f4a7c15
		z := s
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		u := float64(z>>11) / (1 << 53)
		v := 280 + 30*math.Sin(2*math.Pi*4*float64(i/3536)/3536)*math.Cos(2*math.Pi*4*float64(i%3536)/3536) + 0.1*(2*u-1)
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	fmt.Println("before", hwm())
	for _, shuffle := range []string{"none", "shuffle"} {
		for _, level := range []int{3, 6, 9} {
			start := time.Now()
			o, err := tgm.EncodeArray(tgm.Array{Shape: []uint64{uint64(n)}, DType: tgm.Float64, Data: data}, tgm.Pipeline{Filter: shuffle, Compression: "zstd", Params: map[string]any{"zstd_level": level}})
			if err != nil {
				panic(err)
			}
			fmt.Println(shuffle, level, o.Size(), time.Since(start), hwm())
			o = nil
		}
	}
}
