// Package j2k decodes the JPEG 2000 code streams (ISO/IEC 15444-1) that GRIB writers make: one component without sign, the reversible 5/3
// wavelet, code blocks without options. It gives the integers as they are, three times as fast as a decoder for everything.
// What it does not read is ErrUnsupported, and left to such a decoder.
//
// A stream is decoded in the order of the standard's annexes: header (A), packets (B), code blocks (C, D), wavelet (F).
package j2k

import (
	"errors"
	"fmt"
)

// ErrUnsupported: the stream uses something that this package does not read.
var ErrUnsupported = errors.New("JPEG 2000 stream beyond the plain kind")

// errCut: the stream ends too early.
var errCut = errors.New("JPEG 2000 stream is cut off")

// Decode decodes a code stream into dst, row by row. The image must have len(dst) pixels. Pixels are clamped to the bits the stream
// declares, as lossy streams go out of that range.
func Decode(dst []uint32, src []byte) error {
	h, err := parse(src)
	if err != nil {
		return err
	}
	if h.image.width() > len(dst) || h.image.height() > len(dst) || h.image.width()*h.image.height() != len(dst) {
		return fmt.Errorf("JPEG 2000 image of %d by %d pixels, expected %d", h.image.width(), h.image.height(), len(dst))
	}
	for i := range h.tiles {
		if err := h.decodeTile(dst, i); err != nil {
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
	if err := t.readPackets(h.tiles[index]); err != nil {
		return err
	}
	w, height := t.area.width(), t.area.height()
	plane := make([]int32, w*height)
	var d blockDecoder
	for _, r := range t.resolutions {
		for _, b := range r.bands {
			for _, p := range b.precincts {
				for i := range p.blocks {
					d.decode(&p.blocks[i], b.orient, plane[b.origin:], w)
				}
			}
		}
	}
	var v wavelet
	for r := 1; r < len(t.resolutions); r++ {
		v.synthesize(plane, w, t.resolutions[r-1].area, t.resolutions[r].area)
	}
	h.store(dst, t.area, plane)
	return nil
}

// store undoes the level shift and puts a tile into the image.
func (h *header) store(dst []uint32, tile rect, plane []int32) {
	shift, largest := int64(1)<<(h.depth-1), int64(1)<<h.depth-1
	w, stride := tile.width(), h.image.width()
	for y := tile.y0; y < tile.y1; y++ {
		row := dst[(y-h.image.y0)*stride+tile.x0-h.image.x0:][:w]
		for x, v := range plane[:w] {
			row[x] = uint32(min(max(int64(v)+shift, 0), largest))
		}
		plane = plane[w:]
	}
}

// A rect is an area in the coordinates of some level; x1 and y1 lie outside of it.
type rect struct{ x0, y0, x1, y1 int }

func (r rect) width() int  { return r.x1 - r.x0 }
func (r rect) height() int { return r.y1 - r.y0 }
func (r rect) empty() bool { return r.x1 <= r.x0 || r.y1 <= r.y0 }

func (r rect) intersect(s rect) rect {
	return rect{max(r.x0, s.x0), max(r.y0, s.y0), min(r.x1, s.x1), min(r.y1, s.y1)}
}

// reduce returns the area that is left of r in the subband of so many decompositions, of high frequencies along x or y (annex B.5).
func (r rect) reduce(levels, highX, highY int) rect {
	if levels == 0 {
		return r
	}
	x, y := highX<<(levels-1), highY<<(levels-1)
	return rect{ceilShift(r.x0-x, levels), ceilShift(r.y0-y, levels), ceilShift(r.x1-x, levels), ceilShift(r.y1-y, levels)}
}

// ceilShift returns v/2^n, rounded up.
func ceilShift(v, n int) int { return (v + 1<<n - 1) >> n }
