package j2k

import (
	"encoding/binary"
	"fmt"
)

// Markers (annex A.2).
const (
	markSIZ = 0xff51
	markCOD = 0xff52
	markCOC = 0xff53
	markTLM = 0xff55
	markPLM = 0xff57
	markPLT = 0xff58
	markQCD = 0xff5c
	markQCC = 0xff5d
	markRGN = 0xff5e
	markCOM = 0xff64
	markSOT = 0xff90
	markSOP = 0xff91
	markEPH = 0xff92
	markSOD = 0xff93
	markEOC = 0xffd9
)

// header is the main header, and where the tiles are.
type header struct {
	coding
	image    rect
	tileSize rect // of the tile at the origin of the tile grid
	across   int  // tiles in a row
	depth    int  // bits of a pixel
	tiles    []*tileSource
}

// A tileSource is how a tile is coded, and its packets, by tile part.
type tileSource struct {
	coding
	parts [][]byte
}

// streamStart is the marker SOC, and SIZ, which always follows it.
const streamStart = "\xff\x4f\xff\x51"

// parse reads the headers of a stream that begins with streamStart.
func parse(src []byte) (*header, error) {
	h := &header{}
	pos := 2
	for {
		if pos+4 > len(src) {
			return nil, errCut
		}
		marker, n := binary.BigEndian.Uint16(src[pos:]), int(binary.BigEndian.Uint16(src[pos+2:]))
		if marker == markSOT {
			break
		}
		if n < 2 || pos+2+n > len(src) {
			return nil, errCut
		}
		if err := h.segment(marker, src[pos+4:pos+2+n]); err != nil {
			return nil, err
		}
		pos += 2 + n
	}
	if h.layers == 0 || h.steps == nil {
		return nil, fmt.Errorf("JPEG 2000 header without COD or QCD")
	}
	return h, h.tileParts(src, pos)
}

// segment reads a marker segment of the main header.
func (h *header) segment(marker uint16, b []byte) error {
	switch marker {
	case markSIZ:
		return h.size(b)
	case markTLM, markPLM:
		return nil
	}
	return h.coding.segment(marker, b)
}

// segment reads a marker segment that the main header and tile headers can have.
func (c *coding) segment(marker uint16, b []byte) error {
	switch marker {
	case markCOD:
		return c.codingStyle(b)
	case markCOC:
		return c.ownStyle(b)
	case markQCD:
		return c.quantization(b)
	case markQCC:
		return c.quantization(b[min(1, len(b)):])
	case markRGN:
		return c.region(b)
	case markCOM, markPLT:
		return nil
	}
	return fmt.Errorf("%w: marker %04x", ErrUnsupported, marker)
}

// size reads the SIZ segment (annex A.5.1).
func (h *header) size(b []byte) error {
	if len(b) < 36 {
		return errCut
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(b[2+4*i:])) }
	h.image = rect{word(2), word(3), word(0), word(1)}
	h.tileSize = rect{word(6), word(7), word(6) + word(4), word(7) + word(5)}
	const highThroughput = 0x4000
	if binary.BigEndian.Uint16(b)&highThroughput != 0 || binary.BigEndian.Uint16(b[34:]) != 1 || len(b) < 39 || b[36]&0x80 != 0 || b[37] != 1 || b[38] != 1 {
		return fmt.Errorf("%w: several components, signs, or samples apart", ErrUnsupported)
	}
	h.depth = int(b[36]) + 1
	t := h.tileSize
	if h.image.empty() || t.empty() || t.x0 > h.image.x0 || t.y0 > h.image.y0 || t.x1 <= h.image.x0 || t.y1 <= h.image.y0 {
		return fmt.Errorf("JPEG 2000 image %v with tiles %v", h.image, t)
	}
	if h.depth > 31 || h.image.x1 > 1<<31-1 || h.image.y1 > 1<<31-1 {
		return fmt.Errorf("%w: %d bits a pixel, or coordinates beyond 2^31", ErrUnsupported, h.depth)
	}
	return nil
}

// tileParts finds the packets of each tile (annex A.4.2).
func (h *header) tileParts(src []byte, pos int) error {
	h.across = (h.image.x1 - h.tileSize.x0 + h.tileSize.width() - 1) / h.tileSize.width()
	down := (h.image.y1 - h.tileSize.y0 + h.tileSize.height() - 1) / h.tileSize.height()
	const minPart = 14 // SOT segment and SOD
	if h.across > len(src)/minPart || down > len(src)/minPart || h.across*down > len(src)/minPart {
		return fmt.Errorf("JPEG 2000 stream of %d bytes with %d by %d tiles", len(src), h.across, down)
	}
	h.tiles = make([]*tileSource, h.across*down)
	for pos+2 <= len(src) && binary.BigEndian.Uint16(src[pos:]) == markSOT {
		if pos+minPart > len(src) {
			return errCut
		}
		tile, n := int(binary.BigEndian.Uint16(src[pos+4:])), int(binary.BigEndian.Uint32(src[pos+6:]))
		if n == 0 {
			n = len(src) - pos // up to the end
			if binary.BigEndian.Uint16(src[len(src)-2:]) == markEOC {
				n -= 2
			}
		}
		if n < minPart || n > len(src)-pos || tile >= len(h.tiles) {
			return fmt.Errorf("JPEG 2000 tile part of %d bytes of tile %d at byte %d", n, tile, pos)
		}
		if h.tiles[tile] == nil {
			h.tiles[tile] = &tileSource{coding: h.coding}
		}
		if err := h.tiles[tile].part(src[pos+12 : pos+n]); err != nil {
			return err
		}
		pos += n
	}
	for i, t := range h.tiles {
		switch {
		case t == nil:
			return fmt.Errorf("JPEG 2000 stream without tile %d", i)
		case len(t.steps) < 3*t.levels+1:
			return fmt.Errorf("JPEG 2000 header with exponents for %d subbands, expected %d", len(t.steps), 3*t.levels+1)
		}
	}
	return nil
}

// part reads the header of a tile part, which JasPer uses for quantization, and adds its packets.
func (t *tileSource) part(b []byte) error {
	for len(b) >= 2 {
		marker := binary.BigEndian.Uint16(b)
		if marker == markSOD {
			t.parts = append(t.parts, b[2:])
			return nil
		}
		if len(b) < 4 {
			break
		}
		n := 2 + int(binary.BigEndian.Uint16(b[2:]))
		if n < 4 || n > len(b) {
			break
		}
		if err := t.segment(marker, b[4:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return errCut
}
