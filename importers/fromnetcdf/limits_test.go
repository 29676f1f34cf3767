package fromnetcdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
)

// classicClaim is a CDF-5 file of one variable of n bytes that has no data.
func classicClaim(n uint64, record bool) []byte {
	u32, u64 := binary.BigEndian.AppendUint32, binary.BigEndian.AppendUint64
	name := func(b []byte) []byte { return append(u64(b, 1), "x\x00\x00\x00"...) }
	b := []byte("CDF\x05")
	length := n
	if record {
		b, length = u64(b, n), 0
	} else {
		b = u64(b, 0)
	}
	b = u64(name(u64(u32(b, 10), 1)), length)         // dimensions
	b = u64(u32(b, 0), 0)                             // no global attributes
	b = u64(u64(name(u64(u32(b, 11), 1)), 1), 0)      // a variable of one dimension
	b = name(u64(u32(b, 12), 1))                      // one attribute, x = 1.0
	b = append(u64(u32(b, 6), 1), "?\xf0\x00\x00"...) // … a double
	b = u32(b, 0)
	b = u64(u32(b, 1), n) // bytes
	return u64(b, uint64(len(b)+8))
}

// TestHostileLengths converts files of a few bytes that claim large arrays: they must be refused
// before memory is taken.
func TestHostileLengths(t *testing.T) {
	chunked, err := os.ReadFile("../../fixtures/netcdf/pyfive/compressed.hdf5")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/claimed_text.h5") // three of 100 MB, never written
	if err != nil {
		t.Fatal(err)
	}
	rows := binary.LittleEndian.AppendUint64(nil, 21)
	files := map[string][]byte{
		"classic": classicClaim(1<<40, false), "classic, 1 GB": classicClaim(1<<30, false), "classic records": classicClaim(1<<40, true),
		"text":    text,
		"chunked": bytes.ReplaceAll(chunked, rows, binary.LittleEndian.AppendUint64(nil, 21<<24)),
	}
	for name, b := range files {
		for _, split := range []Split{SplitFile, SplitRecord} {
			if split == SplitRecord && name != "classic records" {
				continue
			}
			in := storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}
			defer in.Close()
			s := New([]importers.Input{{Name: storage.Stdin}}, Options{Opener: &in, Split: split})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := importers.Convert(t.Context(), s, io.Discard, importers.Options{Workers: 1})
			runtime.ReadMemStats(&after)
			s.Close()
			var bad *importers.BadInput
			if !errors.As(err, &bad) {
				t.Errorf("%s: %v, expected the input to be bad", name, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
				t.Errorf("%s: %d bytes of memory were taken for a file of %d (%v)", name, took, len(b), err)
			}
		}
	}
}

// sizedBlob is a blob of that size; nothing else of it is used.
type sizedBlob int64

func (s sizedBlob) Size() int64                                      { return int64(s) }
func (sizedBlob) ReadAt(context.Context, []byte, int64) (int, error) { return 0, io.EOF }
func (sizedBlob) ETag() string                                       { return "" }
func (sizedBlob) Close() error                                       { return nil }

// TestPlausibleUnpacked counts the bytes that elements take when they are unpacked.
func TestPlausibleUnpacked(t *testing.T) {
	nc, err := netcdf.Open("../../fixtures/netcdf/cf_temperature_deflate.nc")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	v := nc.Root().Var("temperature")
	kind, err := elementsOf(v.Type, v.Attrs)
	if err != nil {
		t.Fatal(err)
	}
	p := part{variable: &variable{v: v, attrs: v.Attrs, kind: kind}, axis: -1}
	if size := p.elementSize(); size != 8 || v.Type.Size != 2 {
		t.Errorf("elements of %d bytes take %d when unpacked, expected 8", v.Type.Size, size)
	}
	f := &file{InputFile: &importers.InputFile{Blob: sizedBlob(20_000)}, nc: nc}
	for _, c := range []struct {
		elements, size int
		ok             bool
	}{{60, 8, true}, {freeBytes / 8, 8, true}, {freeBytes/8 + 1, 8, false}, {freeBytes / 2, 2, true}, {freeBytes/2 + 1, 2, false}} {
		err := f.plausible(v, slab{start: make([]uint64, 3), count: v.Shape(), elements: c.elements}, c.size)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "can hold") {
			t.Errorf("%d elements of %d bytes: %v", c.elements, c.size, err)
		}
	}
}
