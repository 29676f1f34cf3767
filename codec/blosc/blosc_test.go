package blosc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// wave returns n bytes of a float64 field with noise.
func wave(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 1))
	var b []byte
	for i := 0; len(b) < n; i++ {
		v := math.Round((280+30*math.Sin(float64(i)/300)+rng.Float64())*256) / 256
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b[:n]
}

// kindsOfParams are all codecs and filters with some levels and element sizes.
func kindsOfParams() (all []Params) {
	for codec := range codecNames {
		for _, filter := range []Filter{NoFilter, Shuffle, BitShuffle} {
			for _, level := range []int{0, 1, 5, 9} {
				for _, size := range []int{0, 3, 8, 17, 255} {
					all = append(all, Params{Codec: codec, Level: level, TypeSize: size, Filter: filter})
				}
			}
		}
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	inputs := [][]byte{{}, {7}, wave(31), wave(32), wave(4001), make([]byte, 5000), bytes.Repeat([]byte{9, 0}, 2000)}
	for _, p := range kindsOfParams() {
		for _, chunk := range []int{0, 1024} {
			p.ChunkSize = chunk
			for _, raw := range inputs {
				roundTrip(t, raw, p)
			}
		}
	}
}

func roundTrip(t *testing.T, raw []byte, p Params) {
	t.Helper()
	frame, err := Encode(nil, raw, p)
	if err != nil {
		t.Fatalf("%+v, %d bytes: %v", p, len(raw), err)
	}
	if got, err := Decode(nil, frame, len(raw)); err != nil || !bytes.Equal(got, raw) {
		t.Fatalf("%+v: %d bytes do not come back from a frame: %v", p, len(raw), err)
	}
	if n, err := FrameSize(frame); err != nil || n != int64(len(raw)) {
		t.Fatalf("size %d, expected %d: %v", n, len(raw), err)
	}
	chunk, err := EncodeBlosc1(nil, raw, p)
	if err != nil {
		t.Fatalf("%+v, %d bytes: %v", p, len(raw), err)
	}
	if got, err := DecodeChunk(nil, chunk, len(raw)); err != nil || !bytes.Equal(got, raw) {
		t.Fatalf("%+v: %d bytes do not come back from a buffer of Blosc 1: %v", p, len(raw), err)
	}
	if n, err := ChunkSize(chunk); err != nil || n != len(raw) {
		t.Fatalf("size %d, expected %d: %v", n, len(raw), err)
	}
}

// TestLargeBlocks uses blocks of every size that the levels give.
func TestLargeBlocks(t *testing.T) {
	raw := wave(3 << 20)
	for _, codec := range []Codec{BloscLZ, LZ4, Zstd} {
		for _, level := range []int{1, 3, 7, 9} {
			roundTrip(t, raw, Params{Codec: codec, Level: level, TypeSize: 8, Filter: Shuffle})
		}
	}
}

// TestBlockSize asks for blocks of a size, which the header names.
func TestBlockSize(t *testing.T) {
	raw := wave(100_003 * 8)
	for asked, want := range map[int]int{1: 128, 131: 128, 4096: 4096, 131_072: 131_072, 1 << 30: len(raw)} {
		for _, filter := range []Filter{NoFilter, Shuffle, BitShuffle} {
			p := Params{Codec: Zstd, Level: 1, TypeSize: 8, Filter: filter, BlockSize: asked}
			chunk, err := EncodeBlosc1(nil, raw, p)
			if err != nil {
				t.Fatal(err)
			}
			if got := binary.LittleEndian.Uint32(chunk[8:]); int(got) != want {
				t.Errorf("blocks of %d bytes, expected %d for %d", got, want, asked)
			}
			roundTrip(t, raw, p)
		}
	}
	if _, err := EncodeBlosc1(nil, raw, Params{Codec: Zstd, BlockSize: -1}); err == nil {
		t.Error("blocks of -1 bytes are accepted")
	}
}

// TestZeroChunks stores chunks of zero bytes before, between and after others. C-Blosc2 aborts on
// an index special before a stored chunk, so only the last chunks may be such.
func TestZeroChunks(t *testing.T) {
	const size = 800
	p := Params{Codec: LZ4, Level: 5, TypeSize: 8, Filter: Shuffle, ChunkSize: size}
	for pattern := range 32 {
		raw := make([]byte, 5*size)
		last := 0
		for i := range 5 {
			if pattern>>i&1 == 1 {
				copy(raw[i*size:(i+1)*size], wave(size))
				last = i + 1
			}
		}
		frame, err := Encode(nil, raw, p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(nil, frame, len(raw)); err != nil || !bytes.Equal(got, raw) {
			t.Fatalf("pattern %05b does not come back: %v", pattern, err)
		}
		f, err := OpenFrame(bytes.NewReader(frame), int64(len(frame)), int64(len(raw)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			if special := f.index[8*i+7]&0x80 != 0; special != (i >= last) {
				t.Errorf("pattern %05b: chunk %d is stored %v", pattern, i, !special)
			}
		}
	}
}

// counter counts the bytes that are read.
type counter struct {
	r io.ReaderAt
	n int
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.n += len(p)
	return c.r.ReadAt(p, off)
}

func TestReadAt(t *testing.T) {
	raw := wave(1 << 20)
	p := Params{Codec: LZ4, Level: 1, TypeSize: 8, Filter: Shuffle, ChunkSize: 500_000}
	frame, err := Encode(nil, raw, p)
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{r: bytes.NewReader(frame)}
	f, err := OpenFrame(c, int64(len(frame)), int64(len(raw)))
	if err != nil || f.Size() != int64(len(raw)) || f.Chunks() != 3 || f.TypeSize() != 8 || f.Codec() != LZ4 {
		t.Fatalf("%+v, %v", f, err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		off := rng.IntN(len(raw))
		got := make([]byte, rng.IntN(len(raw)-off))
		if _, err := f.ReadAt(got, int64(off)); err != nil || !bytes.Equal(got, raw[off:off+len(got)]) {
			t.Fatalf("%d bytes from byte %d: %v", len(got), off, err)
		}
	}
	c.n = 0
	if _, err := f.ReadAt(make([]byte, 8), 700_000); err != nil || c.n > len(frame)/3 {
		t.Errorf("8 bytes take %d of %d: %v", c.n, len(frame), err)
	}
	if n, err := f.ReadAt(make([]byte, 16), int64(len(raw)-8)); n != 8 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes at the end, error %v", n, err)
	}
	if _, err := f.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("a negative offset is accepted")
	}
}

// TestRangesOfVectors reads every vector piece by piece.
func TestRangesOfVectors(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Kind != "frame" {
			continue
		}
		src, raw := testdata(t, v.Name), testdata(t, v.Raw)
		f, err := OpenFrame(bytes.NewReader(src), int64(len(src)), int64(len(raw)))
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		for _, step := range []int{1 + len(raw)/7, 1 + len(raw)/50} {
			for off := 0; off < len(raw); off += step {
				got := make([]byte, min(step, len(raw)-off))
				if _, err := f.ReadAt(got, int64(off)); err != nil || !bytes.Equal(got, raw[off:off+len(got)]) {
					t.Fatalf("%s: %d bytes from byte %d: %v", v.Name, len(got), off, err)
				}
			}
		}
	}
}

func TestParams(t *testing.T) {
	for _, p := range []Params{{Codec: 3}, {Codec: 6}, {Level: 10}, {Level: -1}, {TypeSize: 256}, {TypeSize: -1}, {Filter: Delta},
		{ChunkSize: -1}, {ChunkSize: math.MaxInt32}, {TypeSize: 8, ChunkSize: 7}} {
		var param *ParamError
		if _, err := Encode(nil, nil, p); !errors.As(err, &param) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, err := ParseCodec("snappy"); err == nil {
		t.Error("snappy is accepted")
	}
	for codec, name := range codecNames {
		if got, err := ParseCodec(name); got != codec || err != nil || codec.String() != name {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
}

// TestBombs refuses small frames that ask for much memory.
func TestBombs(t *testing.T) {
	frame, err := Encode(nil, make([]byte, 1<<20), Params{Codec: LZ4, Level: 1, Filter: Shuffle, ChunkSize: 1 << 18})
	if err != nil {
		t.Fatal(err)
	}
	const huge = 1 << 40
	binary.BigEndian.PutUint64(frame[atSize:], huge)
	if _, err := Decode(nil, frame, 1<<20); !errors.Is(err, ErrSize) {
		t.Errorf("other size: %v", err)
	}
	var format *FormatError
	if _, err := OpenFrame(bytes.NewReader(frame), int64(len(frame)), huge); !errors.As(err, &format) {
		t.Errorf("index of 2^22 chunks in a few bytes: %v", err)
	}
	binary.BigEndian.PutUint32(frame[atChunkSize:], 1)
	if _, err := OpenFrame(bytes.NewReader(frame), int64(len(frame)), huge); !errors.As(err, &format) {
		t.Errorf("chunks of one byte: %v", err)
	}
}

func TestUnsupported(t *testing.T) {
	chunk, err := EncodeBlosc1(nil, wave(4000), Params{Codec: LZ4, Level: 5, TypeSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(b []byte){
		"snappy": func(b []byte) { b[2] = b[2]&31 | streamSnappy<<5 },
		"format": func(b []byte) { b[0] = 3 },
	} {
		b := bytes.Clone(chunk)
		change(b)
		var u *UnsupportedError
		if _, err := DecodeChunk(nil, b, 4000); !errors.As(err, &u) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func benchParams() []Params {
	return []Params{{Codec: BloscLZ, Level: 5}, {Codec: LZ4, Level: 5}, {Codec: LZ4, Level: 5, Filter: BitShuffle}, {Codec: Zstd, Level: 5}}
}

func Benchmark(b *testing.B) {
	raw := wave(8 << 20)
	for _, p := range benchParams() {
		p.TypeSize = 8
		if p.Filter == NoFilter {
			p.Filter = Shuffle
		}
		name := fmt.Sprintf("%v-%d", p.Codec, p.Filter)
		frame, err := Encode(nil, raw, p)
		if err != nil {
			b.Fatal(err)
		}
		var buf []byte
		b.Run(name+"/encode", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if buf, err = Encode(buf[:0], raw, p); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if buf, err = Decode(buf, frame, len(raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestDecodePart demands of every part of a buffer the bytes that the whole has there.
func TestDecodePart(t *testing.T) {
	raw := make([]byte, 100_000)
	for i := range raw {
		raw[i] = byte(i * i >> 7)
	}
	for _, codec := range []Codec{LZ4, Zstd} {
		params := DefaultParams(4)
		params.Codec, params.BlockSize = codec, 4096
		stored, err := EncodeBlosc1(nil, raw, params)
		if err != nil {
			t.Fatal(err)
		}
		size := int64(len(stored))
		for _, part := range [][2]int{{0, 100_000}, {0, 1}, {4095, 2}, {4096, 4096}, {5000, 30_000}, {99_999, 1}, {100_000, 0}} {
			got := make([]byte, part[1])
			if err := DecodePart(got, bytes.NewReader(stored), size, len(raw), part[0]); err != nil || !bytes.Equal(got, raw[part[0]:][:part[1]]) {
				t.Errorf("%v: %d bytes from %d on: other bytes, error %v", codec, part[1], part[0], err)
			}
		}
		got := make([]byte, 10)
		if err := DecodePart(got, bytes.NewReader(stored), size, len(raw)+1, 0); !errors.Is(err, ErrSize) {
			t.Errorf("%v: error %v for another size, expected ErrSize", codec, err)
		}
		if err := DecodePart(got, bytes.NewReader(stored[:size-100]), size-100, len(raw), 0); !errors.Is(err, ErrTruncated) {
			t.Errorf("%v: error %v without the last bytes, expected ErrTruncated", codec, err)
		}
		if DecodePart(got, bytes.NewReader(stored), size, len(raw), len(raw)-5) == nil {
			t.Errorf("%v: a part beyond the end is no error", codec)
		}
	}
}
