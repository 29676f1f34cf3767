package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
	stdadler "hash/adler32"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	klauspost "github.com/klauspost/compress/zlib"
)

func pack(t testing.TB, level int, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// samples are data of several kinds: noise, few symbols, runs, repetitions at all distances, and grids as in
// PNG and HDF5.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise, few := make([]byte, 70000), make([]byte, 70000)
	for i := range noise {
		noise[i], few[i] = byte(r.Uint32()), byte(r.IntN(3))
	}
	skewed, far := make([]byte, 200000), bytes.Clone(noise[:33000])
	for i := range skewed {
		skewed[i] = byte(r.NormFloat64() * 12)
		if r.IntN(50) == 0 {
			skewed[i] = byte(r.Uint32())
		}
	}
	for range 67000 {
		far = append(far, far[len(far)-1-r.IntN(5)*6000])
	}
	var runs, repeats []byte
	for len(runs) < 100000 {
		runs = append(runs, bytes.Repeat([]byte{byte(r.Uint32())}, 1+r.IntN(400))...)
	}
	for d := 1; d < 40; d++ {
		repeats = append(repeats, bytes.Repeat(noise[d:2*d], 1+r.IntN(300))...)
	}
	png, hdf5 := grid(r, 400, 600)
	return map[string][]byte{"empty": {}, "one": {7}, "zeros": make([]byte, 100000), "noise": noise, "few": few, "skewed": skewed,
		"far": far, "runs": runs, "repeats": repeats, "png": png, "hdf5": hdf5}
}

// grid is a smooth field with a little noise: as a PNG image of 16 bits whose rows are differences,
// and as shuffled float32.
func grid(r *rand.Rand, rows, columns int) (png, hdf5 []byte) {
	n := rows * columns
	hdf5 = make([]byte, 4*n)
	for y := range rows {
		png = append(png, 1)
		last := uint16(0)
		for x := range columns {
			v := 280 + 20*math.Sin(float64(y)/60)*math.Cos(float64(x)/45) + r.NormFloat64()/30
			q := uint16((v - 250) * 1000)
			png = append(png, byte(q>>8)-byte(last>>8), byte(q)-byte(last))
			last = q
			bits := math.Float32bits(float32(v)) &^ 0xff
			for k := range 4 {
				hdf5[k*n+y*columns+x] = byte(bits >> (8 * k))
			}
		}
	}
	return png, hdf5
}

func TestZlib(t *testing.T) {
	data := samples()
	for n := range 300 {
		data["short"+string(rune(n))] = data["skewed"][:n]
	}
	for name, data := range data {
		for _, level := range []int{zlib.HuffmanOnly, 0, 1, 6, 9} {
			src := pack(t, level, data)
			got := make([]byte, len(data))
			if err := Zlib(got, append(src, "what follows"...)); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%s, level %d: %v", name, level, err)
			}
			upTo, err := ZlibUpTo(src, len(data))
			if err != nil || !bytes.Equal(upTo, data) {
				t.Fatalf("%s, level %d, up to %d: %v", name, level, len(data), err)
			}
			if err := Zlib(make([]byte, len(data)+1), src); !errors.Is(err, ErrSize) {
				t.Errorf("%s, level %d, one byte more: %v", name, level, err)
			}
			if len(data) == 0 {
				continue
			}
			if err := Zlib(make([]byte, len(data)-1), src); !errors.Is(err, ErrSize) {
				t.Errorf("%s, level %d, one byte less: %v", name, level, err)
			}
			if _, err := ZlibUpTo(src, len(data)-1); !errors.Is(err, ErrSize) {
				t.Errorf("%s, level %d, a limit one byte less: %v", name, level, err)
			}
		}
	}
}

// TestBounds puts both ends between bytes that must not matter, or change, wherever the output
// ends.
func TestBounds(t *testing.T) {
	for name, data := range samples() {
		data = data[:min(len(data), 1500)]
		src := pack(t, 9, data)
		memory := make([]byte, len(data)+600)
		for room := 0; room <= len(data); room += 1 + room/100 {
			for i := range memory {
				memory[i] = 0xa5
			}
			// The capacity is larger than the length.
			err := Zlib(memory[:room], src)
			if (err == nil) != (room == len(data)) {
				t.Fatalf("%s: %v for %d of %d bytes", name, err, room, len(data))
			}
			for i, b := range memory[room:] {
				if b != 0xa5 {
					t.Fatalf("%s: wrote %d bytes after an output of %d", name, i+1, room)
				}
			}
		}
	}
}

