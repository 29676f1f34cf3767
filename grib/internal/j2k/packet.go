package j2k

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// packetReader reads the packets of a tile one after the other (annex B.9, B.10).
type packetReader struct {
	*tile
	src   []byte
	pos   int
	found []addition // by the packet that is being read

	// The bits of a packet header; after a byte with all bits set the next has seven.
	current byte
	left    uint
}

// packet reads the addition of a layer to precinct k of a resolution.
func (r *packetReader) packet(res *resolution, k, layer int) error {
	if r.sop && r.pos+6 <= len(r.src) && binary.BigEndian.Uint16(r.src[r.pos:]) == markSOP {
		r.pos += 6
	}
	r.left = 0
	r.current = 0
	present, err := r.bit()
	if err != nil {
		return err
	}
	r.found = r.found[:0]
	if present != 0 {
		for _, b := range res.bands {
			p := b.precincts[k]
			for i := range p.blocks {
				if err := r.blockHeader(b, p, i, layer); err != nil {
					return err
				}
			}
		}
	}
	r.align()
	if r.eph {
		if r.pos+2 <= len(r.src) && binary.BigEndian.Uint16(r.src[r.pos:]) == markEPH {
			r.pos += 2
		}
	}
	for _, n := range r.found {
		if n.length > len(r.src)-r.pos {
			return errCut
		}
		if s := &n.block.segments[n.segment]; n.length > 0 {
			s.data = append(s.data, r.src[r.pos:r.pos+n.length])
		}
		r.pos += n.length
	}
	return nil
}

// An addition is the data that a packet adds to a segment of a code block.
type addition struct {
	block           *block
	segment, length int
}

// blockHeader reads the part of the packet header about one code block.
func (r *packetReader) blockHeader(b *band, p *precinct, i, layer int) error {
	c := &p.blocks[i]
	if !c.included {
		in, err := p.included.below(r, i%p.across, i/p.across, layer+1)
		if err != nil || !in {
			return err
		}
		if err := r.bitPlanes(b, p, i); err != nil {
			return err
		}
	} else if v, err := r.bit(); err != nil || v == 0 {
		return err
	}
	passes, err := r.passes()
	if err != nil {
		return err
	}
	c.passes += passes
	for {
		v, err := r.bit()
		if err != nil {
			return err
		}
		if v == 0 {
			break
		}
		if c.lengthBits++; c.lengthBits > 31 {
			return fmt.Errorf("JPEG 2000 code block with a length of more than 31 bits")
		}
	}
	for passes > 0 {
		at := c.open(r.style)
		s := &c.segments[at]
		n := min(passes, s.limit-s.passes)
		length, err := r.number(uint(c.lengthBits) + uint(bits.Len(uint(n))) - 1)
		if err != nil {
			return err
		}
		r.found = append(r.found, addition{c, at, length})
		s.passes += n
		passes -= n
	}
	return nil
}

// bitPlanes reads how many bit planes a block has that is included for the first time. A block
// with more empty planes than there are planes is all zero: OpenJPEG writes such blocks at 30 bits
// and more, where the exponent of a subband does not fit its field, and reads them as zero.
func (r *packetReader) bitPlanes(b *band, p *precinct, i int) error {
	for zero := 0; ; zero++ {
		in, err := p.zeroPlanes.below(r, i%p.across, i/p.across, zero+1)
		if err != nil {
			return err
		}
		if !in {
			continue
		}
		planes := max(b.magnitudes-zero, 0)
		if planes > maxPlanes {
			return fmt.Errorf("%w: %d bit planes", ErrUnsupported, planes)
		}
		p.blocks[i].included, p.blocks[i].planes = true, uint8(planes)
		return nil
	}
}

// passes reads the number of coding passes (table B.4).
func (r *packetReader) passes() (int, error) {
	n := 1
	for _, step := range []struct {
		bits uint
		base int
	}{{1, 1}, {1, 2}, {2, 3}, {5, 6}, {7, 37}} {
		v, err := r.number(step.bits)
		if err != nil {
			return 0, err
		}
		n = step.base + v
		if step.base < 3 {
			if v == 0 {
				return step.base, nil
			}
			continue
		}
		if v != 1<<step.bits-1 {
			break
		}
	}
	return n, nil
}

func (r *packetReader) bit() (int, error) {
	if r.left == 0 {
		if r.pos >= len(r.src) {
			return 0, errCut
		}
		r.left = 8
		if r.current == 0xff {
			r.left = 7
		}
		r.current = r.src[r.pos]
		r.pos++
	}
	r.left--
	return int(r.current >> r.left & 1), nil
}

func (r *packetReader) number(n uint) (int, error) {
	v := 0
	for range n {
		b, err := r.bit()
		if err != nil {
			return 0, err
		}
		v = v<<1 | b
	}
	return v, nil
}

// align ends a packet header: after a byte with all bits set comes a zero byte.
func (r *packetReader) align() {
	if r.current == 0xff && r.pos < len(r.src) {
		r.pos++
	}
}

// A tagTree codes a number for each cell of a grid, by the smallest of each two by two cells.
// The tree is read level by level (annex B.10.2).
type tagTree struct {
	levels []tagLevel
}

type tagLevel struct {
	across int
	nodes  []tagNode
}

// A tagNode has a value of at least low; known reports that it is exactly low.
type tagNode struct {
	low   int32
	known bool
}

func newTagTree(across, down int) tagTree {
	var t tagTree
	for {
		t.levels = append(t.levels, tagLevel{across, make([]tagNode, across*down)})
		if across*down <= 1 {
			return t
		}
		across, down = (across+1)/2, (down+1)/2
	}
}

// below reports whether the value at x, y is less than limit. It reads as much of the tree as
// that takes.
func (t *tagTree) below(r *packetReader, x, y, limit int) (bool, error) {
	low := int32(0)
	for level := len(t.levels) - 1; level >= 0; level-- {
		l := &t.levels[level]
		n := &l.nodes[y>>level*l.across+x>>level]
		n.low = max(n.low, low)
		for n.low < int32(limit) && !n.known {
			v, err := r.bit()
			if err != nil {
				return false, err
			}
			if v != 0 {
				n.known = true
			} else {
				n.low++
			}
		}
		low = n.low
	}
	n := t.levels[0].nodes[y*t.levels[0].across+x]
	return n.known && n.low < int32(limit), nil
}
