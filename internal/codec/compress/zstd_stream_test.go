package compress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/internal/codec/compress/unzstd"
)

// mixed is data whose blocks compress well, poorly, or not at all, in turn.
func mixed(n int) []byte {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		kind, until := rng.IntN(4), min(n, len(b)+rng.IntN(300_000))
		for i := uint64(0); len(b) < until; i++ {
			v := i
			switch kind {
			case 1:
				v = rng.Uint64()
			case 2:
				v = rng.Uint64() & 0x00ff00ff00000000
			case 3:
				v = uint64(len(b)) / 1000 * 0x0123456789abcdef
			}
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return b[:n:n]
}

// noise does not compress.
func noise(n int) []byte {
	rng := rand.New(rand.NewPCG(5, 5))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, rng.Uint64())
	}
	return b[:n:n]
}

// inPlaceOf compresses a copy of src in its memory as a stream, whatever its size.
func inPlaceOf(t *testing.T, src []byte, level, extra int) []byte {
	buf := make([]byte, len(src), len(src)+extra)
	copy(buf, src)
	w := &inPlace{buf: buf}
	if err := zstdStream(w, int64(len(src)), zstdSpeed(level), false, w.feed); err != nil {
		t.Fatal(err)
	}
	got := w.finish()
	if len(got) <= cap(buf) && len(src) > 0 && &got[0] != &buf[0] {
		t.Errorf("%d bytes take new memory", len(src))
	}
	return got
}

func TestZstdStream(t *testing.T) {
	inputs := [][]byte{noise(1 << 20), noise(1<<20 + 5), make([]byte, 3*zstdMaxBlock)}
	for _, src := range samples() {
		inputs = append(inputs, src)
	}
	for _, n := range []int{zstdMaxBlock - 1, zstdMaxBlock, zstdMaxBlock + 1, 8 * zstdMaxBlock, 3_000_000} {
		inputs = append(inputs, mixed(n))
	}
	for _, src := range inputs {
		for _, level := range []int{0, 9} {
			want, err := EncodeZstd(nil, src, level)
			if err != nil {
				t.Fatal(err)
			}
			for _, extra := range []int{0, len(src)>>12 + 64} {
				got := inPlaceOf(t, src, level, extra)
				if len(got) > len(want)+len(want)/1000+16 {
					t.Errorf("%d bytes at level %d come to %d bytes, %d otherwise", len(src), level, len(got), len(want))
				}
				if back, err := DecodeZstd(nil, got, len(src)); err != nil || !bytes.Equal(back, src) {
					t.Fatalf("%d bytes at level %d do not come back: %v", len(src), level, err)
				}
			}
		}
	}
}

// TestZstdInPlaceIsTheSame compares the two ways on both sides of the size at which streams begin.
func TestZstdInPlaceIsTheSame(t *testing.T) {
	for _, src := range [][]byte{{}, mixed(100_000), mixed(zstdStreamBytes + 12345), noise(zstdStreamBytes)} {
		want, err := EncodeZstd([]byte("prefix"), src, 0)
		if err != nil || string(want[:6]) != "prefix" {
			t.Fatal(err)
		}
		got, err := EncodeZstdInPlace(bytes.Clone(src), 0)
		if err != nil || !bytes.Equal(got, want[6:]) {
			t.Fatalf("%d bytes: %d bytes in place, %d otherwise (%v)", len(src), len(got), len(want)-6, err)
		}
		if back, err := DecodeZstd(nil, got, len(src)); err != nil || !bytes.Equal(back, src) {
			t.Fatalf("%d bytes do not come back: %v", len(src), err)
		}
	}
}

