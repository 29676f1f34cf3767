package zarr

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// three is a document of format 3 of an array of a shape. Its only chunk has the same shape.
func three(dtype, fill, shape, codecs string) []byte {
	return fmt.Appendf(nil, `{"zarr_format":3,"node_type":"array","shape":%s,"data_type":%s,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":%s}},
		"chunk_key_encoding":{"name":"default"},"fill_value":%s,"codecs":%s}`, shape, dtype, shape, fill, codecs)
}

// The chunks follow from the texts of the specifications, of the core and of its extensions.
func TestCodecsOfFormat3(t *testing.T) {
	const little = `{"name":"bytes","configuration":{"endian":"little"}}`
	for _, test := range []struct{ dtype, fill, shape, codecs, chunk, want string }{
		{`"bool"`, `false`, `[10]`, `["packbits"]`, "0502", "01000100000000000001"},
		{`"bool"`, `false`, `[10]`, `[{"name":"packbits","configuration":{"padding_encoding":"first_byte"}}]`, "060502", "01000100000000000001"},
		{`"bool"`, `false`, `[10]`, `[{"name":"packbits","configuration":{"padding_encoding":"last_byte"}}]`, "050206", "01000100000000000001"},
		{`"uint8"`, `0`, `[3]`, `[{"name":"packbits","configuration":{"last_bit":3}}]`, "2103", "010203"},
		{`"int16"`, `0`, `[2]`, `[{"name":"packbits","configuration":{"first_bit":4,"last_bit":7}}]`, "8f", "f0ff80ff"},
		{`"int32"`, `0`, `[2]`, `[{"name":"cast_value","configuration":{"data_type":"int8"}},"bytes"]`, "fe03", "feffffff03000000"},
		{`"int8"`, `0`, `[3]`, `[{"name":"cast_value","configuration":{"data_type":"float32"}},` + little + `]`, "00002040" + "00006040" + "000020c0", "0204fe"},
		{`"int8"`, `0`, `[2]`, `[{"name":"cast_value","configuration":{"data_type":"float32","rounding":"towards-positive"}},` + little + `]`, "00002040" + "000020c0", "03fe"},
		{`"float32"`, `0`, `[2]`, `[{"name":"scale_offset","configuration":{"offset":5,"scale":2}},{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]`, "0204", "0000c040" + "0000e040"},
		{`"int16"`, `0`, `[2]`, `[{"name":"scale_offset","configuration":{"offset":5,"scale":2}},` + little + `]`, "0400fcff", "07000300"},
		{`"float32"`, `0`, `[1]`, `[{"name":"bitround","configuration":{"keepbits":3}},` + little + `]`, "0000803f", "0000803f"},
		{`"int16"`, `0`, `[2,3]`, `[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"bytes","configuration":{"endian":"big"}}]`, "000100040002000500030006", "010002000300040005000600"},
		{`"uint8"`, `0`, `[1,2,3]`, `[{"name":"transpose","configuration":{"order":[2,0,1]}},"bytes"]`, "010402050306", "010203040506"},
		{`"int16"`, `0`, `[1]`, `[` + little + `,{"name":"unknown","must_understand":false}]`, "0100", "0100"},
		{`"r16"`, `[1,2]`, `[1]`, `["bytes"]`, "0a0b", "0a0b"},
		{`{"name":"struct","configuration":{"fields":[{"name":"a","data_type":"int16"},{"name":"b","data_type":"uint8"}]}}`, `{"a":1,"b":2}`, `[2]`,
			`[{"name":"bytes","configuration":{"endian":"big"}}]`, "000102" + "000304", "010002" + "030004"},
		{`{"name":"optional","configuration":{"name":"uint8"}}`, `null`, `[2,2]`, optionalCodec(`"packbits"`, `"bytes"`),
			"01000000000000000200000000000000" + "09" + "0005", "0000" + "0080" + "0080" + "0500"},
		{`{"name":"optional","configuration":{"name":"float32"}}`, `[1.5]`, `[2]`, optionalCodec(`"bytes"`, little), "02000000000000000400000000000000" + "0001" + "0000803f", "0000c07f" + "0000803f"},
		{`{"name":"optional","configuration":{"name":"optional","configuration":{"name":"bool"}}}`, `[null]`, `[3]`, optionalCodec(`"packbits"`, strings.Trim(optionalCodec(`"packbits"`, `"bytes"`), "[]")),
			"01000000000000001200000000000000" + "05" + "01000000000000000100000000000000" + "02" + "01", "ffff01"},
		{`{"name":"optional","configuration":{"name":"int32"}}`, `[7]`, `[1]`, optionalCodec(`"packbits"`, little), "01000000000000000000000000000000" + "00", "0000000000000080"},
	} {
		chunk, err := hex.DecodeString(test.chunk)
		if err != nil {
			t.Fatal(err)
		}
		key := "c" + strings.Repeat("/0", strings.Count(test.shape, ",")+1)
		a, err := OpenArray(t.Context(), mapStore{"zarr.json": three(test.dtype, test.fill, test.shape, test.codecs), key: chunk}, "")
		if err != nil {
			t.Errorf("%s of %s: %v", test.codecs, test.dtype, err)
			continue
		}
		got := make([]byte, len(test.want)/2)
		if err := a.Read(t.Context(), got); err != nil || hex.EncodeToString(got) != test.want {
			t.Errorf("%s of %s: %x, %v, expected %s", test.codecs, test.dtype, got, err, test.want)
		}
	}
}

