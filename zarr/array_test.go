package zarr

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const testDocument = `{"zarr_format":3,"node_type":"array","shape":[5,7],"data_type":"uint16",
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3]}},
"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},
"fill_value":9,"codecs":CODECS,"dimension_names":["y",null],"attributes":{"a":1}}`

// testArray is a store of the array above: element (y, x) is 100 y + x, but the chunk (1, 1) is not
// stored.
func testArray(t *testing.T, codecs string, order binary.AppendByteOrder, encode func([]byte) []byte) Store {
	t.Helper()
	store := mapStore{"zarr.json": []byte(strings.ReplaceAll(testDocument, "CODECS", codecs))}
	for cy := range 3 {
		for cx := range 3 {
			var data []byte
			for y := range 2 {
				for x := range 3 {
					data = order.AppendUint16(data, uint16(100*(2*cy+y)+3*cx+x))
				}
			}
			if cy != 1 || cx != 1 {
				store[fmt.Sprintf("c/%d/%d", cy, cx)] = encode(data)
			}
		}
	}
	return store
}

func element(y, x uint64) uint16 {
	if y/2 == 1 && x/3 == 1 {
		return 9
	}
	return uint16(100*y + x)
}

func withZstd(data []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(data, nil)
}

func withGzip(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

func withCRC(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(bytes.Clone(data), crc32.Checksum(data, castagnoli))
}

func TestArrayReadsEveryRegion(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		codecs string
		order  binary.AppendByteOrder
		encode func([]byte) []byte
	}{
		{`[{"name":"bytes","configuration":{"endian":"little"}}]`, binary.LittleEndian, bytes.Clone},
		{`[{"name":"bytes","configuration":{"endian":"big"}}]`, binary.BigEndian, bytes.Clone},
		{`[{"name":"bytes","configuration":{"endian":"little"}},{"name":"zstd","configuration":{"level":3,"checksum":false}}]`,
			binary.LittleEndian, withZstd},
		{`[{"name":"bytes","configuration":{"endian":"big"}},{"name":"gzip","configuration":{"level":5}},"crc32c"]`,
			binary.BigEndian, func(b []byte) []byte { return withCRC(withGzip(b)) }},
		{`[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"},{"name":"zstd"}]`,
			binary.LittleEndian, func(b []byte) []byte { return withZstd(withCRC(b)) }},
	}
	for _, test := range tests {
		a, err := OpenArray(ctx, testArray(t, test.codecs, test.order, test.encode), "")
		if err != nil {
			t.Fatal(err)
		}
		for y0 := range uint64(5) {
			for x0 := range uint64(7) {
				checkRegion(t, a, []uint64{y0, x0}, []uint64{5 - y0, 7 - x0})
				checkRegion(t, a, []uint64{y0, x0}, []uint64{1, 1})
			}
		}
		checkRegion(t, a, []uint64{1, 2}, []uint64{3, 3})
		checkRegion(t, a, []uint64{5, 7}, []uint64{0, 0})
	}
}

