package tgm

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/tgmconv/tgmconv/array"
)

// TestBitmaskArray reads a bitmask as a whole and in parts, as bytes of 0 and 1.
func TestBitmaskArray(t *testing.T) {
	for _, compression := range []string{nameNone, nameZstd, nameRLE} {
		encoded, err := EncodeArray(Array{Shape: []uint64{3, 5}, DType: Bitmask, Data: []byte{0b10110011, 0b10101010}}, Pipeline{Compression: compression})
		if err != nil {
			t.Fatal(err)
		}
		o := objectOf(t, encoded)
		a := o.Array(o.CheckHash)
		for _, test := range []struct {
			region array.Region
			want   []byte
		}{
			{a.Info().Whole(), []byte{1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1}},
			{array.Region{Start: []uint64{1, 1}, Count: []uint64{2, 3}}, []byte{1, 1, 1, 0, 1, 0}},
		} {
			if got, err := array.Read(t.Context(), a, test.region, nil); err != nil || !bytes.Equal(got, test.want) || a.Info().DType != Uint8 {
				t.Errorf("%s, %v: %d of %v, %v, expected %d", compression, test.region, got, a.Info().DType, err, test.want)
			}
		}
	}
}

// TestArrayClaim reads arrays that claim more than their payload may have. No memory must be
// taken for them. Their parts are read if the array has parts.
func TestArrayClaim(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("programs of 32 bits have no arrays of these shapes")
	}
	for _, test := range []struct {
		name    string
		object  func(*Descriptor)
		payload []byte
		inParts bool
	}{
		{"run lengths", func(d *Descriptor) { d.DType, d.Compression = Bitmask, nameRLE }, []byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f}, false},
		{"constant", func(d *Descriptor) {
			d.DType, d.Encoding = Float64, nameSimplePacking
			d.Params = map[string]any{"sp_reference_value": 2.5, "sp_binary_scale_factor": 0, "sp_decimal_scale_factor": 0, "sp_bits_per_value": 0}
		}, nil, true},
	} {
		d := Descriptor{
			Type: "ntensor", Shape: []uint64{1 << 40}, Strides: []uint64{1}, ByteOrder: LittleEndian,
			Encoding: nameNone, Filter: nameNone, Compression: nameNone,
		}
		test.object(&d)
		encoded, err := EncodedFrom(d, test.payload)
		if err != nil {
			t.Fatal(err)
		}
		o := objectOf(t, encoded)
		a := o.Array(o.CheckHash)
		joined, err := array.Join(0, a, a)
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range []array.Array{a, joined} {
			var beyond *ExpansionError
			if _, err := array.Read(t.Context(), whole, whole.Info().Whole(), nil); !errors.As(err, &beyond) {
				t.Errorf("%s: %v, expected an array beyond the limit", test.name, err)
			}
		}
		_, err = array.Read(t.Context(), a, array.Region{Start: []uint64{1 << 39}, Count: []uint64{8}}, nil)
		if (err == nil) != test.inParts {
			t.Errorf("%s: a part: %v", test.name, err)
		}
	}
}
