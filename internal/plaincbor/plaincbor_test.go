package plaincbor_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// library encodes a value as the CBOR library does.
func library(t *testing.T, v any) []byte {
	t.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := mode.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestMarshalIsLibrary compares plain values with the CBOR library.
func TestMarshalIsLibrary(t *testing.T) {
	values := []any{
		nil, true, false, "", "2t", "µ", strings.Repeat("x", 300), []byte{}, []byte{1, 2}, []any{}, []any{int64(1), nil, "a"}, []string{"a", ""},
		[]uint64{0, 23, 24}, []int64{-1, 1 << 40}, []int{3, -3}, []float64{0, 0.1, 0.5}, map[string]any{}, uint64(math.MaxInt64), 7,
	}
	for _, n := range []int64{0, 23, 24, 255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, math.MaxInt64} {
		values = append(values, n, -n, -1-n)
	}
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, 65504, 65519, 65520, 65536, 0x1p-14, 0x1p-24, 3 * 0x1p-24, 0x1p-25, 0x1p-149, 0x1p-150, 1e300, 1e-300,
		math.MaxFloat32, math.MaxFloat64, 273.15, float64(float32(273.15)), math.NaN(), math.Inf(1), math.Inf(-1),
	} {
		values = append(values, f, -f)
	}
	r := rand.New(rand.NewPCG(1, 2))
	deep := map[string]any{}
	for i, v := range values {
		deep[strings.Repeat("k", r.IntN(30))+fmt.Sprint(r.IntN(1000))] = map[string]any{"value": v, "number": int64(i), "b": []any{v, map[string]any{"a": v}}}
	}
	values = append(values, deep)
	for range 1000 {
		values = append(values, math.Float64frombits(r.Uint64()), float64(math.Float32frombits(r.Uint32())), int64(r.Uint64()>>r.IntN(64)))
	}
	for _, v := range values {
		got, ok := plaincbor.Marshal(v)
		if want := library(t, v); !ok || !bytes.Equal(got, want) {
			t.Errorf("%T %v: % x, %v; expected % x", v, v, got, ok, want)
		}
	}
}

// TestUnionIsOneMap checks that a union has the bytes of one map.
func TestUnionIsOneMap(t *testing.T) {
	got, ok := plaincbor.MarshalUnion(map[string]any{"ccc": "x", "a": int64(1)}, map[string]any{"bb": 0.5})
	if want := library(t, map[string]any{"a": int64(1), "bb": 0.5, "ccc": "x"}); !ok || !bytes.Equal(got, want) {
		t.Errorf("% x, %v; expected % x", got, ok, want)
	}
}

// TestNotPlain lists values that are left to the library.
func TestNotPlain(t *testing.T) {
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	for _, v := range []any{
		"\xff", map[string]any{"\xff": "x"}, []string{"\xff"}, uint64(1 << 63), []uint64{1 << 63}, cbor.Tag{Number: 1, Content: int64(1)}, float32(1), deep,
		[]any(nil), []byte(nil), map[string]any(nil), []any{uint8(1)},
	} {
		if got, ok := plaincbor.Marshal(v); ok {
			t.Errorf("%T %v: % x", v, v, got)
		}
	}
}
