package aec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestThreads expects the same bytes, offsets and samples however many cores there are.
func TestThreads(t *testing.T) {
	const n = 3*groupSamples + 777
	random := rand.New(rand.NewPCG(3, 4))
	for _, p := range []Params{
		{BitsPerSample: 16, BlockSize: 16, RSI: 128, Flags: Preprocess},
		{BitsPerSample: 8, BlockSize: 8, RSI: 3, Flags: Preprocess},
		{BitsPerSample: 24, BlockSize: 32, RSI: 64, Flags: Preprocess | ThreeByte | MSB},
		{BitsPerSample: 32, BlockSize: 64, RSI: 4096},
		{BitsPerSample: 16, BlockSize: 16, RSI: 20, Flags: Preprocess | Signed},
	} {
		size := p.SampleBytes()
		src := make([]byte, n*size)
		for i := range n {
			if at := i * size; i%50_000 > 10_000 { // and long runs of zeros
				src[at+size-1] = byte(i>>9) & 0x3F
				src[at] = byte(random.IntN(1 + i>>13&0xFF))
			}
		}
		var single, several [2][]byte
		var offsets [2][]uint64
		for i, threads := range []int{1, 7} {
			old := runtime.GOMAXPROCS(threads)
			var err error
			single[i], offsets[i], err = Encode([]byte("before"), src, p)
			if err == nil {
				several[i] = make([]byte, len(src))
				err = DecodeIntervals(several[i], single[i][6:], p, offsets[i])
			}
			if err == nil && i == 1 { // offsets of something else
				wrong := slices.Clone(offsets[i])
				for j := range wrong[1:] {
					wrong[j+1]++
				}
				again := make([]byte, len(src))
				if err = DecodeIntervals(again, single[i][6:], p, wrong); !bytes.Equal(again, src) {
					t.Errorf("%+v: wrong offsets change what is decoded", p)
				}
			}
			runtime.GOMAXPROCS(old)
			if err != nil {
				t.Fatalf("%+v on %d cores: %v", p, threads, err)
			}
		}
		if !bytes.Equal(single[0], single[1]) || !slices.Equal(offsets[0], offsets[1]) {
			t.Errorf("%+v: other bytes on several cores: %d and %d", p, len(single[0]), len(single[1]))
		}
		if !bytes.Equal(several[0], src) || !bytes.Equal(several[1], src) {
			t.Errorf("%+v: other samples come back", p)
		}
	}
}

// TestThreadsErrors expects the error of the first sample that does not fit, and of a cut stream.
func TestThreadsErrors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p := Params{BitsPerSample: 12, BlockSize: 16, RSI: 128, Flags: Preprocess}
	samples := make([]uint32, 4*groupSamples)
	samples[300_000], samples[400_000] = 4096, 4097
	var wrong *SampleError
	if _, _, err := EncodeUint32(nil, samples, p); !errors.As(err, &wrong) || wrong.Index != 300_000 {
		t.Errorf("sample 300000 does not fit: %v", err)
	}
	samples[300_000], samples[400_000] = 7, 9
	stream, offsets, err := EncodeUint32(nil, samples, p)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 2*len(samples))
	var damaged *StreamError
	if err := DecodeIntervals(out, stream[:len(stream)-3], p, offsets); !errors.As(err, &damaged) {
		t.Errorf("a cut stream: %v", err)
	}
}
