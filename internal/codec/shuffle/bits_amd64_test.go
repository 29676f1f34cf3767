package shuffle

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestBitKernels demands that every kernel gives the same bytes.
func TestBitKernels(t *testing.T) {
	const n, row = 1024, 200
	rng := rand.New(rand.NewPCG(1, 2))
	plane := make([]byte, n)
	for i := range plane {
		plane[i] = byte(rng.Uint32())
	}
	want := make([]byte, 8*row)
	for b := range 8 {
		for i, x := range plane {
			want[b*row+i/8] |= x >> b & 1 << (i % 8)
		}
	}
	type kernel struct {
		name        string
		split, join func(to, from *byte, n, row int)
	}
	kernels := []kernel{{"SSE2", splitBitsSSE2, joinBitsSSE2}}
	if cpu.X86.HasAVX2 {
		kernels = append(kernels, kernel{"AVX2", splitBitsAVX2, joinBitsAVX2})
	}
	for _, k := range kernels {
		got, back := make([]byte, 8*row), make([]byte, n)
		if k.split(&got[0], &plane[0], n, row); !bytes.Equal(got, want) {
			t.Errorf("%s: other bits than the definition's", k.name)
		}
		if k.join(&back[0], &want[0], n, row); !bytes.Equal(back, plane) {
			t.Errorf("%s: the bits do not come back", k.name)
		}
	}
}

// TestByteKernels demands that both kernels for eight bytes give the elements, and the planes
// again.
func TestByteKernels(t *testing.T) {
	const n, stride = 160, 171
	rng := rand.New(rand.NewPCG(3, 4))
	planes, want := make([]byte, 8*stride), make([]byte, 8*n)
	for i := range planes {
		if i%stride < n {
			planes[i] = byte(rng.Uint32())
		}
	}
	for i := range want {
		want[i] = planes[i%8*stride+i/8]
	}
	check := func(name string, decode, encode func(dst, src *byte, n, stride int)) {
		got, back := make([]byte, 8*n), make([]byte, 8*stride)
		if decode(&got[0], &planes[0], n, stride); !bytes.Equal(got, want) {
			t.Errorf("%s: other elements than the definition's", name)
		}
		if encode(&back[0], &want[0], n, stride); !bytes.Equal(back, planes) {
			t.Errorf("%s: the planes do not come back", name)
		}
	}
	check("SSE2", decode8SSE2, encode8SSE2)
	if cpu.X86.HasAVX2 {
		check("AVX2", decode8AVX2, encode8AVX2)
	}
}

func BenchmarkDecodeBits(b *testing.B) {
	src, dst := make([]byte, 1<<20), make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for range b.N {
		if err := DecodeBits(dst, src, 8); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeBits(b *testing.B) {
	src, dst := make([]byte, 1<<20), make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for range b.N {
		if err := EncodeBits(dst, src, 8); err != nil {
			b.Fatal(err)
		}
	}
}