func checkRegion(t *testing.T, a *Array, start, count []uint64) {
	t.Helper()
	var want []byte
	for y := start[0]; y < start[0]+count[0]; y++ {
		for x := start[1]; x < start[1]+count[1]; x++ {
			want = binary.LittleEndian.AppendUint16(want, element(y, x))
		}
	}
	got := make([]byte, len(want))
	if err := a.ReadRegion(context.Background(), got, start, count); err != nil {
		t.Fatalf("region %v+%v: %v", start, count, err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("region %v+%v:\n%x, expected\n%x", start, count, got, want)
	}
}

func TestArrayRefusesRegionsOutside(t *testing.T) {
	if _, err := OpenArray(context.Background(), testArray(t, `["bytes"]`, binary.LittleEndian, bytes.Clone), ""); err == nil {
		t.Fatal("codec bytes without endian was accepted for two-byte elements")
	}
	a, err := OpenArray(context.Background(), testArray(t, `[{"name":"bytes","configuration":{"endian":"little"}}]`, binary.LittleEndian, bytes.Clone), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, region := range [][3][]uint64{
		{{0}, {5}, {5}}, {{5, 0}, {1, 1}, {1}}, {{0, 1}, {1, 7}, {7}}, {{0, 1 << 63}, {1, 1 << 63}, {1}}, {{0, 0}, {2, 2}, {3}},
	} {
		if err := a.ReadRegion(context.Background(), make([]byte, 2*region[2][0]), region[0], region[1]); err == nil {
			t.Errorf("region %v+%v was read", region[0], region[1])
		}
	}
}

func TestDamagedChunksAreErrors(t *testing.T) {
	const codecs = `[{"name":"bytes","configuration":{"endian":"little"}},CODEC]`
	tests := []struct {
		name, codec, want string
		chunk             []byte
	}{
		{"short", `{"name":"crc32c"}`, "decodes to 3 bytes, expected 12", withCRC([]byte{1, 2, 3})},
		{"checksum", `{"name":"crc32c"}`, "crc32c", append(make([]byte, 12), 1, 2, 3, 4)},
		{"three bytes", `{"name":"crc32c"}`, "expected at least 4", []byte{1, 2, 3}},
		{"no zstd", `{"name":"zstd"}`, "zstd", []byte("not a frame")},
		{"bomb", `{"name":"zstd"}`, "more than the expected", withZstd(make([]byte, 1<<20))},
		{"gzip bomb", `{"name":"gzip"}`, "more than the expected", withGzip(make([]byte, 1<<20))},
		{"cut gzip", `{"name":"gzip"}`, "gzip", withGzip(make([]byte, 12))[:20]},
		{"huge", `{"name":"gzip"}`, "expected at most", make([]byte, 1<<20)},
	}
	for _, test := range tests {
		store := testArray(t, strings.ReplaceAll(codecs, "CODEC", test.codec), binary.LittleEndian,
			func([]byte) []byte { return test.chunk })
		a, err := OpenArray(context.Background(), store, "")
		if err != nil {
			t.Fatal(err)
		}
		err = a.Read(context.Background(), make([]byte, 70))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "c/") {
			t.Errorf("%s: %v, expected an error with %q", test.name, err, test.want)
		}
	}
}

// A document can claim a chunk larger than any memory; reading a corner of it must not take that
// memory.
func TestUnstoredChunksTakeNoMemory(t *testing.T) {
	text := strings.NewReplacer("[2,3]", "[1099511627776,1048576]", "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`).Replace(testDocument)
	a, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, "")
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 70)
	if err := a.Read(context.Background(), got); err != nil {
		t.Fatal(err)
	}
	if want := bytes.Repeat([]byte{9, 0}, 35); !bytes.Equal(got, want) {
		t.Errorf("%x, expected %x", got, want)
	}
}

func TestScalarArray(t *testing.T) {
	text := strings.NewReplacer("[5,7]", "[]", "[2,3]", "[]", "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`,
		`["y",null]`, "[]").Replace(testDocument)
	store := mapStore{"s/zarr.json": []byte(text), "s/c": {7, 1}}
	a, err := OpenArray(context.Background(), store, "s")
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 2)
	if err := a.Read(context.Background(), got); err != nil || got[0] != 7 || got[1] != 1 {
		t.Errorf("%x, %v", got, err)
	}
}

func TestDocumentsAreChecked(t *testing.T) {
	base := strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`)
	if _, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(base)}, ""); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"zarr_format":3`, `"zarr_format":2`},
		{`"array"`, `"group"`},
		{"[5,7]", "[5,-7]"},
		{"[5,7]", "[5,7.5]"},
		{"[5,7]", "[4294967296,4294967296]"},
		{"[5,7]", "[5]"},
		{"[2,3]", "[2,0]"},
		{"[2,3]", `[2,"3"]`},
		{"[2,3]", "[4294967296,4294967296]"},
		{"uint16", "uint17"},
		{`"regular"`, `"rectilinear"`},
		{`"default"`, `"other"`},
		{`"separator":"/"`, `"separator":"x"`},
		{`"fill_value":9`, `"fill_value":"NaN"`},
		{`"fill_value":9,`, ``},
		{`{"name":"bytes"`, `{"name":"transpose"`},
		{`{"name":"bytes"`, `{"name":"nothing"`},
		{`{"name":"bytes"`, `{"nome":"bytes"`},
		{`"little"`, `"middle"`},
		{`["y",null]`, `["y"]`},
		{`{"a":1}}`, `{"a":1},"storage_transformers":[{"name":"x"}]}`},
		{`{"a":1}}`, `{"a":1},"unknown":{}}`},
		{`{"a":1}}`, `{"a":1}`},
		{`{"a":1}}`, `{"a":1}} x`},
	} {
		text := strings.Replace(base, change[0], change[1], 1)
		if text == base {
			t.Fatalf("%q changes nothing", change)
		}
		if _, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, ""); err == nil {
			t.Errorf("%q in the place of %q was accepted", change[1], change[0])
		}
	}
	text := strings.Replace(base, `{"a":1}}`, `{"a":1},"unknown":{"must_understand":false}}`, 1)
	if _, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, ""); err != nil {
		t.Error(err)
	}
	text = strings.Replace(base, `{"name":"bytes"`, `{"name":"nothing"`, 1)
	_, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, "")
	var unsupported *UnsupportedError
	if !errors.As(err, &unsupported) {
		t.Errorf("an unknown codec gives %v, expected an UnsupportedError", err)
	}
	text = strings.Replace(base, `{"name":"bytes"`, `{"name":"sharding_indexed"`, 1)
	_, err = OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, "")
	if err == nil || !strings.Contains(err.Error(), "chunk_shape") {
		t.Errorf("sharding without a configuration gives %v, expected an error that names chunk_shape", err)
	}
}