// optionalCodec is a list with the codec of that name.
func optionalCodec(mask, data string) string {
	return fmt.Sprintf(`[{"name":"optional","configuration":{"mask_codecs":[%s],"data_codecs":[%s]}}]`, mask, data)
}

func TestOptionalFill(t *testing.T) {
	for fill, want := range map[string]string{`null`: "008000800080", `[9]`: "090009000900"} {
		text := string(three(`{"name":"optional","configuration":{"name":"uint8"}}`, fill, `[3]`, optionalCodec(`"packbits"`, `"bytes"`)))
		a, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(text)}, "")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 6)
		if err := a.Read(t.Context(), got); err != nil || hex.EncodeToString(got) != want {
			t.Errorf("%s: %x, %v, expected %s", fill, got, err, want)
		}
	}
	for _, fill := range []string{`3`, `[]`, `[300]`, `[1,2]`} {
		text := string(three(`{"name":"optional","configuration":{"name":"uint8"}}`, fill, `[3]`, optionalCodec(`"packbits"`, `"bytes"`)))
		if _, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(text)}, ""); !errors.As(err, new(*FormatError)) {
			t.Errorf("fill value %s: %v", fill, err)
		}
	}
}

// Every part of a chunk is an error that says so, and so is the number that marks missing elements.
func TestOptionalChunksThatAreDamaged(t *testing.T) {
	open := func(dtype, chunk string) error {
		data, err := hex.DecodeString(chunk)
		if err != nil {
			t.Fatal(err)
		}
		text := three(`{"name":"optional","configuration":{"name":"`+dtype+`"}}`, `null`, `[4]`, optionalCodec(`"packbits"`, `{"name":"bytes","configuration":{"endian":"little"}}`))
		a, err := OpenArray(t.Context(), mapStore{"zarr.json": text, "c/0": data}, "")
		if err != nil {
			t.Fatal(err)
		}
		return a.Read(t.Context(), make([]byte, 4*a.Element().Size))
	}
	const whole = "01000000000000000200000000000000" + "09" + "0005"
	if err := open("uint8", whole); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 2 {
		if err := open("uint8", whole[:n]); err == nil || !strings.Contains(err.Error(), "c/0: codec optional: ") {
			t.Errorf("%d bytes: %v", n/2, err)
		}
	}
	for chunk, want := range map[string]string{
		"0100000000000000ffffffffffffffff" + "09" + "0005":             "data of 18446744073709551615",
		"01000000000000000300000000000000" + "09" + "000500":           "decodes to 3 bytes, expected 2",
		"01000000000000000800000000000000" + "01" + "0000000000000080": "element 0",
	} {
		if err := open(map[bool]string{true: "int64", false: "uint8"}[want == "element 0"], chunk); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", chunk, err, want)
		}
	}
}

