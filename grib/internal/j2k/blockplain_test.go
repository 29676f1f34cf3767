package j2k

// plainDecoder is the twin of blockDecoder, with plainMQ as its arithmetic decoder. Samples are
// handled in columns of four rows, stripes, as the coding passes go; a word holds the flags of such
// a column, 16 bits a sample, the upper sample lowest.
type plainDecoder struct {
	mq     plainMQ
	raw    rawBits
	bypass bool // the symbols are in raw
	causal bool
	buf    []byte
	flags  []uint64 // with a column at each side and a stripe above and below
	values []int32  // twice the magnitude, with sign, in the order of the columns
	stride int      // of flags: columns of a stripe
	w, h   int
	orient int
}

// Flags of a sample: which neighbours are significant, the signs of four of them, and its own
// state.
const (
	ofNorth, ofSouth, ofWest, ofEast                   = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	ofNorthWest, ofNorthEast, ofSouthWest, ofSouthEast = 1 << 4, 1 << 5, 1 << 6, 1 << 7
	ofSignNorth, ofSignSouth, ofSignWest, ofSignEast   = 1 << 8, 1 << 9, 1 << 10, 1 << 11
	ofSignificant                                      = 1 << 12
	ofVisited                                          = 1 << 13 // in this bit plane
	ofRefined                                          = 1 << 14 // before

	ofAnyNeighbour = 0xff
)

// ofAll is a flag of each of the four samples.
const ofAll = 1<<48 | 1<<32 | 1<<16 | 1

// decode decodes a block into values.
func (d *plainDecoder) decode(c *block, orient int, s style) {
	d.w, d.h, d.orient = int(c.x1-c.x0), int(c.y1-c.y0), orient
	d.stride = d.w + 2
	stripes := (d.h + 3) / 4
	d.flags = resized(d.flags, (stripes+2)*d.stride)
	d.values = resized(d.values, stripes*4*d.w)
	d.causal = s&styleCausal != 0
	d.mq.reset()
	plane, pass := int(c.planes), passCleanup // the half below the last plane counts as a plane
	for i := range c.segments {
		d.bypass = s&styleBypass != 0 && pass != passCleanup && plane <= int(c.planes)-4
		d.start(&c.segments[i])
		for range c.segments[i].passes {
			if plane < 1 {
				return
			}
			d.pass(pass, int32(1)<<plane, s)
			if pass++; pass > passCleanup {
				pass = passPropagate
				plane--
			}
		}
	}
}

// start begins to read the passes of a segment.
func (d *plainDecoder) start(s *segment) {
	d.buf = d.buf[:0]
	for _, part := range s.data {
		d.buf = append(d.buf, part...)
	}
	d.buf = append(d.buf, 0xff, 0xff)
	if d.bypass {
		d.raw = rawBits{data: d.buf}
	} else {
		d.mq.start(d.buf)
	}
}

// pass does a pass over a bit plane. A bit of the plane is worth one.
func (d *plainDecoder) pass(pass int, one int32, s style) {
	switch pass {
	case passPropagate:
		d.propagate(one | one>>1)
	case passRefine:
		d.refine(one >> 1)
	default:
		d.cleanup(one | one>>1)
		if s&styleSymbols != 0 {
			for range 4 {
				d.mq.decode(contextUniform)
			}
		}
	}
	if s&styleReset != 0 && !d.bypass {
		d.mq.reset()
	}
}

// propagate is the significance propagation pass: samples with significant neighbours.
func (d *plainDecoder) propagate(value int32) {
	zero := &zeroContexts[d.orient]
	for y := 0; y < d.h; y += 4 {
		rows := uint(min(4, d.h-y))
		f := d.flags[(y/4+1)*d.stride+1:]
		for x := range d.w {
			if f[x]&(ofAnyNeighbour*ofAll) == 0 {
				continue
			}
			for r := uint(0); r < rows; r++ {
				s := f[x] >> (16 * r)
				if s&ofSignificant != 0 || s&ofAnyNeighbour == 0 {
					continue
				}
				var symbol uint32
				if d.bypass {
					symbol = d.raw.bit()
				} else {
					symbol = d.mq.decode(zero[s&ofAnyNeighbour])
				}
				if symbol != 0 {
					d.become(x, y, r, value)
				}
				f[x] |= ofVisited << (16 * r)
			}
		}
	}
}

// refine is the magnitude refinement pass: samples that were significant before this bit plane.
func (d *plainDecoder) refine(half int32) {
	for y := 0; y < d.h; y += 4 {
		rows := uint(min(4, d.h-y))
		f := d.flags[(y/4+1)*d.stride+1:]
		values := d.values[y*d.w:]
		for x := range d.w {
			w := f[x]
			if w&(ofSignificant*ofAll)&^(w>>1) == 0 { // visited is the bit above
				continue
			}
			for r := uint(0); r < rows; r++ {
				s := w >> (16 * r)
				if s&(ofSignificant|ofVisited) != ofSignificant {
					continue
				}
				context := uint8(contextRefine)
				switch {
				case s&ofRefined != 0:
					context += 2
				case s&ofAnyNeighbour != 0:
					context++
				}
				var symbol uint32
				if d.bypass {
					symbol = d.raw.bit()
				} else {
					symbol = d.mq.decode(context)
				}
				v := &values[4*x+int(r)]
				t := half
				if symbol == 0 {
					t = -half
				}
				if *v < 0 {
					t = -t
				}
				*v += t
				f[x] |= ofRefined << (16 * r)
			}
		}
	}
}

