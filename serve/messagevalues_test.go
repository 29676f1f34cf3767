package serve

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// Every data type, stored in every way, must come back unchanged.
func TestDataTypesAndPipelines(t *testing.T) {
	const n = 1000
	tests := []struct {
		dtype  tgm.DType
		zarr   zarr.DataType
		fill   string
		isZstd bool // whether a zstd payload is served as it is
	}{
		{tgm.Float16, zarr.Float16, `"NaN"`, true}, {tgm.BFloat16, zarr.Float32, `"NaN"`, false},
		{tgm.Float32, zarr.Float32, `"NaN"`, true}, {tgm.Float64, zarr.Float64, `"NaN"`, true},
		{tgm.Complex64, zarr.Complex64, `["NaN","NaN"]`, true}, {tgm.Complex128, zarr.Complex128, `["NaN","NaN"]`, true},
		{tgm.Int8, zarr.Int8, "0", true}, {tgm.Int16, zarr.Int16, "0", true}, {tgm.Int32, zarr.Int32, "0", true}, {tgm.Int64, zarr.Int64, "0", true},
		{tgm.Uint8, zarr.Uint8, "0", true}, {tgm.Uint16, zarr.Uint16, "0", true}, {tgm.Uint32, zarr.Uint32, "0", true}, {tgm.Uint64, zarr.Uint64, "0", true},
		{tgm.Bitmask, zarr.Bool, "false", false},
	}
	pipelines := []tgm.Pipeline{{}, {Compression: "zstd", Level: 5}, {Compression: "lz4"}, {Filter: "shuffle", Compression: "zstd"}}
	for _, test := range tests {
		for _, order := range []tgm.ByteOrder{tgm.LittleEndian, tgm.BigEndian} {
			for _, pipeline := range pipelines {
				if test.dtype == tgm.Bitmask && pipeline.Filter != "" {
					continue
				}
				name := fmt.Sprintf("%s %s %+v", test.dtype, order, pipeline)
				data := testElements(test.dtype, n)
				stored := data
				if c := test.dtype.Component(); order == tgm.BigEndian && c > 1 {
					stored = slices.Clone(data)
					for element := range slices.Chunk(stored, c) {
						slices.Reverse(element)
					}
				}
				s := testStore(t, testMessage(t, nil, testObject{
					array:    tgm.Array{Shape: []uint64{n}, DType: test.dtype, ByteOrder: order, Data: stored},
					pipeline: pipeline,
					base:     map[string]any{"name": "x"},
				}))
				a, err := zarr.OpenArray(context.Background(), s, "x")
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				fill, err := jsontext.Append(nil, a.Metadata().FillValue)
				if err != nil || string(fill) != test.fill || a.Metadata().DataType != test.zarr {
					t.Errorf("%s: data type %s, fill value %s, %v", name, a.Metadata().DataType, fill, err)
				}
				steps := 1 // bytes
				if pipeline.Compression == "zstd" && test.isZstd {
					steps = 2
					if pipeline.Filter != "" {
						steps = 3
					}
				}
				if codecs := a.Metadata().Codecs; len(codecs) != steps {
					t.Errorf("%s: codecs are %v, expected %d", name, codecs, steps)
				}
				want := shownElements(test.dtype, data, n)
				got := make([]byte, len(want))
				if err := a.Read(context.Background(), got); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s: other values than those written", name)
				}
				checkRanges(t, s, "x/c/0", name)
			}
		}
	}
}

// testElements are n elements, little-endian, of bits that are no NaN or infinity of any type.
func testElements(dtype tgm.DType, n int) []byte {
	size := n * dtype.Size()
	if dtype == tgm.Bitmask {
		size = (n + 7) / 8
	}
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i*7) & 0x3f
	}
	return data
}

// shownElements is the client's view of testElements.
func shownElements(dtype tgm.DType, data []byte, n int) []byte {
	var out []byte
	switch dtype {
	case tgm.BFloat16:
		for i := 0; i < len(data); i += 2 {
			out = append(out, 0, 0, data[i], data[i+1])
		}
	case tgm.Bitmask:
		for i := range n {
			bit := byte(0)
			if data[i/8]&(0x80>>(i%8)) != 0 {
				bit = 1
			}
			out = append(out, bit)
		}
	default:
		return data
	}
	return out
}

// checkRanges compares parts of a value with the whole.
func checkRanges(t *testing.T, s zarr.Store, key, name string) {
	t.Helper()
	whole := get(t, s, key)
	for _, r := range []zarr.Range{zarr.Bytes(0, 1), zarr.Bytes(1, 1), zarr.Bytes(3, 100), zarr.From(int64(len(whole)) - 3), zarr.Suffix(5), zarr.Bytes(7, 1<<40)} {
		body, _, err := zarr.Get(context.Background(), s, key, r)
		if err != nil {
			t.Fatalf("%s: range %v: %v", name, r, err)
		}
		var got bytes.Buffer
		_, err = got.ReadFrom(body)
		offset, length, _ := r.Resolve(int64(len(whole)))
		if want := whole[offset : offset+length]; err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: range %v: %d bytes, %v", name, r, got.Len(), err)
		}
	}
}

func TestMaskedValuesAreNaN(t *testing.T) {
	data := float32s(4).Data
	binary.LittleEndian.PutUint32(data[4:], math.Float32bits(float32(math.NaN())))
	binary.LittleEndian.PutUint32(data[8:], math.Float32bits(float32(math.Inf(-1))))
	for _, compression := range []string{"none", "zstd"} {
		s := testStore(t, testMessage(t, nil, testObject{
			array:    tgm.Array{Shape: []uint64{4}, DType: tgm.Float32, Data: data},
			pipeline: tgm.Pipeline{Compression: compression, AllowNaN: true, AllowInf: true},
			base:     map[string]any{"name": "x"},
		}))
		got := get(t, s, "x/c/0")
		want := []float32{0, float32(math.NaN()), float32(math.Inf(-1)), 3}
		for i, w := range want {
			if g := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); g != w && !(g != g && w != w) {
				t.Errorf("%s: element %d is %v, expected %v", compression, i, g, w)
			}
		}
	}
}
