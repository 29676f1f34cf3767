package aec

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkParts compares every other way to read a stream with the output of Decode.
func checkParts(t *testing.T, name string, p Params, coded, decoded []byte, offsets []uint64) {
	t.Helper()
	size := p.SampleBytes()
	n := len(decoded) / size
	scanned, err := ScanOffsets(coded, p, n)
	if err != nil || !slices.Equal(scanned, offsets) {
		t.Fatalf("%s: scanned %v, %v; encoded %v", name, scanned, err, offsets)
	}
	if plain, err := decodePlain(coded, p, n); err != nil || !bytes.Equal(plain, decoded) {
		t.Fatalf("%s: the plain form decodes differently, %v", name, err)
	}
	if pieces, err := decodePieces(coded, p, n); err != nil || !bytes.Equal(pieces, decoded) {
		t.Fatalf("%s: pieces decode differently, %v", name, err)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for range 3 {
		if n == 0 {
			break
		}
		first := rng.IntN(n)
		count := rng.IntN(n - first + 1)
		part := make([]byte, count*size)
		if err := DecodeRange(part, coded, p, offsets, first, count); err != nil {
			t.Fatalf("%s: range %d+%d: %v", name, first, count, err)
		}
		if !bytes.Equal(part, decoded[first*size:][:count*size]) {
			t.Fatalf("%s: range %d+%d differs", name, first, count)
		}
	}
}

// decodePlain decodes without the kernels.
func decodePlain(coded []byte, p Params, n int) ([]byte, error) {
	d, err := newDecoder(coded, p)
	if err != nil {
		return nil, err
	}
	d.fast, d.want = false, n
	out := make([]byte, n*p.SampleBytes())
	return out, d.store(out, storeFunc(p))
}

// decodePieces decodes one block after the other.
func decodePieces(coded []byte, p Params, n int) ([]byte, error) {
	d, err := NewDecoder(coded, p)
	if err != nil {
		return nil, err
	}
	x := make([]uint32, n)
	for rest := x; len(rest) > 0; {
		piece := rest[:min(len(rest), p.BlockSize)]
		if err := d.Next(piece); err != nil {
			return nil, err
		}
		rest = rest[len(piece):]
	}
	out := make([]byte, n*p.SampleBytes())
	storeFunc(p)(out, x)
	return out, nil
}

func TestSignExtendedSamples(t *testing.T) {
	p := Params{BitsPerSample: 12, BlockSize: 8, RSI: 4, Flags: Signed | Preprocess | MSB}
	extended := []byte{0xff, 0xff, 0x00, 0x01, 0xf8, 0x00, 0x07, 0xff}
	cut := []byte{0x0f, 0xff, 0x00, 0x01, 0x08, 0x00, 0x07, 0xff}
	a, _, err := Encode(nil, extended, p)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := Encode(nil, cut, p)
	if err != nil || !bytes.Equal(a, b) {
		t.Fatalf("%x and %x, %v", a, b, err)
	}
	back := make([]byte, len(extended))
	if err := Decode(back, a, p); err != nil || !bytes.Equal(back, extended) {
		t.Fatalf("%x, %v", back, err)
	}
	ints, _, err := EncodeUint32(nil, []uint32{0xffffffff, 1, 0xfffff800, 0x7ff}, p)
	if err != nil || !bytes.Equal(ints, a) {
		t.Fatalf("%x, %v", ints, err)
	}
}

func TestAppend(t *testing.T) {
	p := Params{BitsPerSample: 8, BlockSize: 8, RSI: 2, Flags: Preprocess}
	src := []byte("an ordinary sentence, long enough for three intervals")
	alone, offsets, err := Encode(nil, src, p)
	if err != nil {
		t.Fatal(err)
	}
	out, appended, err := Encode([]byte("before"), src, p)
	if err != nil || !bytes.Equal(out, append([]byte("before"), alone...)) || !slices.Equal(appended, offsets) {
		t.Fatalf("%x %v, want %x %v; %v", out, appended, alone, offsets, err)
	}
}

func TestEmpty(t *testing.T) {
	p := Params{BitsPerSample: 16, BlockSize: 8, RSI: 2}
	out, offsets, err := Encode(nil, nil, p)
	if err != nil || !bytes.Equal(out, []byte{0}) || len(offsets) != 0 {
		t.Fatalf("%x %v %v", out, offsets, err)
	}
	if err := Decode(nil, out, p); err != nil {
		t.Error(err)
	}
	if err := DecodeRange(nil, out, p, nil, 0, 0); err != nil {
		t.Error(err)
	}
	if scanned, err := ScanOffsets(nil, p, 0); err != nil || len(scanned) != 0 {
		t.Error(scanned, err)
	}
}

func TestParamErrors(t *testing.T) {
	good := Params{BitsPerSample: 16, BlockSize: 16, RSI: 128, Flags: Preprocess}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Params){
		"bits per sample":           func(p *Params) { p.BitsPerSample = 33 },
		"bits per sample 0":         func(p *Params) { p.BitsPerSample = 0 },
		"block size":                func(p *Params) { p.BlockSize = 24 },
		"odd block size":            func(p *Params) { p.BlockSize, p.Flags = 9, NotEnforce },
		"block size 0":              func(p *Params) { p.BlockSize, p.Flags = 0, NotEnforce },
		"negative block size":       func(p *Params) { p.BlockSize, p.Flags = -8, NotEnforce },
		"long interval":             func(p *Params) { p.RSI = 4097 },
		"reference sample interval": func(p *Params) { p.RSI = 0 },
		"restricted":                func(p *Params) { p.BitsPerSample, p.Flags = 5, Restricted },
		"flags":                     func(p *Params) { p.Flags = 128 },
	} {
		p := good
		change(&p)
		var want *ParamError
		if err := p.Validate(); !errors.As(err, &want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := Encode(nil, nil, p); !errors.As(err, &want) {
			t.Errorf("%s: Encode: %v", name, err)
		}
	}
	for _, p := range []Params{{BitsPerSample: 16, BlockSize: 24, RSI: 128}, {BitsPerSample: 16, BlockSize: 16, RSI: 65535}} {
		if err := p.validateDecode(); err != nil {
			t.Errorf("%+v cannot be decoded: %v", p, err)
		}
	}
}

func TestSizeAndSampleErrors(t *testing.T) {
	p := Params{BitsPerSample: 12, BlockSize: 8, RSI: 1, Flags: Preprocess}
	var size *SizeError
	if _, _, err := Encode(nil, make([]byte, 3), p); !errors.As(err, &size) {
		t.Error(err)
	}
	if err := Decode(make([]byte, 3), make([]byte, 30), p); !errors.As(err, &size) {
		t.Error(err)
	}
	if err := DecodeRange(make([]byte, 6), make([]byte, 30), p, []uint64{0}, 0, 2); !errors.As(err, &size) {
		t.Error(err)
	}
	for _, first := range []int{-1, 8, 1 << 30} {
		if err := DecodeRange(make([]byte, 2), make([]byte, 30), p, []uint64{0}, first, 1); !errors.As(err, &size) {
			t.Error(first, err)
		}
	}
	var sample *SampleError
	out, _, err := EncodeUint32([]byte("kept"), []uint32{0, 4095, 4096}, p)
	if !errors.As(err, &sample) || sample.Index != 2 || sample.Value != 4096 || string(out) != "kept" {
		t.Errorf("%q, %v", out, err)
	}
	p.Flags |= Signed
	if _, _, err := EncodeUint32(nil, []uint32{0xfffff7ff}, p); !errors.As(err, &sample) {
		t.Error(err)
	}
}

// TestHalfBlock makes sure that a decoder does not continue after samples that it did not read.
func TestHalfBlock(t *testing.T) {
	p := Params{BitsPerSample: 8, BlockSize: 8, RSI: 4, Flags: Preprocess}
	coded, _, err := Encode(nil, []byte("some text of three and a half blocks"), p)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDecoder(coded, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Next(make([]uint32, 11)); err != nil {
		t.Fatal(err)
	}
	var size *SizeError
	if err := d.Next(make([]uint32, 1)); !errors.As(err, &size) {
		t.Error(err)
	}
}

// TestRangeAfterZeros reads after a run of 2^32 samples without decoding it.
func TestRangeAfterZeros(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int is too small")
	}
	p := Params{BitsPerSample: 8, BlockSize: MaxBlockSize, RSI: maxDecodeRSI, Flags: Preprocess}
	var w bitWriter
	w.reserve(1 << 20)
	w.put(0, 4)
	w.put(77, 8)
	w.unary(maxDecodeRSI - 1) // all blocks but one
	w.put(1, 4)               // second extension, differences 1 and 0
	for range MaxBlockSize / 2 {
		w.put(1, 2)
	}
	dst := make([]byte, 9)
	first := p.interval() - p.BlockSize - 3
	if err := DecodeRange(dst, w.finish(), p, []uint64{0}, first, len(dst)); err != nil {
		t.Fatal(err)
	}
	if want := []byte{77, 77, 77, 76, 76, 75, 75, 74, 74}; !bytes.Equal(dst, want) {
		t.Error(dst, want)
	}
}
