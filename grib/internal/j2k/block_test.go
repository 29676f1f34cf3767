package j2k

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// sameBlock decodes a block with both decoders.
func sameBlock(t *testing.T, d *blockDecoder, p *plainDecoder, c *block, orient int, s style) {
	t.Helper()
	d.decode(c, orient, s)
	p.decode(c, orient, s)
	if !slices.Equal(d.values, p.values) {
		t.Fatalf("block of %d by %d, %d planes, orientation %d, style %02x: not as the plain decoder has it", d.w, d.h, c.planes, orient, s)
	}
}

// TestBlockTwins decodes noise, which the decoder takes for a stream, in every style.
func TestBlockTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	var d blockDecoder
	var p plainDecoder
	for n := range 2000 {
		w, h := 1+rng.IntN(64), 1+rng.IntN(64)
		c := block{x1: int32(w), y1: int32(h), planes: uint8(1 + rng.IntN(maxPlanes))}
		s := style(rng.IntN(int(styleUnknown)))
		for passes := 3*int(c.planes) - 2; passes > 0; {
			at := c.open(s)
			k := min(passes, c.segments[at].limit-c.segments[at].passes, 1+rng.IntN(40))
			c.segments[at].passes += k
			passes -= k
			data := make([]byte, rng.IntN(1+w*h))
			for i := range data {
				data[i] = byte(rng.Uint32() >> (rng.IntN(4) * 2))
			}
			c.segments[at].data = append(c.segments[at].data, data)
		}
		sameBlock(t, &d, &p, &c, n%3, s)
	}
}

func FuzzBlock(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, uint8(20), uint8(17), uint8(9), uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, w, h, planes, orient, s uint8) {
		c := block{x1: int32(w%64 + 1), y1: int32(h%64 + 1), planes: planes % (maxPlanes + 1)}
		style := style(s) % styleUnknown
		for passes := 3*int(c.planes) - 2; passes > 0; {
			at := c.open(style)
			k := min(passes, c.segments[at].limit)
			c.segments[at].passes += k
			c.segments[at].data = append(c.segments[at].data, data[:len(data)/2])
			data = data[len(data)/2:]
			passes -= k
		}
		sameBlock(t, new(blockDecoder), new(plainDecoder), &c, int(orient)%3, style)
	})
}

func BenchmarkBlock(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 8000)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	c := block{x1: 64, y1: 64, planes: 14, segments: []segment{{passes: 40, data: [][]byte{data}}}}
	b.Run("stripes", func(b *testing.B) {
		var d blockDecoder
		for b.Loop() {
			d.decode(&c, orientHH, 0)
		}
	})
	b.Run("plain", func(b *testing.B) {
		var d plainDecoder
		for b.Loop() {
			d.decode(&c, orientHH, 0)
		}
	})
}
