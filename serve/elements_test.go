package serve

import (
	"bytes"
	"io"
	"testing"

	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/zarr"
)

// TestReaders reads arrays that are stored in every way, and compares them with their objects.
func TestReaders(t *testing.T) {
	constant := make([]float64, 3<<20)
	for i := range constant {
		constant[i] = 273.15
	}
	var file bytes.Buffer
	w := tgm.NewMessageWriter(&file, tgm.WriterOptions{})
	for _, p := range []tgm.Pipeline{
		{}, {Compression: "zstd"}, {Filter: "shuffle", Compression: "zstd"}, {Encoding: "simple_packing"}, {Encoding: "simple_packing", Compression: "szip"},
	} {
		if err := w.AppendArray("constant", tgm.ArrayOf(constant), p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := tgm.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Message(0)
	if err != nil {
		t.Fatal(err)
	}
	store := NewStore(NewMessageView(f, MessageOptions{}), StoreOptions{})
	n := 0
	for a, err := range zarr.Arrays(t.Context(), store, "") {
		if err != nil {
			t.Fatal(err)
		}
		object, err := m.Object(n)
		if err != nil {
			t.Fatal(err)
		}
		dtype, want, err := ObjectReader(object)
		if err != nil || dtype != zarr.Float64 {
			t.Fatalf("object %d: %s, %v", n, dtype, err)
		}
		got, err := a.Reader(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		x, errX := io.ReadAll(got)
		y, errY := io.ReadAll(want)
		if _, z, err := ObjectElements(object); err != nil || errX != nil || errY != nil || !bytes.Equal(x, y) || !bytes.Equal(y, z) {
			t.Errorf("object %d: %d, %d and %d bytes, errors %v, %v, %v", n, len(x), len(y), len(z), errX, errY, err)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
		n++
	}
	if n != 5 {
		t.Errorf("%d arrays, expected 5", n)
	}
}
