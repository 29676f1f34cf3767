package unzstd

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// contents are of all kinds: literals that do and do not compress, matches near and far, long and
// short, runs of a byte, more than one block.
func contents() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	all := map[string][]byte{"empty": {}, "one": {7}, "run": bytes.Repeat([]byte{3}, 300_000)}
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	all["noise"] = noise
	few := make([]byte, 200_000)
	for i := range few {
		few[i] = byte(math.Abs(rng.NormFloat64()) * 9)
	}
	all["few"] = few
	for _, period := range []int{2, 3, 5, 7, 8, 11, 15, 16, 17, 40, 1000} {
		b := slices.Clone(noise[:period])
		for len(b) < 150_000 {
			n := rng.IntN(3*period + 100)
			for range n {
				b = append(b, b[len(b)-period])
			}
			b = append(b, byte(rng.Uint32()))
		}
		all[fmt.Sprint("period ", period)] = b
	}
	var mixed []byte
	for len(mixed) < 500_000 {
		switch rng.IntN(3) {
		case 0:
			mixed = append(mixed, few[:rng.IntN(400)]...)
		case 1:
			mixed = append(mixed, bytes.Repeat([]byte{byte(rng.Uint32())}, rng.IntN(90))...)
		default:
			at := rng.IntN(len(mixed) + 1)
			mixed = append(mixed, mixed[at:min(len(mixed), at+rng.IntN(1000))]...)
		}
	}
	all["mixed"] = mixed
	all["short"] = mixed[:700]
	return all
}

// frames returns the content as the library writes it in several ways.
func frames(tb testing.TB, content []byte) [][]byte {
	tb.Helper()
	var all [][]byte
	for i, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression} {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true),
			zstd.WithAllLitEntropyCompression(true), zstd.WithSingleSegment(i == 1), zstd.WithEncoderConcurrency(1))
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, w.EncodeAll(content, nil))
	}
	return all
}

func TestDecode(t *testing.T) {
	r := reference(t)
	for name, content := range contents() {
		for i, frame := range frames(t, content) {
			compare(t, r, name, frame, len(content))
			got := make([]byte, len(content))
			if !Decode(got, frame) {
				t.Errorf("%s, frame %d is not unpacked", name, i)
			} else if !bytes.Equal(got, content) {
				t.Errorf("%s, frame %d: other bytes", name, i)
			}
			if Decode(make([]byte, len(content)+1), frame) || len(content) > 0 && Decode(got[:len(content)-1], frame) {
				t.Errorf("%s, frame %d is unpacked to another size", name, i)
			}
			if Decode(got, append(slices.Clip(frame), 0)) || Decode(got, frame[:len(frame)-1]) {
				t.Errorf("%s, frame %d is unpacked from another size", name, i)
			}
		}
	}
}

// TestLeaves has the kinds of frames that are left to a complete decoder.
func TestLeaves(t *testing.T) {
	content := contents()["short"]
	w, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	frame := w.EncodeAll(content, nil)
	skippable := append([]byte{0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0}, frames(t, content)[0]...)
	for _, src := range [][]byte{nil, frame, skippable} {
		if Decode(make([]byte, len(content)), src) {
			t.Errorf("% x… is unpacked", src[:min(len(src), 8)])
		}
	}
}

// TestDamage changes bits: the output, if any, equals the library's.
func TestDamage(t *testing.T) {
	r := reference(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for name, content := range contents() {
		content = content[:min(len(content), 20_000)]
		for _, frame := range frames(t, content) {
			for range 10 {
				bad := slices.Clone(frame)
				bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
				compare(t, r, name, bad, len(content))
			}
		}
	}
}

func reference(tb testing.TB) *zstd.Decoder {
	tb.Helper()
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// compare fails unless frame is refused or gives the library's output, with and without assembly.
// Other memory must not be written.
func compare(t *testing.T, r *zstd.Decoder, name string, frame []byte, size int) {
	t.Helper()
	const margin, mark = 64, 0xa5
	memory := bytes.Repeat([]byte{mark}, size+2*margin)
	got, slow := memory[margin:margin+size], make([]byte, size)
	ok := Decode(got, frame)
	if bytes.Count(memory[:margin], []byte{mark}) < margin || bytes.Count(memory[margin+size:], []byte{mark}) < margin {
		t.Fatalf("%s: bytes around the content changed", name)
	}
	if plain := (&decoder{slow: true}).decode(slow, frame); ok != plain || ok && !bytes.Equal(got, slow) {
		t.Fatalf("%s: unpacked %v, without assembly %v, or other bytes", name, ok, plain)
	}
	if !ok {
		return
	}
	want, err := r.DecodeAll(frame, make([]byte, 0, size))
	if err != nil {
		t.Errorf("%s is unpacked, the library says %v", name, err)
	} else if !bytes.Equal(got, want) {
		t.Errorf("%s: other bytes than the library's", name)
	}
}

func FuzzDecode(f *testing.F) {
	for _, content := range contents() {
		content = content[:min(len(content), 3000)]
		for _, frame := range frames(f, content) {
			f.Add(frame, uint32(len(content)))
		}
	}
	r := reference(f)
	f.Fuzz(func(t *testing.T, frame []byte, size uint32) {
		compare(t, r, "frame", frame, int(size%(1<<20)))
	})
}

func Benchmark(b *testing.B) {
	for name, content := range map[string][]byte{"mixed": contents()["mixed"], "period 2": contents()["period 2"], "few": contents()["few"]} {
		frame := frames(b, content)[1]
		r := reference(b)
		dst := make([]byte, len(content), len(content)+16)
		b.Run(name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if !Decode(dst, frame) {
					b.Fatal("not unpacked")
				}
			}
		})
		b.Run(name+"/library", func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := r.DecodeAll(frame, dst[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
