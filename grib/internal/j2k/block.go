package j2k

// maxPlanes is how many bit planes fit an int32 beside a sign bit and a bit for a half.
const maxPlanes = 30

// blockDecoder decodes code blocks (annex D). Samples are handled in columns of four rows, stripes,
// as the coding passes go. A word holds the flags of such a column; the flags of row r are 3r bits
// higher than the flags of row 0.
type blockDecoder struct {
	mq     mqDecoder
	raw    rawBits
	causal bool
	buf    []byte
	flags  []uint64 // with a column at each side and a stripe above and below
	values []int32  // twice the magnitude, with sign, in the order of the columns
	stride int      // of flags: columns of a stripe
	w, h   int
	zero   *[512]uint8 // contexts of zero coding for the bits of around
}

// Flags of the sample in row 0 of a column. The lowest 18 bits tell the significant samples in the
// column and at its sides, from the row above to the row below: three bits a row, the western
// first, so that a sample has its neighbourhood in nine bits. Then come the signs of the column,
// from the row above to the row below, every third bit, and the states of its samples.
const (
	northWest, north, northEast = 1 << 0, 1 << 1, 1 << 2
	west, significant, east     = 1 << 3, 1 << 4, 1 << 5
	southWest, south, southEast = 1 << 6, 1 << 7, 1 << 8

	around = northWest | north | northEast | west | east | southWest | south | southEast

	signNorth, sign, signSouth = 1 << 18, 1 << 21, 1 << 24

	visited = 1 << 40 // in this bit plane
	refined = 1 << 41 // before

	// rows is a flag of each of the four samples.
	rows = 1 | 1<<3 | 1<<6 | 1<<9
	// anySignificant is the significance of all samples in or around a column.
	anySignificant = 1<<18 - 1
)

// Contexts (tables D.1 to D.5). They are 0 to 8 zero coding, 9 to 13 sign, 14 to 16 refinement,
// then run length and uniform.
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

// decode decodes a block into values. Passes beyond the last bit plane are ignored, as OpenJPEG
// does.
func (d *blockDecoder) decode(c *block, orient int, s style) {
	d.w, d.h = int(c.x1-c.x0), int(c.y1-c.y0)
	d.zero = &neighbourContexts[orient]
	d.stride = d.w + 2
	stripes := (d.h + 3) / 4
	d.flags = resized(d.flags, (stripes+2)*d.stride)
	d.values = resized(d.values, stripes*4*d.w)
	d.causal = s&styleCausal != 0
	d.mq.reset()
	plane, pass := int(c.planes), passCleanup // the half below the last plane counts as a plane
	for i := range c.segments {
		raw := s&styleBypass != 0 && pass != passCleanup && plane <= int(c.planes)-4
		d.start(&c.segments[i], raw)
		for range c.segments[i].passes {
			if plane < 1 {
				return
			}
			d.pass(pass, int32(1)<<plane, s, raw)
			if pass++; pass > passCleanup {
				pass = passPropagate
				plane--
			}
		}
	}
}

// start begins to read the passes of a segment.
func (d *blockDecoder) start(s *segment, raw bool) {
	d.buf = d.buf[:0]
	for _, part := range s.data {
		d.buf = append(d.buf, part...)
	}
	d.buf = append(d.buf, 0xff, 0xff)
	if raw {
		d.raw = rawBits{data: d.buf}
	} else {
		d.mq.start(d.buf)
	}
}

// pass does a pass over a bit plane. A bit of the plane is worth one.
func (d *blockDecoder) pass(pass int, one int32, s style, raw bool) {
	value, half := one|one>>1, one>>1
	switch {
	case pass == passPropagate && raw:
		d.propagateRaw(value)
	case pass == passPropagate:
		d.propagate(value)
	case pass == passRefine && raw:
		d.refineRaw(half)
	case pass == passRefine:
		d.refine(half)
	default:
		d.cleanup(value)
		if s&styleSymbols != 0 {
			for range 4 {
				d.mq.decode(contextUniform)
			}
		}
	}
	if s&styleReset != 0 && !raw {
		d.mq.reset()
	}
}

// put puts the coefficients of a block into its place in plane, whose rows are stride apart.
func (d *blockDecoder) put(c *block, plane []int32, stride int) {
	plane = plane[int(c.y0)*stride+int(c.x0):]
	for y := 0; y < d.h; y += 4 {
		putRows(plane[y*stride:], d.values[y*d.w:][:4*d.w], stride, min(4, d.h-y))
	}
}

// putRows puts half of the values of a stripe, four to a column, into rows of plane.
func putRows(plane, values []int32, stride, rows int) {
	w, done := len(values)/4, 0
	if n := w &^ 7; n > 0 && rows == 4 && vectors {
		_ = plane[3*stride+n-1]
		putRowsAVX2(&plane[0], &values[0], 4*stride, n)
		done = n
	}
	for r := range rows {
		row := plane[r*stride:][:w]
		for x := done; x < w; x++ {
			row[x] = values[4*x+r] / 2
		}
	}
}

// putScaled is put for coefficients that are multiples of half a step.
func (d *blockDecoder) putScaled(c *block, plane []float32, stride int, half float32) {
	plane = plane[int(c.y0)*stride+int(c.x0):]
	for y := range d.h {
		row, values := plane[y*stride:][:d.w], d.values[y>>2*d.w*4+y&3:]
		for x := range row {
			row[x] = float32(values[4*x]) * half
		}
	}
}

// shiftDown undoes the shift of the coefficients in a region of interest (annex H.1). They are all
// larger than the coefficients outside.
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
