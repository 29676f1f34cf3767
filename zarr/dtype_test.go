package zarr

import (
	"encoding/hex"
	"testing"

	"github.com/tgmconv/tgmconv/internal/jsontext"
)

func TestFillBytes(t *testing.T) {
	tests := []struct {
		dtype DataType
		fill  string // JSON
		want  string // little-endian, hexadecimal; "" for an error
	}{
		{Bool, "true", "01"},
		{Bool, "0", ""},
		{Int8, "-1", "ff"},
		{Int8, "128", ""},
		{Int64, "-9223372036854775808", "0000000000000080"},
		{Uint64, "18446744073709551615", "ffffffffffffffff"},
		{Uint16, "-1", ""},
		{Uint16, "1.5", ""},
		{Float32, `"NaN"`, "0000c07f"},
		{Float32, `"-Infinity"`, "000080ff"},
		{Float32, `"0x7fc00001"`, "0100c07f"},
		{Float32, `"0x17fc00001"`, ""},
		{Float32, "1", "0000803f"},
		{Float64, "-0.0", "0000000000000080"},
		{Float64, `"nan"`, ""},
		{Float64, "true", ""},
		{Float16, "1.5", "003e"},
		{Complex64, `[1, "NaN"]`, "0000803f0000c07f"},
		{Complex64, `"NaN"`, ""},
		{Complex128, "[0, 0, 0]", ""},
		{"r16", "[1, 255]", "01ff"},
		{"r16", "[1]", ""},
		{"r16", "[1, 256]", ""},
		{"string", `""`, ""},
	}
	for _, test := range tests {
		var fill any
		if err := decodeJSON([]byte(test.fill), &fill); err != nil {
			t.Fatal(err)
		}
		got, err := test.dtype.FillBytes(fill)
		if (err != nil) != (test.want == "") || (err == nil && hex.EncodeToString(got) != test.want) {
			t.Errorf("%s %s: %x, %v; expected %q", test.dtype, test.fill, got, err, test.want)
		}
	}
}

func TestDefaultFillIsReadable(t *testing.T) {
	for _, dtype := range []DataType{Bool, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, Float32,
		Float64, Complex64, Complex128, "r8", "r24"} {
		text, err := jsontext.Append(nil, dtype.DefaultFill())
		if err != nil {
			t.Fatal(err)
		}
		var fill any
		if err := decodeJSON(text, &fill); err != nil {
			t.Fatal(err)
		}
		data, err := dtype.FillBytes(fill)
		if err != nil || len(data) != dtype.Size() {
			t.Errorf("%s: fill value %s: %x, %v", dtype, text, data, err)
		}
	}
}

func TestDataTypeSize(t *testing.T) {
	for dtype, want := range map[DataType]int{Complex128: 16, "r8": 1, "r1024": 128, "r7": 0, "r": 0, "r08": 0, "r99999999": 0, "float": 0} {
		if got := dtype.Size(); got != want {
			t.Errorf("%s has %d bytes, expected %d", dtype, got, want)
		}
	}
}
