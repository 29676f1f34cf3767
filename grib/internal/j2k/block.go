package j2k

// maxPlanes is how many bit planes fit an int32, of which one bit is the sign and one a half.
const maxPlanes = 30

// blockDecoder decodes code blocks (annex D). Samples are handled in columns of four rows, stripes,
// as the coding passes go; a word holds the flags of such a column, 16 bits a sample, the upper
// sample lowest.
type blockDecoder struct {
	mq     mqDecoder
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
	north, south, west, east                   = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	northWest, northEast, southWest, southEast = 1 << 4, 1 << 5, 1 << 6, 1 << 7
	signNorth, signSouth, signWest, signEast   = 1 << 8, 1 << 9, 1 << 10, 1 << 11
	significant                                = 1 << 12
	visited                                    = 1 << 13 // in this bit plane
	refined                                    = 1 << 14 // before

	anyNeighbour = 0xff
)

// all is a flag of each of the four samples.
const all = 1<<48 | 1<<32 | 1<<16 | 1

// Contexts (tables D.1 to D.5): 0 to 8 zero coding, 9 to 13 sign, 14 to 16 refinement, then run
// length and uniform.
const (
	contextSign    = 9
	contextRefine  = 14
	contextRun     = 17
	contextUniform = 18
)

// The passes over a bit plane.
const (
	passPropagate = iota
	passRefine
	passCleanup
)

// decode decodes a block into values.
func (d *blockDecoder) decode(c *block, orient int, s style) {
	d.w, d.h, d.orient = int(c.x1-c.x0), int(c.y1-c.y0), orient
	d.stride = d.w + 2
	stripes := (d.h + 3) / 4
	d.flags = resized(d.flags, (stripes+2)*d.stride)
	d.values = resized(d.values, stripes*4*d.w)
	d.causal = s&styleCausal != 0
	d.mq.reset()
	plane, pass := int(c.planes), passCleanup // the plane is counted with the half below the last
	for i := range c.segments {
		d.bypass = s&styleBypass != 0 && pass != passCleanup && plane <= int(c.planes)-4
		d.start(&c.segments[i])
		for range c.segments[i].passes {
			d.pass(pass, int32(1)<<plane, s)
			if pass++; pass > passCleanup {
				pass = passPropagate
				plane--
			}
		}
	}
}

// start begins to read the passes of a segment.
func (d *blockDecoder) start(s *segment) {
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

// pass does a pass over the bit plane whose samples are worth one.
func (d *blockDecoder) pass(pass int, one int32, s style) {
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

// store puts the coefficients of a block into its place in plane, whose rows are stride apart.
func store[T int32 | float32](d *blockDecoder, c *block, plane []T, stride int, convert func(int32) T) {
	plane = plane[int(c.y0)*stride+int(c.x0):]
	for y := range d.h {
		row := plane[y*stride:][:d.w]
		values := d.values[y>>2*d.w*4+y&3:]
		for x := range row {
			row[x] = convert(values[4*x])
		}
	}
}

// shiftDown undoes the shift of the coefficients in a region of interest (annex H.1), which are all
// larger than those outside.
func (d *blockDecoder) shiftDown(shift int) {
	for i, v := range d.values {
		switch threshold := int32(1) << min(shift, 30); {
		case v >= threshold:
			d.values[i] = v >> shift
		case v <= -threshold:
			d.values[i] = -(-v >> shift)
		}
	}
}

// resized returns n zeros, in the memory of s if they fit.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// propagate is the significance propagation pass: samples with significant neighbours.
func (d *blockDecoder) propagate(value int32) {
	zero := &zeroContexts[d.orient]
	for y := 0; y < d.h; y += 4 {
		rows := uint(min(4, d.h-y))
		f := d.flags[(y/4+1)*d.stride+1:]
		for x := range d.w {
			if f[x]&(anyNeighbour*all) == 0 {
				continue
			}
			for r := uint(0); r < rows; r++ {
				s := f[x] >> (16 * r)
				if s&significant != 0 || s&anyNeighbour == 0 {
					continue
				}
				var symbol uint32
				if d.bypass {
					symbol = d.raw.bit()
				} else {
					symbol = d.mq.decode(zero[s&anyNeighbour])
				}
				if symbol != 0 {
					d.become(x, y, r, value)
				}
				f[x] |= visited << (16 * r)
			}
		}
	}
}

// refine is the magnitude refinement pass: samples that were significant before this bit plane.
func (d *blockDecoder) refine(half int32) {
	for y := 0; y < d.h; y += 4 {
		rows := uint(min(4, d.h-y))
		f := d.flags[(y/4+1)*d.stride+1:]
		values := d.values[y*d.w:]
		for x := range d.w {
			w := f[x]
			if w&(significant*all)&^(w>>1) == 0 { // visited is the bit above
				continue
			}
			for r := uint(0); r < rows; r++ {
				s := w >> (16 * r)
				if s&(significant|visited) != significant {
					continue
				}
				context := uint8(contextRefine)
				switch {
				case s&refined != 0:
					context += 2
				case s&anyNeighbour != 0:
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
				f[x] |= refined << (16 * r)
			}
		}
	}
}

// cleanup is the cleanup pass: all samples that are left. It ends a bit plane.
func (d *blockDecoder) cleanup(value int32) {
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
				if s&(significant|visited) == 0 && d.mq.decode(zero[s&anyNeighbour]) != 0 {
					d.become(x, y, r, value)
				}
			}
			f[x] &^= visited * all
		}
	}
}

// become makes the sample of row r of a column significant: it reads its sign and tells its
// neighbours.
func (d *blockDecoder) become(x, y int, r uint, value int32) {
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
	f[at] |= significant << (16 * r)
	f[at-1] |= (east | n*signEast) << (16 * r)
	f[at+1] |= (west | n*signWest) << (16 * r)
	up, upRow, down, downRow := at, 16*r-16, at, 16*r+16
	if r == 0 {
		up, upRow = at-d.stride, 48
	}
	if r == 3 {
		down, downRow = at+d.stride, 0
	}
	if r > 0 || !d.causal {
		f[up] |= (south | n*signSouth) << upRow
		f[up-1] |= southEast << upRow
		f[up+1] |= southWest << upRow
	}
	f[down] |= (north | n*signNorth) << downRow
	f[down-1] |= northEast << downRow
	f[down+1] |= northWest << downRow
}
