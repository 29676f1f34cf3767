package zarr

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
)

// fixture opens a store of fixtures/zarr.
func fixture(t testing.TB, name string) Store {
	t.Helper()
	file, err := os.Open("../fixtures/zarr/" + name + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	stat, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewZip(file, stat.Size())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// digest is the digest of an array that interop/zarr/random_stores.py makes.
func digest(t testing.TB, a *Array) string {
	t.Helper()
	shape := a.Metadata().Shape
	start := make([]uint64, len(shape))
	sum := sha256.New()
	switch a.Element().Kind {
	case KindText, KindBlob, KindList, KindChars, KindBytes:
		texts, err := a.ReadBlobs(t.Context(), start, shape)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			sum.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...))
		}
	default:
		size, err := a.Metadata().Bytes()
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, size)
		if err := a.Read(t.Context(), data); err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Each array has the elements that zarr-python and numcodecs read: one for each codec and data type.
func TestStoresOfOtherWriters(t *testing.T) {
	for _, name := range []string{"format2", "format3", "zfpy"} {
		text, err := os.ReadFile("../fixtures/zarr/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		for a, err := range Arrays(t.Context(), fixture(t, name), "") {
			if err != nil {
				t.Error(err)
				continue
			}
			if got := digest(t, a); got != want[a.Path()] {
				t.Errorf("%s: %s: other elements", name, a.Path())
			}
			delete(want, a.Path())
		}
		for path := range want {
			t.Errorf("%s: %s was not found", name, path)
		}
	}
}

// Any region of an array is a part of the whole: of chunks, shards, and orders.
func TestRegionsOfStores(t *testing.T) {
	for _, name := range []string{"format2", "format3"} {
		for a, err := range Arrays(t.Context(), fixture(t, name), "") {
			if err != nil || a.Element().Size == 0 {
				continue
			}
			size := a.Element().Size
			whole := make([]byte, 5*7*size)
			if err := a.Read(t.Context(), whole); err != nil {
				t.Fatal(err)
			}
			for y := range uint64(5) {
				for x := range uint64(6) {
					part := make([]byte, 2*size)
					if err := a.ReadRegion(t.Context(), part, []uint64{y, x}, []uint64{1, 2}); err != nil {
						t.Fatal(err)
					}
					if at := (int(y)*7 + int(x)) * size; string(part) != string(whole[at:at+2*size]) {
						t.Fatalf("%s %s: other elements at %d, %d", name, a.Path(), y, x)
					}
				}
			}
		}
	}
}

// A damaged chunk gives an error or other elements, no panic. A chunk that is cut off is an error that
// names it.
func TestDamagedStores(t *testing.T) {
	for _, name := range []string{"format2", "format3", "zfpy"} {
		s := fixture(t, name).(*zipStore)
		for a, err := range Arrays(t.Context(), s, "") {
			if err != nil {
				t.Fatal(err)
			}
			key := JoinKey(a.Path(), a.Metadata().ChunkKeys.Key([]uint64{0, 0}))
			stored, err := ReadAll(t.Context(), s, key, 1<<20)
			if err != nil {
				continue // not stored
			}
			for _, cut := range []int{0, 1, len(stored) / 2, len(stored) - 1} {
				_, _, err := a.chain.decode(nil, stored[:cut], a.chain.specs[0].size)
				if err == nil && cut < len(stored)/2 {
					t.Errorf("%s: %d of %d bytes were decoded", key, cut, len(stored))
				}
			}
			for i := 0; i < len(stored); i += 7 {
				broken := append([]byte(nil), stored...)
				broken[i] ^= 0xff
				_, _, _ = a.chain.decode(nil, broken, a.chain.specs[0].size)
			}
		}
	}
}

// FuzzCodecs decodes any bytes with the codecs of each array of the fixtures.
func FuzzCodecs(f *testing.F) {
	var all []*Array
	for _, name := range []string{"format2", "format3", "zfpy"} {
		s := fixture(f, name)
		for a, err := range Arrays(context.Background(), s, "") {
			if err != nil {
				f.Fatal(err)
			}
			for _, index := range [][]uint64{{0, 0}, {0, 1}} {
				if stored, err := ReadAll(context.Background(), s, JoinKey(a.Path(), a.Metadata().ChunkKeys.Key(index)), 1<<20); err == nil {
					f.Add(uint16(len(all)), stored)
				}
			}
			all = append(all, a)
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, stored []byte) {
		a := all[int(which)%len(all)]
		size := a.chain.specs[0].size
		before := bytes.Clone(stored)
		data, _, err := a.chain.decode(nil, stored, size)
		if err == nil && int64(len(data)) != size {
			t.Errorf("%s: %d bytes, expected %d", a.Path(), len(data), size)
		}
		if !bytes.Equal(stored, before) {
			t.Errorf("%s: the stored bytes were changed", a.Path())
		}
	})
}