func TestDamage(t *testing.T) {
	for _, name := range []string{"skewed", "hdf5", "runs"} {
		data := samples()[name][:5000]
		packed := pack(t, 6, data)
		dst := make([]byte, len(data))
		for n := range packed {
			// Without spare capacity a read after the end panics.
			if err := Zlib(dst, bytes.Clone(packed[:n])[:n:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%s: %v for the first %d of %d bytes", name, err, n, len(packed))
			}
			damaged := bytes.Clone(packed)
			damaged[n] ^= 0x10
			// Padding may change, and within a run the distance.
			if Zlib(dst, damaged) == nil && !bytes.Equal(dst, data) {
				t.Errorf("%s: other data and no error with byte %d changed", name, n)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	hello := []byte("hello hello hello hello")
	good := pack(t, 9, hello)
	changed := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[(at+len(c))%len(c)] = b
		return c
	}
	for _, c := range []struct {
		name    string
		src     []byte
		want    error
		in, out int
	}{
		{"nothing", nil, io.ErrUnexpectedEOF, 0, 0},
		{"method 7", changed(0, 0x77), ErrHeader, 0, 0},
		{"window of 64 kB", []byte{0x88, 0x1c, 3, 0}, ErrHeader, 0, 0},
		{"dictionary", []byte{0x78, 0xbb, 3, 0}, ErrHeader, 0, 0},
		{"block type 3", []byte{0x78, 0x9c, 7}, ErrCorrupt, 3, 0},
		{"complement", []byte{0x78, 0x9c, 1, 5, 0, 5, 0, 1, 2, 3, 4, 5}, ErrCorrupt, 3, 0},
		{"stored, cut", []byte{0x78, 0x9c, 1, 5, 0, 0xfa, 0xff, 1, 2}, io.ErrUnexpectedEOF, 7, 0},
		{"match before the begin", []byte{0x78, 0x9c, 3, 2}, ErrCorrupt, 4, 0},
		{"checksum", changed(-1, good[len(good)-1]+1), ErrChecksum, len(good) - 4, len(hello)},
		{"checksum, cut", good[:len(good)-1], io.ErrUnexpectedEOF, len(good) - 4, len(hello)},
	} {
		err := Zlib(make([]byte, len(hello)), c.src)
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || e.In != c.in || e.Out != c.out {
			t.Errorf("%s: %v, expected %v at byte %d, after %d", c.name, err, c.want, c.in, c.out)
		}
		if _, err := ZlibUpTo(c.src, 1000); !errors.Is(err, c.want) || !errors.As(err, &e) {
			t.Errorf("%s, up to 1000 bytes: %v", c.name, err)
		}
	}
}

func TestAdler32(t *testing.T) {
	data := samples()
	for n := range 20 {
		data["ones"+string(rune(n))] = bytes.Repeat([]byte{255}, 100000+n)
	}
	for name, data := range data {
		if got, want := adler32(data), stdadler.Checksum(data); got != want {
			t.Errorf("%s: %#x, expected %#x", name, got, want)
		}
	}
}

func TestNoMemoryPerCall(t *testing.T) {
	data := samples()["png"][:10000]
	src, dst := pack(t, 6, data), make([]byte, len(data))
	if n := testing.AllocsPerRun(100, func() { _ = Zlib(dst, src) }); n >= 1 {
		t.Errorf("%v allocations a call", n)
	}
}

func BenchmarkZlib(b *testing.B) {
	for name, data := range samples() {
		if len(data) < 2 {
			continue
		}
		src := pack(b, 6, data)
		b.Run(name, func(b *testing.B) {
			dst := make([]byte, len(data))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := Zlib(dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkZlibSmall is of chunks so small that making the tables counts.
func BenchmarkZlibSmall(b *testing.B) {
	data := samples()["hdf5"][720000:][:4096]
	src, dst := pack(b, 6, data), make([]byte, len(data))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := Zlib(dst, src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibraries is of the decompressors that stream, of the standard library and of klauspost.
func BenchmarkLibraries(b *testing.B) {
	libraries := map[string]func(io.Reader) (io.ReadCloser, error){"standard": zlib.NewReader, "klauspost": klauspost.NewReader}
	for library, newReader := range libraries {
		for _, name := range []string{"png", "hdf5"} {
			data := samples()[name]
			src := pack(b, 6, data)
			b.Run(library+"/"+name, func(b *testing.B) {
				dst := make([]byte, len(data))
				b.SetBytes(int64(len(data)))
				z, err := newReader(bytes.NewReader(src))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if err := z.(zlib.Resetter).Reset(bytes.NewReader(src), nil); err != nil {
						b.Fatal(err)
					}
					if _, err := io.ReadFull(z, dst); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkAdler32(b *testing.B) {
	data := samples()["noise"]
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		adler32(data)
	}
}

// deflated wraps raw deflate data in a header and a checksum, so that the exported functions take
// it.
func deflated(src, data []byte) []byte {
	b := append([]byte{0x78, 0x9c}, src...)
	return binary.BigEndian.AppendUint32(b, stdadler.Checksum(data))
}

// standard unpacks raw deflate data of at most limit bytes; more is an error.
func standard(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = ErrSize
	}
	return data, err
}

func TestDeflateRead(t *testing.T) {
	for name, data := range samples() {
		src := pack(t, 6, data)
		r := bytes.NewReader(src[2:])
		if _, err := standard(flate.NewReader(r), len(data)); err != nil {
			t.Fatal(err)
		}
		in, out, err := raw(make([]byte, len(data)), src[2:])
		if want := len(src) - 2 - r.Len(); in != want || out != len(data) || err != nil {
			t.Errorf("%s: read %d bytes, wrote %d, %v; expected %d and %d", name, in, out, err, want, len(data))
		}
	}
}