// TestZstdFedIsTheSame writes data in parts of several lengths.
func TestZstdFedIsTheSame(t *testing.T) {
	src := mixed(zstdStreamBytes + 12345)
	for _, level := range []int{0, 1, 3} {
		want, err := EncodeZstd(nil, src, level)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []int{4099, zstdMaxBlock, 1<<20 + 1, len(src)} {
			var got bytes.Buffer
			err := EncodeZstdFed(&got, int64(len(src)), level, func(w io.Writer) error {
				for b := range slices.Chunk(src, part) {
					if _, err := w.Write(b); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("level %d, parts of %d bytes: %d bytes, %d otherwise (%v)", level, part, got.Len(), len(want), err)
			}
		}
	}
}

func TestZstdFedFails(t *testing.T) {
	broken := errors.New("broken")
	nothing := func(io.Writer) error { return nil }
	for _, test := range []struct {
		size  int64
		level int
		feed  func(io.Writer) error
		want  string
	}{
		{zstdStreamBytes - 1, 3, nothing, "cannot be compressed as they come"},
		{zstdStreamBytes, 9, nothing, "cannot be compressed as they come"},
		{zstdStreamBytes, 3, nothing, "size"},
		{zstdStreamBytes, 3, func(io.Writer) error { return broken }, "broken"},
	} {
		if err := EncodeZstdFed(io.Discard, test.size, test.level, test.feed); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d bytes, level %d: error %v, want %q", test.size, test.level, err, test.want)
		}
	}
	if !ZstdSamples(9) || ZstdSamples(0) || ZstdSamples(3) || ZstdSamples(1) {
		t.Error("levels of which samples are taken differ")
	}
}

// TestHigherLevelsAreNotLarger compresses noisy fields. The library's better level makes them larger than its
// default.
func TestHigherLevelsAreNotLarger(t *testing.T) {
	for _, n := range []int{100_000, zstdStreamBytes/4 + 5000} {
		data := noisyField(n)
		plain, err := EncodeZstd(nil, data, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []int{6, 9} {
			out, err := EncodeZstd(nil, data, level)
			if err != nil {
				t.Fatal(err)
			}
			if len(out) > len(plain) {
				t.Errorf("%d bytes: level %d gives %d bytes, level 3 %d", len(data), level, len(out), len(plain))
			}
		}
	}
}

// noisyField returns n float32 values of a smooth field with noise.
func noisyField(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 0, 4*n)
	for i := range n {
		v := 280 + 30*math.Sin(float64(i%4000)/160)*math.Cos(float64(i/4000)/160) + 0.2*rng.Float64()
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	return data
}

// TestZstdTakesLittleMemory expects room for the frame and not much more.
func TestZstdTakesLittleMemory(t *testing.T) {
	data := noisyField(8 << 20)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))                      // or the encoder that was made may be gone
	if _, err := EncodeZstd(nil, data[:zstdStreamBytes], 3); err != nil { // makes the encoder
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := EncodeZstd(nil, data, 3)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > uint64(len(out))*3/2+(8<<20) {
		t.Errorf("a frame of %d bytes took %d bytes of memory", len(out), taken)
	}
}

// TestZstdThreads expects the same frame on any number of cores, and independent frames to be
// decoded.
func TestZstdThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	src := make([]byte, zstdStreamBytes+12345)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range src {
		src[i] = byte(random.IntN(1+i>>16%200)) + byte(i>>12)
	}
	var frames [2][]byte
	for i, cores := range []int{1, 5} {
		runtime.GOMAXPROCS(cores)
		zstdStreams = [zstd.SpeedBestCompression + 1]sync.Pool{} // its encoders are for another number of cores
		whole, err := EncodeZstd([]byte("x"), src, 1)
		if err != nil {
			t.Fatal(err)
		}
		here, err := EncodeZstdInPlace(bytes.Clone(src), 1)
		if err != nil || !bytes.Equal(here, whole[1:]) {
			t.Errorf("on %d cores: another frame in place: %v", cores, err)
		}
		frames[i] = whole[1:]
	}
	if !bytes.Equal(frames[0], frames[1]) {
		t.Error("another frame on several cores")
	}
	var several []byte
	for at := 0; at < len(src); at += 5 << 20 {
		var err error
		if several, err = EncodeZstd(several, src[at:min(at+5<<20, len(src))], 1); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(splitZstd(several, len(src))); n != 4 {
		t.Errorf("%d independent frames, expected 4", n)
	}
	got, err := DecodeZstd(nil, several, len(src))
	if err != nil || !bytes.Equal(got, src) {
		t.Errorf("independent frames: %v", err)
	}
	several[len(several)/2] ^= 0x55
	if got, err = DecodeZstd(nil, several, len(src)); err == nil && bytes.Equal(got, src) {
		t.Error("a damaged frame decodes to the same")
	}
	for _, n := range []int{1, 3, len(several) / 3} {
		if _, err = DecodeZstd(nil, several[:len(several)-n], len(src)); err == nil {
			t.Errorf("%d bytes less: no error", n)
		}
	}
}

// FuzzZstdFrames expects that the frames found are all of the input. They must hold the output of a decoder
// of the whole.
func FuzzZstdFrames(f *testing.F) {
	one, err := EncodeZstd(nil, mixed(3000), 3)
	if err != nil {
		f.Fatal(err)
	}
	two, err := EncodeZstd(one, mixed(50), 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(one, 3000)
	f.Add(two, 3050)
	f.Fuzz(func(t *testing.T, src []byte, want int) {
		if want < 0 || want > 1<<20 {
			return
		}
		frames := splitZstd(src, want)
		if len(frames) == 0 {
			return
		}
		size, done := 0, 0
		for _, frame := range frames {
			if frame.first != done || frame.end < done {
				t.Fatalf("%d frames, one at %d to %d after %d", len(frames), frame.first, frame.end, done)
			}
			size, done = size+len(frame.src), frame.end
		}
		if size != len(src) || done != want {
			t.Fatalf("frames of %d bytes hold %d, expected %d and %d", size, done, len(src), want)
		}
		whole, err := decodeZstdAll(nil, src, want)
		parts, ok := decodeZstdFrames(nil, src, want)
		if ok && (err != nil || !bytes.Equal(parts, whole)) {
			t.Fatalf("the frames decode to other bytes than the whole: %v", err)
		}
	})
}

// TestZstdIsPadded demands that large data take at least a 1024th of their size. All decoders must skip the
// padding.
func TestZstdIsPadded(t *testing.T) {
	zeros := make([]byte, 20<<20+1)
	for name, encode := range map[string]func() ([]byte, error){
		"EncodeZstdPadded":  func() ([]byte, error) { return EncodeZstdPadded([]byte("before"), zeros, 3) },
		"EncodeZstdInPlace": func() ([]byte, error) { return EncodeZstdInPlace(slices.Clone(zeros), 3) },
		"EncodeZstdFed": func() ([]byte, error) {
			var b bytes.Buffer
			err := EncodeZstdFed(&b, int64(len(zeros)), 1, func(w io.Writer) error { _, err := w.Write(zeros); return err })
			return b.Bytes(), err
		},
		"EncodeZstdFrom": func() ([]byte, error) {
			var b bytes.Buffer
			err := EncodeZstdFrom(&b, bytes.NewReader(zeros), int64(len(zeros)), 3)
			return b.Bytes(), err
		},
	} {
		got, err := encode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got = bytes.TrimPrefix(got, []byte("before"))
		if most := len(zeros)/zstdMaxExpansion + 9; len(got)*zstdMaxExpansion < len(zeros) || len(got) > most {
			t.Errorf("%s: %d bytes of %d, expected %d at most", name, len(got), len(zeros), most)
		}
		if !unzstd.Decode(make([]byte, len(zeros)), got) {
			t.Errorf("%s: unzstd does not decode it", name)
		}
		if back, err := DecodeZstd(nil, got, len(zeros)); err != nil || !bytes.Equal(back, zeros) {
			t.Errorf("%s: DecodeZstd gives %d bytes, %v", name, len(back), err)
		}
		var back bytes.Buffer
		if err := StreamZstd(&back, got, len(zeros)); err != nil || !bytes.Equal(back.Bytes(), zeros) {
			t.Errorf("%s: StreamZstd gives %d bytes, %v", name, back.Len(), err)
		}
		d, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := d.DecodeAll(got, nil); err != nil || !bytes.Equal(back, zeros) {
			t.Errorf("%s: the library gives %d bytes, %v", name, len(back), err)
		}
		d.Close()
	}
}
