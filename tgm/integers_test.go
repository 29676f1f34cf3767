package tgm

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/tgmconv/tgmconv/codec/aec"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
)

// TestPackedComesBack: integers are read as they were written, through every compression.
func TestPackedComesBack(t *testing.T) {
	samples := []uint32{0, 7, 4000, 12, 4095, 3}
	for _, width := range []int{12, 16} {
		bits := packing.PackUint32(nil, samples, width)
		missing := &Mask{N: 6, Bits: []byte{0x10}}
		for _, p := range []Pipeline{{Compression: "none"}, {Compression: "zstd"}, {Compression: "szip"}, {Filter: "shuffle", Compression: "lz4"}} {
			in := Packed{Shape: []uint64{2, 3}, Params: packing.Params{Reference: 2.5, BinaryScale: -3, DecimalScale: 1, Bits: width}, Bits: bits, Missing: missing}
			e, err := EncodePacked(in, p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := objectOf(t, e).Packed()
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			if got.Params.Reference != 2.5 || got.Params.BinaryScale != -3 || got.Params.DecimalScale != 1 || !reflect.DeepEqual(got.Missing, missing) {
				t.Errorf("%+v: %+v", p, got)
			}
			if have := integersOf(t, got); !reflect.DeepEqual(have, samples) {
				t.Errorf("%+v, %d bits: %v, expected %v", p, width, have, samples)
			}
		}
	}
	e, err := EncodeArray(ArrayOf([]float64{1, 2}), Pipeline{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := objectOf(t, e).Packed(); !errors.Is(err, ErrNotPacked) {
		t.Errorf("plain values: %v, expected %v", err, ErrNotPacked)
	}
}

func integersOf(t *testing.T, q *Packed) []uint32 {
	t.Helper()
	n, _ := elements(q.Shape)
	out := make([]uint32, n)
	var err error
	if q.AEC != nil {
		err = aec.DecodeUint32(out, q.AEC.Data, q.AEC.Params(q.Params.Bits))
	} else {
		err = packing.UnpackUint32(out, q.Bits, q.Params.Bits)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// objectOf writes an object and reads it.
func objectOf(t *testing.T, e *EncodedObject) *Object {
	t.Helper()
	var out bytes.Buffer
	w := NewMessageWriter(&out, WriterOptions{})
	if err := errors.Join(w.Append(e, nil), w.Close()); err != nil {
		t.Fatal(err)
	}
	return objectIn(t, out.Bytes())
}
