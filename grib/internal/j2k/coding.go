package j2k

import (
	"encoding/binary"
	"fmt"
)

// maxLevels is the most decompositions a stream can have.
const maxLevels = 32

// coding is how a stream's only component is coded.
type coding struct {
	order, layers int // of the packets
	sop, eph      bool
	levels        int
	blockX        int // log2 of the size of a code block
	blockY        int
	style         style
	reversible    bool
	precincts     [maxLevels + 1]struct{ x, y int } // log2 of their size at each resolution
	guard         int
	steps         []step // of the subbands
	roiShift      int    // how far the coefficients of a region of interest are shifted up
}

// style is how code blocks are coded (table A.19).
type style uint8

const (
	styleBypass       style = 1 << iota // of the arithmetic decoder, in the lower bit planes
	styleReset                          // of the contexts after each pass
	styleTerminateAll                   // passes
	styleCausal                         // contexts do not look into the stripe below
	stylePredictable                    // termination, which helps to find errors only
	styleSymbols                        // after each cleanup pass, likewise
	styleUnknown                        // this and above
)

// step is how a subband is quantized (annex E.1).
type step struct {
	exponent, mantissa int
}

// codingStyle reads the COD segment (annex A.6.1).
func (c *coding) codingStyle(b []byte) error {
	if len(b) < 10 {
		return errCut
	}
	flags := b[0]
	if flags > 7 {
		return fmt.Errorf("%w: coding style %02x", ErrUnsupported, flags)
	}
	c.sop, c.eph = flags&2 != 0, flags&4 != 0
	c.order, c.layers = int(b[1]), int(binary.BigEndian.Uint16(b[2:]))
	if c.order > 4 || c.layers == 0 {
		return fmt.Errorf("JPEG 2000 progression order %d with %d layers", c.order, c.layers)
	}
	return c.component(flags&1 != 0, b[5:])
}

// ownStyle reads the COC segment of the only component (annex A.6.2), which takes the place of COD.
func (c *coding) ownStyle(b []byte) error {
	if len(b) < 7 {
		return errCut
	}
	return c.component(b[1]&1 != 0, b[2:])
}

// component reads the common part of COD and COC.
func (c *coding) component(ownPrecincts bool, b []byte) error {
	c.levels, c.blockX, c.blockY, c.style = int(b[0]), int(b[1])+2, int(b[2])+2, style(b[3])
	c.reversible = b[4] == 1
	if c.style >= styleUnknown || b[4] > 1 {
		return fmt.Errorf("%w: code block style %02x, wavelet %d", ErrUnsupported, b[3], b[4])
	}
	if c.levels > maxLevels || c.blockX > 10 || c.blockY > 10 || c.blockX+c.blockY > 12 {
		return fmt.Errorf("JPEG 2000 coding style of %d levels, blocks of 2^%d by 2^%d", c.levels, c.blockX, c.blockY)
	}
	for r := range c.levels + 1 {
		p := &c.precincts[r]
		p.x, p.y = 15, 15
		if !ownPrecincts {
			continue
		}
		if len(b) < 6+r {
			return errCut
		}
		p.x, p.y = int(b[5+r]&0xf), int(b[5+r]>>4)
		if r > 0 && (p.x == 0 || p.y == 0) {
			return fmt.Errorf("JPEG 2000 precincts of 2^%d by 2^%d at resolution %d", p.x, p.y, r)
		}
	}
	return nil
}

// quantization reads the QCD segment, or the part after the component's number in QCC
// (annex A.6.4).
func (c *coding) quantization(b []byte) error {
	if len(b) < 1 {
		return errCut
	}
	const none, derived, expounded = 0, 1, 2
	c.guard = int(b[0] >> 5)
	c.steps = nil
	kind, b := b[0]&0x1f, b[1:]
	switch {
	case kind == none:
		for _, e := range b {
			c.steps = append(c.steps, step{exponent: int(e >> 3)})
		}
	case kind > expounded:
		return fmt.Errorf("JPEG 2000 quantization %d", kind)
	case len(b) < 2:
		return errCut
	case kind == derived:
		// All steps follow from the step of the lowest resolution.
		first := stepOf(b)
		for band := range 3*maxLevels + 1 {
			c.steps = append(c.steps, step{max(first.exponent-max(band-1, 0)/3, 0), first.mantissa})
		}
	default:
		for ; len(b) >= 2; b = b[2:] {
			c.steps = append(c.steps, stepOf(b))
		}
	}
	return nil
}

func stepOf(b []byte) step {
	v := int(binary.BigEndian.Uint16(b))
	return step{v >> 11, v & 0x7ff}
}

// region reads the RGN segment of the only component (annex A.6.3).
func (c *coding) region(b []byte) error {
	if len(b) < 3 {
		return errCut
	}
	if b[1] != 0 {
		return fmt.Errorf("%w: region of interest of style %d", ErrUnsupported, b[1])
	}
	c.roiShift = int(b[2])
	return nil
}