func TestDocumentsWriteWhatTheyRead(t *testing.T) {
	text := strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}]`)
	a, err := OpenArray(context.Background(), mapStore{"zarr.json": []byte(text)}, "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(a.Metadata())
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := errors.Join(json.Unmarshal([]byte(text), &want), json.Unmarshal(again, &got)); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		t.Errorf("%v, expected %v", got, want)
	}
}

func FuzzOpenArray(f *testing.F) {
	f.Add([]byte(strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"little"}}]`)), []byte("chunk"))
	f.Add([]byte(strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"big"}},"zstd"]`)), withZstd(make([]byte, 12)))
	f.Add([]byte(strings.ReplaceAll(testDocument, "CODECS", `[{"name":"bytes","configuration":{"endian":"big"}},"gzip","crc32c"]`)), withCRC(withGzip(make([]byte, 12))))
	f.Add([]byte(strings.ReplaceAll(testDocument, "CODECS", `[{"name":"transpose","configuration":{"order":[1,0]}},{"name":"packbits","configuration":{"last_bit":3}}]`)), make([]byte, 3))
	f.Add([]byte(strings.ReplaceAll(testDocument, "CODECS", `[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes",{"name":"numcodecs.lz4"}]`)), make([]byte, 3))
	f.Add(three(`{"name":"optional","configuration":{"name":"uint8"}}`, `null`, `[2,2]`, optionalCodec(`"packbits"`, `"bytes"`)), []byte("\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x09\x00\x05"))
	f.Fuzz(func(t *testing.T, document, chunk []byte) {
		store := mapStore{"zarr.json": document, "c": chunk, "c/0": chunk, "c/0/0": chunk}
		a, err := OpenArray(context.Background(), store, "")
		if err != nil {
			return
		}
		readSmall(t, a)
	})
}

func TestDirStore(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"zarr.json": "root", "a/zarr.json": "array", "a/c/0": "0123456789"} {
		if err := errors.Join(os.MkdirAll(folder+"/a/c", 0o777), os.WriteFile(folder+"/"+name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(folder+".secret", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Symlink(folder+".secret", folder+"/link"); err != nil {
		t.Fatal(err)
	}
	checkStore(t, NewDir(root.FS()))
	if _, err := Stat(context.Background(), NewDir(root.FS()), "a"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a folder gives %v", err)
	}
	if _, err := Stat(context.Background(), NewDir(root.FS()), "link"); err == nil {
		t.Error("a symbolic link led out of the folder")
	}
}

// checkStore checks a store with a/c/0 of ten digits.
func checkStore(t *testing.T, s Store) {
	t.Helper()
	ctx := context.Background()
	for r, want := range map[Range]string{{}: "0123456789", Bytes(2, 3): "234", Bytes(8, 9): "89", From(7): "789", Suffix(2): "89"} {
		body, info, err := Get(ctx, s, "a/c/0", r)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if _, err := got.ReadFrom(body); err != nil || got.String() != want || info.Size != 10 {
			t.Errorf("range %v: %q of %d bytes, %v; expected %q", r, &got, info.Size, err, want)
		}
		if err := body.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := Get(ctx, s, "a/c/0", From(10)); !errors.Is(err, ErrRange) {
		t.Errorf("a range after the end gives %v", err)
	}
	for _, key := range []string{"a/c/1", "../x", "", "a/../a/c/0", "/etc/passwd"} {
		if _, err := Stat(ctx, s, key); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q gives %v", key, err)
		}
	}
	if info, err := Stat(ctx, s, "a/c/0"); err != nil || info.Size != 10 {
		t.Errorf("%+v, %v", info, err)
	}
}

// Inner chunks that lie side by side in a shard are read at once, in whatever order they were written.
func TestRunsOfShard(t *testing.T) {
	s := &sharding{shape: []uint64{4, 4}, chunk: []uint64{2, 2}, grid: []uint64{2, 2}}
	index := []innerChunk{{300, 100}, {100, 100}, {0, 100}, {absentChunk, absentChunk}}
	runs := s.runs(index, part{from: []uint64{0, 0}, count: []uint64{4, 4}})
	if len(runs) != 1 || runs[0].innerChunk != (innerChunk{0, 400}) || fmt.Sprint(runs[0].chunks) != "[2 1 0]" {
		t.Errorf("runs %v", runs)
	}
}
