package fromnetcdf

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
)

// classicShorts is a CDF-1 file of one variable of n shorts with scale_factor 1.1. If fill is set, -32767 is
// its _FillValue.
func classicShorts(n int, fill bool) []byte {
	u32 := binary.BigEndian.AppendUint32
	text := func(b []byte, s string) []byte {
		return append(append(u32(b, uint32(len(s))), s...), make([]byte, -len(s)&3)...)
	}
	b := u32([]byte("CDF\x01"), 0)
	b = u32(text(u32(u32(b, 10), 1), "x"), uint32(n))
	b = u32(u32(b, 0), 0)
	b = u32(u32(text(u32(u32(b, 11), 1), "t"), 1), 0)
	attributes := uint32(1)
	if fill {
		attributes = 2
	}
	b = u32(u32(b, 12), attributes)
	b = binary.BigEndian.AppendUint64(u32(u32(text(b, "scale_factor"), 6), 1), math.Float64bits(1.1))
	if fill {
		b = append(u32(u32(text(b, "_FillValue"), 3), 1), 0x80, 0x01, 0, 0)
	}
	b = u32(u32(b, 3), uint32(2*n))
	b = u32(b, uint32(len(b)+4))
	for i := range n {
		v := int16(1000 * math.Sin(float64(i)/1000))
		if i%50 == 0 {
			v = -32767
		}
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return b
}

// TestMemory converts one large variable and counts all the memory that is ever taken: little more than its
// values once, and the output where the compression cannot work in place.
func TestMemory(t *testing.T) {
	const n, payload = 6 << 20, 8 * (6 << 20)
	fixed := uint64(24+4*runtime.GOMAXPROCS(0)) << 20 // the encoder of zstd, and the working memory of each core
	path := filepath.Join(t.TempDir(), "t.nc")
	for _, fill := range []bool{false, true} {
		if err := os.WriteFile(path, classicShorts(n, fill), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, e := range []importers.Encoding{
			{}, {Encoding: "none"}, {Encoding: "none", Filter: "shuffle", Compression: "zstd"},
			{Encoding: "none", Filter: "shuffle", Compression: "lz4"},
			{Encoding: "simple_packing", Compression: "szip"}, {Encoding: "simple_packing", Bits: 24, Filter: "shuffle", Compression: "zstd"},
		} {
			s := New([]importers.Input{{Name: path}}, Options{})
			// A collection empties the pools at any time, and their memory is taken again.
			runtime.GC()
			percent := debug.SetGCPercent(-1)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var out counter
			_, err := importers.Convert(t.Context(), s, &out, importers.Options{Encoding: e, Workers: 1, TempDir: t.TempDir()})
			runtime.ReadMemStats(&after)
			debug.SetGCPercent(percent)
			if err != nil {
				t.Fatal(err)
			}
			most := payload*11/10 + fixed
			if e.Encoding == "none" && e.Compression != "lz4" { // in pieces
				most = fixed + 6*blockBytes
			}
			switch e.Compression {
			case "lz4":
				most += payload // it wants room for the worst case
			case "szip":
				most += 8 * uint64(out) // which grows, and whose parts are joined; a copy of the payload would be more
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("%s %s %s, fill values %t: %.1f MB taken for a payload of %.1f MB, expected at most %.1f",
					e.Encoding, e.Filter, e.Compression, fill, float64(took)/1e6, payload/1e6, float64(most)/1e6)
			}
		}
	}
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// TestUnpackedInPlace compares values unpacked over the elements they were read from with the
// formula.
func TestUnpackedInPlace(t *testing.T) {
	b := classicShorts(5000, true)
	in := storage.Client{Stdin: bytes.NewReader(b), TempDir: t.TempDir()}
	defer in.Close()
	s := New([]importers.Input{{Name: storage.Stdin}}, Options{Opener: &in})
	defer s.Close()
	for p, err := range s.Parts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		scratch := new(importers.Scratch)
		for f, err := range s.Read(t.Context(), p, scratch) {
			if err != nil {
				t.Fatal(err)
			}
			// Packed is asked first, and leaves the elements it read when it cannot keep the integers.
			if q, err := f.Values.Packed(t.Context(), scratch); q != nil || err != nil {
				t.Fatalf("%v %v, expected that a scale of 1.1 cannot be kept", q, err)
			}
			e, err := f.Elements(t.Context(), scratch)
			if err != nil || len(e.Data) != 8*5000 {
				t.Fatal(len(e.Data), err)
			}
			for i := range 5000 {
				raw := int16(binary.BigEndian.Uint16(b[len(b)-2*5000+2*i:]))
				got := math.Float64frombits(binary.LittleEndian.Uint64(e.Data[8*i:]))
				if missing := raw == -32767; missing != e.Missing.Get(i) || !missing && got != float64(raw)*1.1 {
					t.Fatalf("element %d of %d: %v, missing %t", i, raw, got, e.Missing.Get(i))
				}
			}
		}
	}
}
