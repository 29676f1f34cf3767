//go:build interop

package aec

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tgmconv/tgmconv/bench/peer/libaec"
)

// askLibaec makes one call of libaec.
type askLibaec func(libaec.Request) libaec.Answer

func startLibaec(t *testing.T) askLibaec {
	t.Helper()
	peer, err := libaec.Start("../..", t.TempDir())
	if errors.Is(err, libaec.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := peer.Close(); err != nil {
			t.Errorf("aec_peer: %v", err)
		}
	})
	return func(r libaec.Request) libaec.Answer {
		t.Helper()
		a, err := peer.Do(r)
		if err != nil {
			t.Fatalf("%+v: %v", r.Op, err)
		}
		return a
	}
}

func request(op libaec.Op, p Params, in []byte, outSize int) libaec.Request {
	return libaec.Request{Op: op, BitsPerSample: p.BitsPerSample, BlockSize: p.BlockSize, RSI: p.RSI, Flags: int(p.Flags), In: in, OutSize: outSize}
}

// matrixParams yields every width with every block size and flag set, and an interval that varies.
func matrixParams(rng *rand.Rand, yield func(Params)) {
	for bits := 1; bits <= 32; bits++ {
		for flags := Flags(0); flags <= 127; flags++ {
			sizes := []int{8, 16, 32, 64}
			if flags&NotEnforce != 0 {
				sizes = []int{2, 4, 6, 8, 10, 24, 64, 66, 100, 250}
				sizes = []int{sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]}
			}
			for _, bs := range sizes {
				p := Params{BitsPerSample: bits, BlockSize: bs, RSI: 1 + rng.IntN(300), Flags: flags}
				switch rng.IntN(12) {
				case 0:
					p.RSI = 1
				case 1:
					p.RSI = 4096
				case 2:
					p.RSI = 64
				case 3:
					p.RSI = 128
				}
				if p.Validate() == nil {
					yield(p)
				}
			}
		}
	}
}

// TestMatrixAgainstLibaec compares encoder, interval offsets, decoder, scan and range decoding with
// libaec.
func TestMatrixAgainstLibaec(t *testing.T) {
	do := startLibaec(t)
	rng := rand.New(rand.NewPCG(121, 3))
	cases, samples, wrongOffsets := 0, 0, 0
	kinds := sampleKinds()
	matrixParams(rng, func(p Params) {
		for _, kind := range kinds {
			n := matrixLength(rng, p)
			x := kind.make(rng, n, p)
			cases++
			samples += n
			name := fmt.Sprintf("%+v %s n=%d", p, kind.name, n)
			wrongOffsets += compareWithLibaec(t, do, name, p, x, rng)
			if t.Failed() {
				t.FailNow()
			}
		}
	})
	t.Logf("%d cases, %d samples; libaec's encoder misses interval offsets in %d cases", cases, samples, wrongOffsets)
}

// matrixLength chooses a sample count: none, few, partial blocks, partial and whole intervals.
func matrixLength(rng *rand.Rand, p Params) int {
	interval := p.RSI * p.BlockSize
	switch rng.IntN(8) {
	case 0:
		return rng.IntN(3)
	case 1:
		return p.BlockSize * (1 + rng.IntN(4))
	case 2:
		return min(interval, 20000)
	case 3:
		return min(2*interval, 20000)
	case 4:
		return min(interval+rng.IntN(interval), 20000)
	}
	return rng.IntN(5000)
}

