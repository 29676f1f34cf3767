package zarr

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/codec/blosc"
)

// A countedStore counts the bytes that are read of it.
type countedStore struct {
	mapStore
	read *int64
}

func (s countedStore) Open(ctx context.Context, key string) (Value, error) {
	v, err := s.mapStore.Open(ctx, key)
	return countedValue{v, s.read}, err
}

type countedValue struct {
	Value
	read *int64
}

func (v countedValue) Read(ctx context.Context, r Range) (io.ReadCloser, error) {
	_, n, err := r.Resolve(v.Info().Size)
	if err != nil {
		return nil, err
	}
	*v.read += n
	return v.Value.Read(ctx, r)
}

const rowsDocument = `{"zarr_format":3,"node_type":"array","shape":[3,2048,1024],"data_type":"uint32",
"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2048,1024]}},
"chunk_key_encoding":{"name":"default"},"fill_value":7,"codecs":CODECS}`

const zstdCodecs = `[{"name":"bytes","configuration":{"endian":"little"}},{"name":"zstd","configuration":{"level":1,"checksum":false}}]`

// TestArrayReadsRowsOfLargeChunks demands the elements of regions, and that not much more than their
// rows is read.
func TestArrayReadsRowsOfLargeChunks(t *testing.T) {
	const ny, nx = 2048, 1024
	value := func(z, y, x int) uint32 { return uint32((z*ny+y)*nx+x) * 2654435761 >> 8 }
	chunk := make([]byte, 0, 2*ny*nx*4)
	for i := range 2 * ny * nx {
		chunk = binary.LittleEndian.AppendUint32(chunk, value(i/(ny*nx), i/nx%ny, i%nx))
	}
	params := blosc.DefaultParams(4)
	params.BlockSize = 256 << 10
	compressed, err := blosc.EncodeBlosc1(nil, chunk, params)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		codecs string
		stored []byte
	}{
		{`[{"name":"bytes","configuration":{"endian":"little"}}]`, chunk},
		{`[{"name":"bytes","configuration":{"endian":"little"}},{"name":"blosc","configuration":{"cname":"lz4","shuffle":"shuffle","typesize":4,"clevel":5,"blocksize":0}}]`, compressed},
		{zstdCodecs, withZstd(chunk)},
	} {
		var read int64
		store := countedStore{mapStore{"zarr.json": []byte(strings.ReplaceAll(rowsDocument, "CODECS", test.codecs)), "c/0/0/0": test.stored}, &read}
		a, err := OpenArray(context.Background(), store, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, box := range [][2][]uint64{
			{{0, 5, 0}, {1, 3, nx}},
			{{1, 2000, 17}, {1, 1, 5}},
			{{0, 100, 3}, {2, 2, 4}},
			{{1, 2047, 1023}, {2, 1, 1}}, // the second chunk is not stored
		} {
			start, count := box[0], box[1]
			got := make([]byte, 4*count[0]*count[1]*count[2])
			read = 0
			if err := a.ReadRegion(context.Background(), got, start, count); err != nil {
				t.Fatalf("%s: %v: %v", test.codecs, box, err)
			}
			var want []byte
			for z := start[0]; z < start[0]+count[0]; z++ {
				for y := start[1]; y < start[1]+count[1]; y++ {
					for x := start[2]; x < start[2]+count[2]; x++ {
						v := uint32(7)
						if z < 2 {
							v = value(int(z), int(y), int(x))
						}
						want = binary.LittleEndian.AppendUint32(want, v)
					}
				}
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %v: other elements", test.codecs, box)
			}
			if count[0] == 1 && read > 4<<20 && test.codecs != zstdCodecs { // which is read from its beginning on
				t.Errorf("%s: %v: %d bytes read of %d", test.codecs, box, read, len(test.stored))
			}
		}
		store.mapStore["c/0/0/0"] = test.stored[:len(test.stored)/2]
		err = a.ReadRegion(context.Background(), make([]byte, 4), []uint64{1, 2047, 1023}, []uint64{1, 1, 1})
		if err == nil || !strings.Contains(err.Error(), "c/0/0/0") {
			t.Errorf("%s: error %v for half a chunk, expected one that names it", test.codecs, err)
		}
	}
}

// Rows of a chunk that zstd compressed are read one after the other, and the chunk once. Damage is detected when
// its last rows are read.
func TestRowsFollowInZstd(t *testing.T) {
	const rows, row = 2 * 2048, 4 * 1024
	chunk := make([]byte, rows*row)
	for i := range chunk {
		chunk[i] = byte(i * i >> 7)
	}
	stored := withZstd(chunk)
	var read int64
	store := countedStore{mapStore{"zarr.json": []byte(strings.ReplaceAll(rowsDocument, "CODECS", zstdCodecs)), "c/0/0/0": stored}, &read}
	a, err := OpenArray(t.Context(), store, "")
	if err != nil {
		t.Fatal(err)
	}
	all := func() error {
		for at := uint64(0); at < rows; at += 64 {
			got := make([]byte, 64*row)
			if err := a.ReadRegion(t.Context(), got, []uint64{at / 2048, at % 2048, 0}, []uint64{1, 64, 1024}); err != nil {
				return err
			}
			if !bytes.Equal(got, chunk[at*row:][:len(got)]) {
				t.Errorf("other elements in row %d", at)
			}
		}
		return nil
	}
	if err := all(); err != nil {
		t.Fatal(err)
	}
	if most := int64(len(stored)) + rows/64*readAhead; read > most {
		t.Errorf("%d bytes read, expected at most %d", read, most)
	}
	for name, stored := range map[string][]byte{
		"more than": append(withZstd(chunk), withZstd([]byte{1})...), "expected": withZstd(chunk[:len(chunk)-1]), "after": append(withZstd(chunk), 1, 2, 3, 4, 5),
	} {
		store.mapStore["c/0/0/0"] = stored
		if err := all(); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "c/0/0/0: codec zstd: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
