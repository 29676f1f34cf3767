package aec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// fuzzParams makes parameters of any four numbers, not always valid ones.
func fuzzParams(bits, block, rsi uint16, flags uint8) Params {
	return Params{BitsPerSample: int(bits % 34), BlockSize: int(block % 600), RSI: int(rsi), Flags: Flags(flags)}
}

// addStreams seeds a target with a stream of every kind of samples.
func addStreams(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, kind := range sampleKinds() {
		for _, p := range []Params{
			{BitsPerSample: 12, BlockSize: 32, RSI: 3, Flags: Preprocess | MSB},
			{BitsPerSample: 32, BlockSize: 8, RSI: 100, Flags: Preprocess | Signed},
			{BitsPerSample: 2, BlockSize: 64, RSI: 2, Flags: Restricted},
			{BitsPerSample: 24, BlockSize: 16, RSI: 5, Flags: ThreeByte},
		} {
			coded, _, err := EncodeUint32(nil, kind.make(rng, 300, p), p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(coded, uint16(p.BitsPerSample), uint16(p.BlockSize), uint16(p.RSI), uint8(p.Flags), uint16(300))
		}
	}
}

// typed fails unless err is one of the errors that the package promises.
func typed(t *testing.T, err error) {
	t.Helper()
	var param *ParamError
	var size *SizeError
	var stream *StreamError
	if err != nil && !errors.As(err, &param) && !errors.As(err, &size) && !errors.As(err, &stream) {
		t.Fatalf("%T: %v", err, err)
	}
}

// FuzzDecode decodes anything. The kernels and the plain form must agree on samples and on errors.
func FuzzDecode(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, src []byte, bits, block, rsi uint16, flags uint8, samples uint16) {
		p := fuzzParams(bits, block, rsi, flags)
		n := int(samples)
		size := p.SampleBytes()
		room := make([]byte, n*size+8)
		dst := room[: n*size : n*size]
		err := Decode(dst, src, p)
		typed(t, err)
		if !bytes.Equal(room[n*size:], make([]byte, 8)) {
			t.Fatal("wrote after the destination")
		}
		if p.validateDecode() != nil {
			return
		}
		plain, plainErr := decodePlain(src, p, n)
		if (err == nil) != (plainErr == nil) || err != nil && err.Error() != plainErr.Error() {
			t.Fatalf("kernels: %v, plain: %v", err, plainErr)
		}
		if err == nil && !bytes.Equal(plain, dst) {
			t.Fatal("kernels and plain form differ")
		}
	})
}

// FuzzScan scans anything. A stream that decodes must scan, and each interval must decode from its
// offset.
func FuzzScan(f *testing.F) {
	addStreams(f)
	f.Fuzz(func(t *testing.T, src []byte, bits, block, rsi uint16, flags uint8, samples uint16) {
		p := fuzzParams(bits, block, rsi, flags)
		n := int(samples)
		offsets, err := ScanOffsets(src, p, n)
		typed(t, err)
		if p.validateDecode() != nil {
			return
		}
		dst := make([]byte, n*p.SampleBytes())
		if decodeErr := Decode(dst, src, p); decodeErr != nil {
			return
		}
		if err != nil {
			t.Fatalf("decodes, but: %v", err)
		}
		if len(offsets) != p.Intervals(n) || n > 0 && offsets[0] != 0 || !slices.IsSorted(offsets) {
			t.Fatalf("offsets %v", offsets)
		}
		for i := range offsets {
			first := i * p.RSI * p.BlockSize
			part := make([]byte, min(n-first, 3)*p.SampleBytes())
			if err := DecodeRange(part, src, p, offsets, first, len(part)/p.SampleBytes()); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(part, dst[first*p.SampleBytes():][:len(part)]) {
				t.Fatalf("interval %d differs", i)
			}
		}
	})
}

// FuzzRange decodes any range from any offset.
func FuzzRange(f *testing.F) {
	rng := rand.New(rand.NewPCG(4, 4))
	p := Params{BitsPerSample: 12, BlockSize: 32, RSI: 3, Flags: Preprocess | MSB}
	coded, offsets, err := EncodeUint32(nil, sampleKinds()[4].make(rng, 300, p), p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(coded, uint16(12), uint16(32), uint16(3), uint8(p.Flags), offsets[1], 100, 50)
	f.Add(coded, uint16(12), uint16(32), uint16(3), uint8(p.Flags), ^uint64(0), -1, 50)
	f.Fuzz(func(t *testing.T, src []byte, bits, block, rsi uint16, flags uint8, offset uint64, first, count int) {
		p := fuzzParams(bits, block, rsi, flags)
		count = max(min(count, 1<<16), -1)
		dst := make([]byte, max(count, 0)*p.SampleBytes())
		typed(t, DecodeRange(dst, src, p, []uint64{0, offset}, first, count))
	})
}

// FuzzRoundTrip encodes anything that fits, with vector kernels and without, and decodes it again
// in every way.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some samples"), uint16(8), uint16(8), uint16(1), uint8(Preprocess))
	f.Add([]byte("some samples"), uint16(32), uint16(64), uint16(4096), uint8(MSB))
	f.Add(make([]byte, 1000), uint16(16), uint16(16), uint16(70), uint8(Preprocess|Signed))
	f.Fuzz(func(t *testing.T, raw []byte, bits, block, rsi uint16, flags uint8) {
		p := fuzzParams(bits, block, rsi, flags)
		p.Flags &^= PadRSI
		if p.Validate() != nil {
			return
		}
		size := p.SampleBytes()
		x := make([]uint32, len(raw)/size)
		loadFunc(p)(x, raw)
		for i := range x {
			x[i] &= p.sampleMask()
		}
		coded, offsets, err := EncodeUint32(nil, x, p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(coded, encodeGeneric(t, x, p)) {
			t.Fatal("vector kernels and plain form differ")
		}
		back := make([]byte, len(x)*size)
		if err := Decode(back, coded, p); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back, inMemory(x, p)) {
			t.Fatal("other samples than before")
		}
		checkParts(t, "fuzz", p, coded, back, offsets)
	})
}
