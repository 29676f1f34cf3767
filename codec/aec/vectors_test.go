package aec

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// vectorsFile holds libaec 1.1's streams of samples that sampleKinds generates. A line is a
// vector:
//
//	bits block rsi flags kind seed samples checksum stream
//
// checksum is the CRC-32 of the samples in memory; stream is in hexadecimal or, when long, its
// length and the beginning of its SHA-256.
// interop/aec/vectors.sh writes the file.
const vectorsFile = "testdata/libaec-1.1.txt.gz"

type vector struct {
	params   Params
	kind     string
	seed     uint64
	samples  int
	checksum uint32
	stream   string
}

func (v vector) String() string {
	return fmt.Sprintf("%d %d %d %d %s %d %d %08x %s", v.params.BitsPerSample, v.params.BlockSize, v.params.RSI, v.params.Flags,
		v.kind, v.seed, v.samples, v.checksum, v.stream)
}

// make generates the samples of the vector, as integers and as they lie in memory.
func (v vector) make() (x []uint32, raw []byte) {
	for _, k := range sampleKinds() {
		if k.name == v.kind {
			x = k.make(rand.New(rand.NewPCG(v.seed, 121)), v.samples, v.params)
		}
	}
	raw = make([]byte, len(x)*v.params.SampleBytes())
	storeFunc(v.params)(raw, x)
	return x, raw
}

// digest is how a stream is written to the file.
func digest(stream []byte) string {
	if len(stream) <= 12 {
		return hex.EncodeToString(stream)
	}
	sum := sha256.Sum256(stream)
	return fmt.Sprintf("%d:%x", len(stream), sum[:10])
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	f, err := os.Open(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for s := bufio.NewScanner(z); s.Scan(); {
		var v vector
		_, err := fmt.Fscanf(strings.NewReader(s.Text()), "%d %d %d %d %s %d %d %x %s", &v.params.BitsPerSample, &v.params.BlockSize,
			&v.params.RSI, &v.params.Flags, &v.kind, &v.seed, &v.samples, &v.checksum, &v.stream)
		if err != nil {
			t.Fatalf("%q: %v", s.Text(), err)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		t.Fatal("no vectors")
	}
	return all
}

// TestVectors compares encoder and decoder with the frozen streams of libaec.
func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	for _, v := range vectors {
		x, raw := v.make()
		if crc32.ChecksumIEEE(raw) != v.checksum {
			t.Fatalf("%v: the samples are not those that libaec was given", v)
		}
		coded, offsets, err := Encode(nil, raw, v.params)
		if err != nil || digest(coded) != v.stream {
			t.Fatalf("%v: encoded as %s, %v", v, digest(coded), err)
		}
		if fromInts, _, err := EncodeUint32(nil, x, v.params); err != nil || !bytes.Equal(fromInts, coded) {
			t.Fatalf("%v: integers are encoded differently, %v", v, err)
		}
		if v.params.Flags&PadRSI != 0 {
			continue // the encoder does not pad
		}
		back := make([]byte, len(raw))
		if err := Decode(back, coded, v.params); err != nil || !bytes.Equal(back, inMemory(x, v.params)) {
			t.Fatalf("%v: decoded differently, %v", v, err)
		}
		checkParts(t, v.String(), v.params, coded, back, offsets)
	}
	t.Logf("%d vectors", len(vectors))
}

// inMemory stores samples as Decode does: sign-extended when they are signed and mapped.
func inMemory(x []uint32, p Params) []byte {
	out := make([]uint32, len(x))
	for i, v := range x {
		out[i] = v
		if p.Flags&(Signed|Preprocess) == Signed|Preprocess {
			shift := 32 - p.BitsPerSample
			out[i] = uint32(int32(v<<shift) >> shift)
		}
	}
	raw := make([]byte, len(x)*p.SampleBytes())
	storeFunc(p)(raw, out)
	return raw
}