func TestExtensionsThatAreRefused(t *testing.T) {
	const plain = `[{"name":"bytes","configuration":{"endian":"little"}}]`
	base := string(three(`"int16"`, `0`, `[4]`, plain))
	nested := plain
	for range maxShardDepth + 1 {
		nested = `[{"name":"sharding_indexed","configuration":{"chunk_shape":[4],"codecs":` + nested + `,"index_codecs":` + plain + `}}]`
	}
	for _, test := range []struct{ old, new, want string }{
		{`"regular"`, `"rectilinear"`, "rectilinear"},
		{`"default"`, `"fanout"`, "fanout"},
		{`"int16"`, `"bfloat16"`, "bfloat16"},
		{`"int16"`, `{"name":"optional","configuration":{"name":"string"}}`, "optional"},
		{plain, `["zstd9"]`, "zstd9"},
		{plain, `[{"name":"numcodecs.pcodec"}]`, "pcodec"},
		{plain, nested, "a shard in more than"},
		{`"fill_value"`, `"storage_transformers":[{"name":"mirror"}],"fill_value"`, "mirror"},
	} {
		text := strings.Replace(base, test.old, test.new, 1)
		_, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(text)}, "")
		if !errors.As(err, new(*UnsupportedError)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, expected an UnsupportedError of %s", test.new, err, test.want)
		}
	}
	text := strings.NewReplacer(`"int16"`, `{"name":"optional","configuration":{"name":"uint8"}}`, `"fill_value":0`, `"fill_value":null`).Replace(base)
	if _, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(text)}, ""); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("optional elements with the codec bytes: %v", err)
	}
	text = strings.Replace(base, `"fill_value"`, `"storage_transformers":[{"name":"mirror","must_understand":false}],"fill_value"`, 1)
	if _, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(text)}, ""); err != nil {
		t.Error(err)
	}
}

// A number that the elements cannot have is an error, not another number.
func TestCastOfWhatDoesNotFit(t *testing.T) {
	document := three(`"uint8"`, `0`, `[1]`, `[{"name":"cast_value","configuration":{"data_type":"int16"}},{"name":"bytes","configuration":{"endian":"little"}}]`)
	for _, chunk := range []string{"\x00\x01", "\xff\xff"} {
		a, err := OpenArray(t.Context(), mapStore{"zarr.json": document, "c/0": []byte(chunk)}, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Read(t.Context(), make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "c/0: codec cast_value: the number") {
			t.Errorf("%x: %v", chunk, err)
		}
	}
}

func TestElements(t *testing.T) {
	a, err := OpenArray(t.Context(), fixture(t, "format2"), "type_struct1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range a.Element().Members {
		got = append(got, fmt.Sprintf("%s@%d %d%v %s", m.Name, m.Offset, m.Element.Kind, m.Shape, m.Element.Unit))
	}
	want := fmt.Sprintf("a@0 %d[] |p@2 %d[2 3] |t@26 %d[] s|u@34 %d[] ", KindNumber, KindNumber, KindTime, KindChars)
	if text := strings.Join(got, "|"); text != want || a.Element().Size != 42 {
		t.Errorf("%s of %d bytes, expected %s of 42", text, a.Element().Size, want)
	}
}

func TestReadStrings(t *testing.T) {
	chunk := []byte("\x03\x00\x00\x00\x01\x00\x00\x00a\x00\x00\x00\x00\x02\x00\x00\x00\xc3\xa9")
	document := strings.Replace(string(three(`"string"`, `"none"`, `[3]`, `["vlen-utf8"]`)), `"shape":[3]`, `"shape":[5]`, 1)
	a, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(document), "c/0": chunk}, "")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := a.ReadStrings(t.Context(), []uint64{1}, []uint64{4})
	if err != nil || strings.Join(texts, "|") != "|é|none|none" {
		t.Errorf("%q, %v", texts, err)
	}
	if err := a.Read(t.Context(), make([]byte, 40)); !errors.As(err, new(*UnsupportedError)) {
		t.Errorf("texts were read into memory of a fixed size: %v", err)
	}
	for i := range chunk {
		cut, err := OpenArray(t.Context(), mapStore{"zarr.json": []byte(document), "c/0": chunk[:i]}, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cut.ReadStrings(t.Context(), []uint64{0}, []uint64{3}); err == nil || !strings.Contains(err.Error(), "c/0: codec vlen-utf8") {
			t.Errorf("%d of %d bytes: %v", i, len(chunk), err)
		}
	}
}
