// Package j2k decodes the JPEG 2000 code streams (ISO/IEC 15444-1) of GRIB. They have images with
// one component without sign. It gives the integers as they are, and rounds the integers of lossy
// streams (with the irreversible 9/7 wavelet) as OpenJPEG does, which ecCodes uses. Features that
// no writer of GRIB uses are ErrUnsupported: changes of the progression order, packed packet
// headers, Part 15.
//
// It stands in for github.com/mrjoshuak/go-jpeg2000, which decodes the irreversible wavelet and
// every style of code blocks wrongly, and takes 2.8 times the processor time (BenchmarkDecode).
//
// A stream is decoded in the order of the standard's annexes: header (A), packets (B), code blocks
// (C, D), quantization (E), wavelet (F).
package j2k

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// ErrUnsupported: the stream uses something that this package does not read.
var ErrUnsupported = errors.New("JPEG 2000 feature")

// errCut: the stream ends too early.
var errCut = errors.New("JPEG 2000 stream is cut off")

// An Image is a JPEG 2000 image whose header has been read.
type Image struct {
	Width, Height int
	Bits          int // of a pixel, 1 to 31

	header *header
}

// Open reads the header of an image, and makes sure that every tile is there. The image is a code
// stream with or without a JP2 file around it.
func Open(src []byte) (*Image, error) {
	at := bytes.Index(src, []byte(streamStart))
	if at < 0 {
		return nil, errors.New("no JPEG 2000 code stream")
	}
	h, err := parse(src[at:])
	if err != nil {
		return nil, err
	}
	return &Image{h.image.width(), h.image.height(), h.depth, h}, nil
}

// Decode decodes the pixels into dst, row by row. It must have Width·Height elements. Pixels are
// clamped to their bits, as lossy streams go out of that range.
func (m *Image) Decode(dst []uint32) error {
	if len(dst) != m.Width*m.Height {
		return fmt.Errorf("JPEG 2000 image of %d by %d pixels, expected %d", m.Width, m.Height, len(dst))
	}
	for i := range m.header.tiles {
		if err := m.header.decodeTile(dst, i); err != nil {
			return fmt.Errorf("tile %d: %w", i, err)
		}
	}
	return nil
}

// decodeTile decodes one tile into its place in the image.
func (h *header) decodeTile(dst []uint32, index int) error {
	t, err := h.newTile(index)
	if err != nil {
		return err
	}
	if err := t.readPackets(h.tiles[index].parts); err != nil {
		return err
	}
	plane := signed(dst)
	if t.area == h.image {
		clear(plane)
	} else {
		plane = make([]int32, t.area.width()*t.area.height())
	}
	if t.reversible {
		t.integers(plane)
	} else {
		t.reals(plane)
	}
	h.place(dst, t.area, plane)
	return nil
}

// signed returns the same memory as integers with sign: coefficients become pixels in place.
func signed(b []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// A job is a code block to decode.
type job struct {
	band  *band
	block *block
}

// jobs returns the code blocks of a tile that have data.
func (t *tile) jobs() []job {
	var all []job
	for _, r := range t.resolutions {
		for _, b := range r.bands {
			for _, p := range b.precincts {
				for i := range p.blocks {
					if c := &p.blocks[i]; c.passes > 0 && c.planes > 0 {
						all = append(all, job{b, c})
					}
				}
			}
		}
	}
	return all
}

// blocks decodes the code blocks of a tile, on as many cores as there are, and calls put after
// each. Calls of put for different blocks may come at the same time.
func (t *tile) blocks(put func(d *blockDecoder, b *band, c *block)) {
	jobs := t.jobs()
	var next atomic.Int64
	work := func() {
		var d blockDecoder
		for {
			n := int(next.Add(1)) - 1
			if n >= len(jobs) {
				return
			}
			j := jobs[n]
			d.decode(j.block, j.band.orient, t.style)
			if t.roiShift > 0 {
				d.shiftDown(t.roiShift)
			}
			put(&d, j.band, j.block)
		}
	}
	const each = 4 // blocks are worth another goroutine
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)/each) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
}

// integers decodes a tile of the reversible wavelet into plane, which is zero.
func (t *tile) integers(plane []int32) {
	w := t.area.width()
	t.blocks(func(d *blockDecoder, b *band, c *block) { d.put(c, plane[b.origin:], w) })
	var v wavelet
	for r := 1; r < len(t.resolutions); r++ {
		v.synthesize(plane, w, t.resolutions[r-1].area, t.resolutions[r].area)
	}
}

// place undoes the level shift and puts a tile into the image. The image may have the memory of
// plane.
func (h *header) place(dst []uint32, tile rect, plane []int32) {
	shift, largest := int32(1)<<(h.depth-1), int32(1<<h.depth-1)
	w, stride := tile.width(), h.image.width()
	for y := tile.y0; y < tile.y1; y++ {
		row := dst[(y-h.image.y0)*stride+tile.x0-h.image.x0:][:w]
		clamp(row, plane[:w], shift, largest)
		plane = plane[w:]
	}
}

// clamp adds shift to the elements of src, and limits them to the range from 0 to largest. The
// slices dst and src may be the same memory.
func clamp(dst []uint32, src []int32, shift, largest int32) {
	dst = dst[:len(src)]
	if n := len(src) &^ 7; n > 0 && vectors {
		clampAVX2(&dst[0], &src[0], n, shift, largest)
		dst, src = dst[n:], src[n:]
	}
	for x, v := range src {
		dst[x] = uint32(min(max(v, -shift), largest-shift) + shift)
	}
}

// A rect is an area in the coordinates of some level; x1 and y1 are just outside.
type rect struct{ x0, y0, x1, y1 int }

func (r rect) width() int  { return r.x1 - r.x0 }
func (r rect) height() int { return r.y1 - r.y0 }
func (r rect) empty() bool { return r.x1 <= r.x0 || r.y1 <= r.y0 }

func (r rect) intersect(s rect) rect {
	return rect{max(r.x0, s.x0), max(r.y0, s.y0), min(r.x1, s.x1), min(r.y1, s.y1)}
}

// reduce returns the area that is left of r in the subband after that many decompositions. The
// subband has high frequencies along x or y (annex B.5).
func (r rect) reduce(levels, highX, highY int) rect {
	if levels == 0 {
		return r
	}
	x, y := highX<<(levels-1), highY<<(levels-1)
	return rect{ceilShift(r.x0-x, levels), ceilShift(r.y0-y, levels), ceilShift(r.x1-x, levels), ceilShift(r.y1-y, levels)}
}

// ceilShift returns v/2^n, rounded up.
func ceilShift(v, n int) int { return (v + 1<<n - 1) >> n }
