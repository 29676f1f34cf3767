package aec

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTruncated cuts streams everywhere: each must decode whole or give ErrTruncated at a block
// inside the stream.
func TestTruncated(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, kind := range sampleKinds() {
		for _, p := range []Params{
			{BitsPerSample: 16, BlockSize: 16, RSI: 4, Flags: Preprocess | MSB},
			{BitsPerSample: 32, BlockSize: 8, RSI: 100},
			{BitsPerSample: 3, BlockSize: 64, RSI: 2, Flags: Preprocess | Signed},
		} {
			x := kind.make(rng, 500, p)
			coded, _, err := EncodeUint32(nil, x, p)
			if err != nil {
				t.Fatal(err)
			}
			for n := range len(coded) {
				checkTruncated(t, kind.name, p, coded, n, len(x))
			}
		}
	}
}

func checkTruncated(t *testing.T, name string, p Params, coded []byte, n, samples int) {
	t.Helper()
	short := coded[:n:n]
	err := DecodeUint32(make([]uint32, samples), short, p)
	var stream *StreamError
	if err == nil {
		// The last block is filled up: its last bytes may be samples that were not asked for.
		if len(coded)-n > p.BlockSize*p.BitsPerSample/8+1 {
			t.Fatalf("%s %+v: %d of %d bytes decode", name, p, n, len(coded))
		}
	} else if !errors.As(err, &stream) || !errors.Is(err, ErrTruncated) {
		t.Fatalf("%s %+v, %d of %d bytes: %v", name, p, n, len(coded), err)
	} else if stream.Bit > uint64(n)*8 || stream.Samples != samples || stream.Block > samples/p.BlockSize {
		t.Fatalf("%s %+v, %d of %d bytes: %+v", name, p, n, len(coded), stream)
	}
	if _, scanErr := ScanOffsets(short, p, samples); (scanErr == nil) != (err == nil) {
		t.Fatalf("%s %+v, %d of %d bytes: decoding gives %v, scanning %v", name, p, n, len(coded), err, scanErr)
	}
}

func TestDamaged(t *testing.T) {
	p := Params{BitsPerSample: 8, BlockSize: 8, RSI: 4, Flags: Preprocess}
	raw := Params{BitsPerSample: 4, BlockSize: 8, RSI: 4}
	for _, test := range []struct {
		name    string
		p       Params
		stream  string // bits, blanks between the parts
		samples int
		reason  error
		block   int
	}{
		{"empty", p, "", 1, ErrTruncated, 0},
		{"run of 4 in an interval of 4", p, "000 0 00000000 0001", 32, nil, 0},
		{"run of 5", p, "000 0 00000000 000001", 32, ErrZeroRun, 0},
		{"run of 4 after a block", p, "000 0 00000000 1  000 0 0001", 32, ErrZeroRun, 1},
		{"rest after a block", p, "000 0 00000000 1  000 0 00001", 32, nil, 0},
		{"run without end", p, "000 0 00000000 000000000000", 32, ErrTruncated, 0},
		{"difference above 8 bits", p, "101 00000000 1" + strings.Repeat("0", 16) + "111111" + strings.Repeat("0", 99), 8, ErrRange, 0},
		{"sample above 4 bits", raw, "011 0001 1111111" + strings.Repeat("0", 90), 8, nil, 0},
		{"sample of 16", raw, "011 000000001 1111111" + strings.Repeat("0", 90), 8, ErrRange, 0},
		{"second extension code of 90", raw, "000 1" + strings.Repeat("0", 90) + "1111", 8, nil, 0},
		{"second extension code of 91", raw, "000 1" + strings.Repeat("0", 91) + "1111", 8, ErrSecondExtension, 0},
		{"second extension above 2 bits", Params{BitsPerSample: 2, BlockSize: 8, RSI: 4}, "000 1" + strings.Repeat("0", 10) + "1111", 8, ErrRange, 0},
		{"long unary code", raw, "001" + strings.Repeat("0", 400) + "1111 1111", 8, ErrRange, 0},
	} {
		src := packBits(test.stream)
		for _, pad := range []int{0, 64} { // near the end of the stream and far from it
			padded := append(src[:len(src):len(src)], make([]byte, pad)...)
			if test.reason == ErrTruncated && pad > 0 {
				continue
			}
			err := DecodeUint32(make([]uint32, test.samples), padded, test.p)
			var stream *StreamError
			if !errors.Is(err, test.reason) || err != nil && (!errors.As(err, &stream) || stream.Block != test.block) {
				t.Errorf("%s: %v", test.name, err)
			}
		}
	}
}

// packBits makes bytes of a text of 0 and 1.
func packBits(s string) []byte {
	var w bitWriter
	for _, c := range s {
		if c != ' ' {
			w.reserve(1)
			w.put(uint64(c-'0'), 1)
		}
	}
	return w.finish()
}

func TestErrorText(t *testing.T) {
	err := DecodeUint32(make([]uint32, 9), []byte{0}, Params{BitsPerSample: 8, BlockSize: 8, RSI: 1, Flags: Preprocess})
	if got, want := err.Error(), "aec: block 0 at bit 0, decoding 9 samples: stream ends too early"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
