package tgm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// largeField is a float64 array above the size from which stages work in place, with values that
// need masks.
func largeField(n int) []byte {
	rng := rand.New(rand.NewPCG(9, 9))
	b := make([]byte, 0, 8*n)
	for i := range n {
		v := 280 + 20*math.Sin(float64(i)/5000) + rng.Float64()
		switch {
		case i%1000 == 7:
			v = math.NaN()
		case i%100_000 == 11:
			v = math.Inf(1)
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// TestDisposable compares objects of the same data, disposable or not. The bytes must be the same,
// and only disposable data may change.
func TestDisposable(t *testing.T) {
	const n = inPlaceBytes/8 + 4321
	data := largeField(n)
	missing := &Mask{N: n, Bits: make([]byte, (n+7)/8)}
	for i := 0; i < n; i += 777 {
		missing.Set(i)
	}
	for _, p := range []Pipeline{
		{}, {Filter: "shuffle"}, {Compression: "zstd"}, {Filter: "shuffle", Compression: "zstd"},
		{Filter: "shuffle", Compression: "lz4"}, {Encoding: "simple_packing", Bits: 16, Compression: "szip"},
		{Encoding: "simple_packing", Bits: 12}, {Encoding: "simple_packing", Bits: 64},
		{Encoding: "simple_packing", Bits: 24, Filter: "shuffle", Compression: "zstd"},
	} {
		p.AllowNaN, p.AllowInf = true, true
		name := fmt.Sprintf("%s %d %s %s", p.Encoding, p.Bits, p.Filter, p.Compression)
		a := Array{Shape: []uint64{n}, DType: Float64, Data: bytes.Clone(data), Missing: missing}
		want, err := EncodeArray(a, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(a.Data, data) {
			t.Fatalf("%s: data that are not disposable have changed", name)
		}
		a.Data, a.Disposable = append(make([]byte, 0, len(data)+len(data)>>12+64), data...), true
		got, err := EncodeArray(a, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(got.payload, want.payload) || !bytes.Equal(got.cbor, want.cbor) || !bytes.Equal(got.masks, want.masks) {
			t.Errorf("%s: disposable data give another object", name)
		}
		// Packed values are below the size from which zstd and shuffle work in place.
		if got.pooled != nil && p.Compression != "lz4" && (p.Encoding == "" || p.Compression == "") {
			t.Errorf("%s: another buffer was taken", name)
		}
		got.Release()
		want.Release()
	}
}

// TestCompressBehind compresses packed integers into the memory that packing left over.
func TestCompressBehind(t *testing.T) {
	const n = inPlaceBytes/4 + 1000
	data := largeField(n)
	for _, compression := range []string{"szip", "lz4"} {
		p := Pipeline{Encoding: "simple_packing", Bits: 32, Compression: compression, AllowNaN: true, AllowInf: true}
		want, err := EncodeArray(Array{Shape: []uint64{n}, DType: Float64, Data: data}, p)
		if err != nil {
			t.Fatal(err)
		}
		memory := append(make([]byte, 0, len(data)+64), data...)
		got, err := EncodeArray(Array{Shape: []uint64{n}, DType: Float64, Data: memory, Disposable: true}, p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.payload, want.payload) || !bytes.Equal(got.cbor, want.cbor) || !bytes.Equal(got.masks, want.masks) {
			t.Errorf("%s: disposable data give another object", compression)
		}
		if compression == "szip" && &got.payload[0] != &memory[4*n] {
			t.Errorf("%s: another buffer was taken", compression)
		}
		got.Release()
		want.Release()
	}
}
