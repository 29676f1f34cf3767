package tgm

import "io"

// elementSource gives the bytes of an array: decoded as they are asked for, or decoded before.
type elementSource struct {
	section section
	memory  []byte // if section is nil
}

func (s elementSource) inMemory() bool { return s.section == nil }

// read fills b from offset off.
func (s elementSource) read(b []byte, off int64) error {
	if s.inMemory() {
		copy(b, s.memory[off:])
		return nil
	}
	return readFull(s.section, b, off)
}

// gatherer copies runs of elements to their places in the results. Runs that lie close together
// are read at once.
type gatherer struct {
	src   elementSource
	dtype DType
	out   []byte
	grain int64 // bytes that take no longer to read together than one by one; 0 if all are in memory

	waiting []run
	lo, hi  int64 // the bytes they lie in
}

const (
	// gapBytes is the most bytes between two runs that are read rather than passed over.
	gapBytes = 512
	// gatherBytes and gatherRuns bound the waiting runs.
	gatherBytes = 4 << 20
	gatherRuns  = 64 << 10
)

// add takes the next run. Runs come ordered by their first elements.
func (g *gatherer) add(r run) error {
	if r.count == 0 {
		return nil
	}
	lo, hi := g.span(r)
	if len(g.waiting) > 0 && (!g.near(lo) || max(g.hi, hi)-g.lo > gatherBytes || len(g.waiting) >= gatherRuns) {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if len(g.waiting) == 0 {
		g.lo, g.hi = lo, hi
	}
	g.waiting, g.hi = append(g.waiting, r), max(g.hi, hi)
	return nil
}

// span returns the bytes that a run lies in.
func (g *gatherer) span(r run) (lo, hi int64) {
	if g.dtype == Bitmask {
		return int64(r.first / 8), int64(r.first+r.count-1)/8 + 1
	}
	size := int64(g.dtype.Size())
	return int64(r.first) * size, int64(r.first+r.count) * size
}

// near reports whether a run that begins at byte lo is best read with the waiting runs.
func (g *gatherer) near(lo int64) bool {
	return g.grain > 0 && (lo-g.hi <= gapBytes || lo/g.grain == (g.hi-1)/g.grain)
}

// flush copies the runs that wait.
func (g *gatherer) flush() error {
	defer func() { g.waiting = g.waiting[:0] }()
	if len(g.waiting) == 1 && g.dtype != Bitmask {
		size := g.dtype.Size()
		r := g.waiting[0]
		return g.src.read(g.out[r.at*size:(r.at+r.count)*size], g.lo)
	}
	if len(g.waiting) == 0 {
		return nil
	}
	buf := getBuffer(int(g.hi - g.lo))
	defer putBuffer(buf)
	if err := g.src.read(*buf, g.lo); err != nil {
		return err
	}
	for _, r := range g.waiting {
		g.take(*buf, r)
	}
	return nil
}

// take copies a run from the bytes that were read.
func (g *gatherer) take(b []byte, r run) {
	if g.dtype == Bitmask {
		bits := Mask{N: 8 * len(b), Bits: b}
		skip := r.first - 8*int(g.lo)
		for i := range r.count {
			if at := r.at + i; bits.Get(skip + i) {
				g.out[at>>3] |= 0x80 >> (at & 7)
			}
		}
		return
	}
	size := g.dtype.Size()
	from := r.first*size - int(g.lo)
	copy(g.out[r.at*size:], b[from:from+r.count*size])
}

// grain returns how many bytes of the decoded array are decoded together.
func (p *payloadDecoder) grain(payload section) int64 {
	grain := int64(1)
	for i := len(p.layers) - 1; i >= 0; i-- {
		if l := p.layers[i]; l.grain != nil {
			grain = l.grain(grain, payload)
		}
	}
	return grain
}

// payloadSection reads the payload of an object.
type payloadSection struct{ o *Object }

func (s payloadSection) Size() int64 { return s.o.payload }

func (s payloadSection) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 || int64(len(b)) > s.o.payload-off {
		return 0, io.ErrUnexpectedEOF
	}
	if err := s.o.msg.src.readAt(b, s.o.PayloadOffset()+off); err != nil {
		return 0, err
	}
	return len(b), nil
}
