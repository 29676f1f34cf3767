package zfp

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// A grid is a chunk of HDF5 that interop/codecs/zfp_grids.py wrote.
type grid struct {
	Type    string
	Shape   []int
	Mode    string
	Values  []uint32
	Stream  string
	Decoded string
}

func grids(t testing.TB) (list []grid) {
	t.Helper()
	b, err := os.ReadFile("testdata/grids.json")
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// header is the header of the filter: its values without the first, which has versions.
func (g *grid) header() (b []byte) {
	for _, v := range g.Values[1:] {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGrids(t *testing.T) {
	list := grids(t)
	if len(list) < 90 {
		t.Errorf("%d grids, expected at least 90", len(list))
	}
	for _, v := range list {
		g, err := ParseHeader(v.header())
		if err != nil {
			t.Errorf("%+v: %v", v, err)
			continue
		}
		dims := slices.Clone(g.Dims)
		slices.Reverse(dims)
		if !slices.Equal(dims, v.Shape) {
			t.Errorf("%v %s: dimensions %v", v.Shape, v.Type, g.Dims)
		}
		want := unhex(t, v.Decoded)
		got := make([]byte, len(want))
		if err := g.Decode(got, unhex(t, v.Stream)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v %s %s: values differ, error %v", v.Shape, v.Type, v.Mode, err)
		}
	}
}

func FuzzGrid(f *testing.F) {
	for _, v := range grids(f) {
		f.Add(v.header(), unhex(f, v.Stream))
	}
	f.Fuzz(func(t *testing.T, header, stream []byte) {
		g, err := ParseHeader(header)
		if err != nil {
			return
		}
		if n, ok := g.Len(); ok && n <= 1<<16 {
			_ = g.Decode(make([]byte, n*g.Type.Size()), stream)
		}
	})
}