// compareWithLibaec compares one case. It reports 1 when libaec's encoder gave other interval
// offsets than its decoder: it captures the end of an interval too early when a run of zero blocks
// ends just before the last block.
func compareWithLibaec(t *testing.T, do askLibaec, name string, p Params, x []uint32, rng *rand.Rand) (wrongOffsets int) {
	t.Helper()
	raw := make([]byte, len(x)*p.SampleBytes())
	storeFunc(p)(raw, x)
	want := do(request(libaec.Encode, p, raw, 8*len(raw)+8*p.BlockSize+1<<16))
	if want.Status != 0 {
		t.Fatalf("%s: libaec's encoder returned %d", name, want.Status)
	}
	coded, offsets, err := Encode(nil, raw, p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.Equal(coded, want.Out) {
		t.Fatalf("%s: encoded %d bytes, libaec %d, first difference at byte %d", name, len(coded), len(want.Out), firstDifference(coded, want.Out))
	}
	if len(offsets) != p.Intervals(len(x)) {
		t.Fatalf("%s: %d offsets", name, len(offsets))
	}
	if !slices.Equal(offsets, want.Offsets[:min(len(offsets), len(want.Offsets))]) {
		wrongOffsets = 1
	}
	if p.Flags&PadRSI != 0 {
		// libaec pads nothing when it encodes, but expects it when it decodes.
		coded, offsets = padIntervals(coded, offsets)
	}
	decoded := compareDecoded(t, do, name, p, coded, len(raw), offsets)
	if len(x) > 0 {
		compareRange(t, do, name, p, coded, decoded, offsets, rng)
		compareWidened(t, do, name, p, coded, decoded, rng)
	}
	return wrongOffsets
}

// compareWidened lets libaec decode a widened stream.
func compareWidened(t *testing.T, do askLibaec, name string, p Params, coded, decoded []byte, rng *rand.Rand) {
	t.Helper()
	to := p
	to.BitsPerSample = p.BitsPerSample + rng.IntN(33-p.BitsPerSample)
	to.Flags &^= PadRSI
	if to.Validate() != nil {
		return // restricted ids
	}
	n := len(decoded) / p.SampleBytes()
	wide, offsets, err := Widen(nil, coded, p, to.BitsPerSample, n)
	if err != nil {
		t.Fatalf("%s: widening: %v", name, err)
	}
	name = fmt.Sprintf("%s widened to %d", name, to.BitsPerSample)
	x := make([]uint32, n)
	loadFunc(p)(x, decoded)
	if p.Flags&(Signed|Preprocess) == Signed|Preprocess { // decoded samples are extended to their container
		for i, shift := 0, 32-p.BitsPerSample; i < n; i++ {
			x[i] = uint32(int32(x[i]<<shift) >> shift)
		}
	}
	want := make([]byte, n*to.SampleBytes())
	storeFunc(to)(want, x)
	if got := compareDecoded(t, do, name, to, wide, len(want), offsets); !bytes.Equal(got, want) {
		t.Fatalf("%s: other samples, first difference at byte %d", name, firstDifference(got, want))
	}
}

// compareDecoded decodes with both and returns the samples.
func compareDecoded(t *testing.T, do askLibaec, name string, p Params, coded []byte, size int, offsets []uint64) []byte {
	t.Helper()
	got := make([]byte, size)
	if err := Decode(got, coded, p); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	scanned, err := ScanOffsets(coded, p, size/p.SampleBytes())
	if err != nil || !slices.Equal(scanned, offsets) {
		t.Fatalf("%s: scanned %v %v, want %v", name, scanned, err, offsets)
	}
	want := do(request(libaec.Decode, p, coded, size))
	if want.Status != 0 && p.BlockSize > 64 {
		return got // second extension codes above 90, which libaec writes for such blocks and cannot read
	}
	if want.Status != 0 || !bytes.Equal(got, want.Out) {
		t.Fatalf("%s: libaec's decoder returned %d; first difference at byte %d of %d (%d)", name, want.Status,
			firstDifference(got, want.Out), len(got), len(want.Out))
	}
	// libaec's offsets of padded intervals are offsets of the padding.
	if n := len(offsets); n > 0 && p.Flags&PadRSI == 0 && !slices.Equal(offsets, want.Offsets[:n]) {
		t.Fatalf("%s: offsets %v, libaec's decoder %v", name, offsets, want.Offsets)
	}
	return got
}

func compareRange(t *testing.T, do askLibaec, name string, p Params, coded, decoded []byte, offsets []uint64, rng *rand.Rand) {
	t.Helper()
	size := p.SampleBytes()
	first := rng.IntN(len(decoded) / size)
	count := 1 + rng.IntN(len(decoded)/size-first)
	part := make([]byte, count*size)
	if err := DecodeRange(part, coded, p, offsets, first, count); err != nil {
		t.Fatalf("%s: range %d+%d: %v", name, first, count, err)
	}
	if !bytes.Equal(part, decoded[first*size:][:count*size]) {
		t.Fatalf("%s: range %d+%d differs", name, first, count)
	}
	r := request(libaec.Range, p, coded, len(part))
	r.First, r.Offsets = first*size, offsets
	if a := do(r); a.Status == 0 && !bytes.Equal(a.Out, part) {
		t.Fatalf("%s: range %d+%d differs from libaec's", name, first, count)
	}
}

// padIntervals moves the intervals of a stream to byte boundaries.
func padIntervals(coded []byte, offsets []uint64) ([]byte, []uint64) {
	if len(offsets) == 0 {
		return coded, offsets
	}
	w := newBitWriter(nil)
	r := bitReader{src: coded}
	moved := make([]uint64, len(offsets))
	for i := range offsets {
		end := uint64(len(coded)) * 8
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		w = newBitWriter(w.finish())
		moved[i] = uint64(w.at) * 8
		for r.pos < end {
			w.reserve(64)
			n := uint(min(end-r.pos, 32))
			v, _ := r.bits(n)
			w.put(uint64(v), n)
		}
	}
	return w.finish(), moved
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// TestFixturesAgainstLibaec decodes the CCSDS fields of the sample files with libaec and here.
func TestFixturesAgainstLibaec(t *testing.T) {
	do := startLibaec(t)
	rng := rand.New(rand.NewPCG(5, 42))
	for _, name := range []string{"2t.grib2", "q_150.grib2", "lsm.grib2"} {
		p, coded, n := ccsdsField(t, "../../fixtures/grib/"+name)
		offsets, err := ScanOffsets(coded, p, n)
		if err != nil {
			t.Fatal(name, err)
		}
		decoded := compareDecoded(t, do, name, p, coded, n*p.SampleBytes(), offsets)
		for range 20 {
			compareRange(t, do, name, p, coded, decoded, offsets, rng)
		}
		again, _, err := Encode(nil, decoded, p)
		if err != nil || !bytes.Equal(again, coded[:len(again)]) {
			t.Errorf("%s: encoded again differently, %v", name, err)
		}
	}
}

// TestDamageAgainstLibaec flips bits. Where both decode, the samples must be the same; where libaec
// reports an error, so must this package. The library does not look at the range of samples and
// takes short streams without an error.
func TestDamageAgainstLibaec(t *testing.T) {
	do := startLibaec(t)
	rng := rand.New(rand.NewPCG(13, 13))
	both, ours, neither := 0, 0, 0
	for i := range 20000 {
		kinds := sampleKinds()
		kind := kinds[i%len(kinds)]
		p := Params{BitsPerSample: 1 + rng.IntN(32), BlockSize: 8 << rng.IntN(4), RSI: 1 + rng.IntN(20), Flags: Flags(rng.IntN(16))}
		x := kind.make(rng, 1+rng.IntN(1000), p)
		coded, _, err := EncodeUint32(nil, x, p)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + rng.IntN(4) {
			coded[rng.IntN(len(coded))] ^= 1 << rng.IntN(8)
		}
		got := make([]byte, len(x)*p.SampleBytes())
		err = Decode(got, coded, p)
		want := do(request(libaec.Decode, p, coded, len(got)))
		if err == nil && want.Status != 0 {
			// libaec looks at a block after the last wanted block, which a damaged stream may
			// have left over.
			want = do(request(libaec.Decode, p, coded[:endOfStream(t, coded, p, len(x))], len(got)))
		}
		switch {
		case err != nil && want.Status != 0:
			neither++
		case err != nil:
			ours++
			if errors.Is(err, ErrZeroRun) {
				t.Errorf("%+v: %v, but libaec decodes %d bytes of %d", p, err, len(want.Out), len(got))
			}
		case want.Status != 0:
			t.Errorf("%+v: libaec returns %d for a stream that decodes", p, want.Status)
		case !bytes.Equal(got, want.Out):
			t.Errorf("%+v %s: different samples at byte %d of %d", p, kind.name, firstDifference(got, want.Out), len(got))
		default:
			both++
		}
	}
	t.Logf("%d streams decode in both, %d are refused here only, %d in both", both, ours, neither)
}

// endOfStream is the number of bytes that the samples take.
func endOfStream(t *testing.T, coded []byte, p Params, samples int) int {
	t.Helper()
	d, err := newDecoder(coded, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.next(make([]uint32, samples)); err != nil {
		t.Fatal(err)
	}
	return int(d.pos+7) / 8
}

var freeze = flag.Bool("freeze", false, "rewrite "+vectorsFile)

// TestFreezeVectors writes libaec's streams of some of the matrix. It is run by
// interop/aec/vectors.sh.
func TestFreezeVectors(t *testing.T) {
	if !*freeze {
		t.Skip("without -freeze")
	}
	do := startLibaec(t)
	rng := rand.New(rand.NewPCG(1, 1))
	kinds := sampleKinds()
	var text bytes.Buffer
	i := 0
	matrixParams(rng, func(p Params) {
		v := vector{params: p, kind: kinds[i%len(kinds)].name, seed: uint64(i), samples: min(matrixLength(rng, p), 3000)}
		if i%3 > 0 {
			v.samples = rng.IntN(100)
		}
		if i++; i%3 == 0 {
			return
		}
		_, raw := v.make()
		v.checksum = crc32.ChecksumIEEE(raw)
		v.stream = digest(do(request(libaec.Encode, p, raw, 8*len(raw)+1<<17)).Out)
		fmt.Fprintln(&text, v)
	})
	var file bytes.Buffer
	z, _ := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if _, err := z.Write(text.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(vectorsFile, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d vectors, %d bytes", i, file.Len())
}
