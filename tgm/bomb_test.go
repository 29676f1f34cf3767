package tgm

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/tgmconv/tgmconv/internal/codec/compress"
)

// bombs are small messages that claim to hold a gibibyte.
func bombs(t testing.TB) map[string][]byte {
	const n = 1 << 27
	out := map[string][]byte{}
	craftOf := func(d Descriptor, payload []byte) []byte {
		d.Type, d.Shape, d.Strides = "ntensor", []uint64{n}, []uint64{1}
		cbor, err := d.marshal()
		if err != nil {
			t.Fatal(err)
		}
		return newCraft(0x81).meta(1, map[string]any{}).data(payload, cbor, true).done(false)
	}
	constant := map[string]any{packingKeys[0]: 1.0, packingKeys[1]: 0, packingKeys[2]: 0, packingKeys[3]: 0}
	out["constant"] = craftOf(Descriptor{DType: Float64, Encoding: nameSimplePacking, Filter: nameNone, Compression: nameNone, Params: constant}, nil)
	zeros, err := compress.EncodeZstd(nil, make([]byte, 8*n), 3)
	if err != nil {
		t.Fatal(err)
	}
	out["zstd"] = craftOf(Descriptor{DType: Float64, Encoding: nameNone, Filter: nameNone, Compression: nameZstd}, zeros)
	shuffled := map[string]any{keyShuffleSize: 8}
	out["shuffle and zstd"] = craftOf(Descriptor{DType: Float64, Encoding: nameNone, Filter: nameShuffle, Compression: nameZstd, Params: shuffled}, zeros)
	// 2^27 bits, in a run of zeros
	out["rle"] = craftOf(Descriptor{DType: Bitmask, Encoding: nameNone, Filter: nameNone, Compression: nameRLE}, []byte{8, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x40})
	return out
}

// TestBombs reads and validates messages that claim to be very much larger than they are, in little
// memory.
func TestBombs(t *testing.T) {
	if dir := os.Getenv("TGM_BOMBS"); dir != "" { // for trying them on the command
		for name, b := range bombs(t) {
			if err := os.WriteFile(dir+"/"+name+".tgm", b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, b := range bombs(t) {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, level := range []Level{LevelDefault, LevelFull} {
			if _, err := Validate(bytes.NewReader(b), int64(len(b)), level, ValidateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		m, err := open(t, b).Message(0)
		if err != nil {
			t.Fatal(err)
		}
		o, err := m.Object(0)
		if err != nil {
			t.Fatal(err)
		}
		var refused *EncodingError
		if _, err := o.Decode(DecodeOptions{}); !errors.As(err, &refused) {
			t.Errorf("%s: decoded: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 150<<20 {
			t.Errorf("%s: %d bytes of file took %d MB of memory", name, len(b), taken>>20)
		}
		if name != "constant" {
			continue
		}
		if part, err := o.DecodeRange(1<<26, 3, DecodeOptions{}); err != nil || len(part.Data) != 24 {
			t.Errorf("a part of a constant field: %v", err)
		}
	}
}