// cleanup is the cleanup pass over the samples that are left. It ends a bit plane.
func (d *plainDecoder) cleanup(value int32) {
	zero := &zeroContexts[d.orient]
	for y := 0; y < d.h; y += 4 {
		rows := uint(min(4, d.h-y))
		f := d.flags[(y/4+1)*d.stride+1:]
		for x := range d.w {
			r := uint(0)
			if f[x] == 0 && rows == 4 {
				if d.mq.decode(contextRun) == 0 {
					continue
				}
				r = uint(d.mq.decode(contextUniform)<<1 | d.mq.decode(contextUniform))
				d.become(x, y, r, value)
				r++
			}
			for ; r < rows; r++ {
				s := f[x] >> (16 * r)
				if s&(ofSignificant|ofVisited) == 0 && d.mq.decode(zero[s&ofAnyNeighbour]) != 0 {
					d.become(x, y, r, value)
				}
			}
			f[x] &^= ofVisited * ofAll
		}
	}
}

// become makes the sample of row r of a column significant: it reads its sign and tells its
// neighbours.
func (d *plainDecoder) become(x, y int, r uint, value int32) {
	at := (y/4+1)*d.stride + 1 + x
	f := d.flags
	s := f[at] >> (16 * r)
	var negative uint32
	if d.bypass {
		negative = d.raw.bit()
	} else {
		code := signContexts[s>>4&0xf0|s&0xf]
		negative = d.mq.decode(code.context) ^ uint32(code.flip)
	}
	v := value
	if negative != 0 {
		v = -v
	}
	d.values[y*d.w+4*x+int(r)] = v
	n := uint64(negative)
	f[at] |= ofSignificant << (16 * r)
	f[at-1] |= (ofEast | n*ofSignEast) << (16 * r)
	f[at+1] |= (ofWest | n*ofSignWest) << (16 * r)
	up, upRow, down, downRow := at, 16*r-16, at, 16*r+16
	if r == 0 {
		up, upRow = at-d.stride, 48
	}
	if r == 3 {
		down, downRow = at+d.stride, 0
	}
	if r > 0 || !d.causal {
		f[up] |= (ofSouth | n*ofSignSouth) << upRow
		f[up-1] |= ofSouthEast << upRow
		f[up+1] |= ofSouthWest << upRow
	}
	f[down] |= (ofNorth | n*ofSignNorth) << downRow
	f[down-1] |= ofNorthEast << downRow
	f[down+1] |= ofNorthWest << downRow
}

// plainMQ is the arithmetic decoder as the flow charts of annex C.3 have it. Its data end in two
// bytes of ones, beyond which it never reads.
type plainMQ struct {
	a, c     uint32
	count    uint32 // bits of c before the next byte is needed
	data     []byte
	pos      int
	contexts [19]uint8 // indexes of mqTable
}

// reset gives the contexts their first states (table D.7).
func (m *plainMQ) reset() {
	m.contexts = [19]uint8{0: 2 * 4, contextRun: 2 * 3, contextUniform: 2 * 46}
}

func (m *plainMQ) start(data []byte) {
	m.data, m.pos = data, 0
	m.c = uint32(data[0]) << 16
	m.byteIn()
	m.c <<= 7
	m.count -= 7
	m.a = 0x8000
}

func (m *plainMQ) byteIn() {
	next := uint32(m.data[m.pos+1])
	switch {
	case m.data[m.pos] != 0xff:
		m.pos++
		m.c += next << 8
		m.count = 8
	case next > 0x8f: // a marker, or the end
		m.c += 0xff00
		m.count = 8
	default:
		m.pos++
		m.c += next << 9
		m.count = 7
	}
}

// decode returns the next symbol of a context.
func (m *plainMQ) decode(context uint8) uint32 {
	index := m.contexts[context]
	s := &mqTable[index]
	qe := uint32(s.qe >> mqBelow)
	symbol := uint32(index & 1)
	a := m.a - qe
	if m.c>>16 >= qe {
		m.c -= qe << 16
		if a&0x8000 != 0 {
			m.a = a
			return symbol
		}
		if a < qe {
			symbol ^= 1
			m.contexts[context] = s.next[1]
		} else {
			m.contexts[context] = s.next[0]
		}
	} else {
		if a < qe {
			m.contexts[context] = s.next[0]
		} else {
			symbol ^= 1
			m.contexts[context] = s.next[1]
		}
		a = qe
	}
	for {
		if m.count == 0 {
			m.byteIn()
		}
		a <<= 1
		m.c <<= 1
		m.count--
		if a&0x8000 != 0 {
			m.a = a
			return symbol
		}
	}
}
