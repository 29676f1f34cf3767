package grib

import (
	"context"
	"io"
	"sync"
)

// Segments says how a SegmentScanner divides an input.
type Segments struct {
	// InFlight is the number of reads at the same time.
	InFlight int
	// Search is the number of bytes that may be read in all to find the first message of each
	// segment.
	Search int64
	// Look, if not nil, is called for each message that a walk finds, from several goroutines.
	// Some of these may turn out not to be messages of the input. An error of Look ends the
	// scan.
	Look func(Info) error
}

// NetworkReads is the number of reads of an input on the network at the same time.
const NetworkReads = 8

// NetworkSegments returns the division for an input of size bytes on the network.
func NetworkSegments(size int64, look func(Info) error) Segments {
	return Segments{InFlight: NetworkReads, Search: min(size/40, 2<<20), Look: look}
}

const (
	sampled     = 4        // messages at the beginning, whose mean length stands for the others
	fewMessages = 32       // of an input that is not worth dividing
	searchFirst = 4 << 10  // bytes of the first read that looks for a message in a segment
	searchMost  = 32 << 10 // and of the later reads, which double
	maxHead     = 4 << 10  // bytes that are read of each message
	tinyMessage = 2 << 10  // bytes of a message after which several more are read at once
)

// A SegmentScanner finds the messages of an input whose reads have a long latency, as on the
// network. A Scanner has to read the length of one message to find the next, so that it waits for
// one read after the other. A SegmentScanner walks several segments of the input at the same time.
// In every segment but the first it searches for the beginning of a message.
//
//	|msg|msg  |msg   :   |msg |msg|msg  :   |msg|msg|msg|
//	 walk →              ● walk →           ● walk →
//
// A walk ends with the first message that begins in the segment after its own. If the next walk has
// found that message too (●), its results after it are taken, because a Scanner's result after a
// message depends only on where the message ends. If the next walk has not found it, because it
// began within a message or found none, the walk before goes on. So the results are always the same
// as of [Scanner].
type SegmentScanner struct {
	walks  []*walk        // by where they began
	starts map[int64]step // of the messages that walks found, except for the first walk's
	at     step           // the result that Next looks at
	index  int
	junk   int64
	end    error // the error that Next has ended with
}

// A step is a result of a walk.
type step struct{ walk, number int }

// A walk is the results of scanning from some octet on.
type walk struct {
	scanner *Scanner
	junk    int64 // of the results so far
	found   []result
}

// A result is a return of Scanner.Next.
type result struct {
	Info
	err error
}

// next takes one more result.
func (w *walk) next() result {
	info, err := w.scanner.Next()
	if err == io.EOF {
		info.Junk = w.scanner.Junk() - w.junk
	}
	w.junk += info.Junk
	r := result{info, err}
	w.found = append(w.found, r)
	return r
}

// ended reports whether the walk cannot go on after r.
func (r result) ended() bool { return r.err != nil && !IsRecoverable(r.err) }

// ScanSegments walks the first size bytes of r, and returns when all walks have ended. It fails
// only when ctx ends or Look fails; other errors are among the results.
func ScanSegments(ctx context.Context, r io.ReaderAt, size int64, opts Segments) (*SegmentScanner, error) {
	first := newWalk(r, size, 0, smallChunk)
	mean := first.sample(r)
	d := newDivision(first, mean, size, opts)
	var running sync.WaitGroup
	for range max(1, opts.InFlight) {
		running.Go(func() { d.walk(ctx) })
	}
	running.Wait()
	if d.err != nil {
		return nil, d.err
	}
	s := &SegmentScanner{starts: make(map[int64]step)}
	for i, segment := range d.segments {
		s.walks = append(s.walks, segment.walk)
		for n, r := range segment.found {
			if i > 0 && r.err == nil {
				s.starts[r.Offset] = step{i, n}
			}
		}
	}
	return s, nil
}

func newWalk(r io.ReaderAt, size, from int64, heads int) *walk {
	s := NewScanner(r, size)
	s.next, s.heads = from, heads
	return &walk{scanner: s}
}

// sample looks at the first messages, and returns their mean length.
func (w *walk) sample(r io.ReaderAt) (mean int64) {
	for n := range int64(sampled) {
		found := w.next()
		if found.err != nil {
			break
		}
		if n == 0 {
			w.scanner.heads = headsChunk(r, found.Info)
		}
		mean = (mean*n + found.Length) / (n + 1)
	}
	return mean
}

// headsChunk is how much is read at once of the messages of a file whose first message is first.
// It covers the end of a message, and the part of the next message that [ReadHead] reads, in
// pieces of headChunk.
func headsChunk(r io.ReaderAt, first Info) int {
	m, err := readHead(&window{r: r, size: first.Offset + first.Length, chunk: headChunk}, first, Limits{})
	if err != nil || len(m.fields) == 0 {
		return smallChunk
	}
	length := int64(0)
	for number, s := range m.fields[0].sections {
		bitmap := number == 3 && m.Edition == 1 || number == 6
		if n := len(s.Data); n > 0 && !bitmap {
			length = max(length, s.Offset-first.Offset+int64(n))
		}
	}
	if length > headChunk {
		length = min(length+headChunk, maxHead)
	}
	return len(trailer) + int(max(length, headChunk))
}

// begin looks for a message within limit bytes, and reports whether it found a message.
func (w *walk) begin(ctx context.Context, limit int64) bool {
	s := w.scanner
	s.until, s.win.chunk = s.next+limit, searchFirst
	for ctx.Err() == nil {
		r := w.next()
		if r.err == nil {
			s.until = 0
			return true
		}
		if r.ended() {
			break
		}
	}
	w.found = nil
	return false
}

// Junk is like [Scanner.Junk].
func (s *SegmentScanner) Junk() int64 { return s.junk }

// Next is like [Scanner.Next]. After an error that ends the scan it returns that error again.
func (s *SegmentScanner) Next() (Info, error) {
	if s.end != nil {
		return Info{}, s.end
	}
	r := s.step()
	s.junk += r.Junk
	if r.ended() {
		s.end = r.err
	}
	if r.err == io.EOF {
		return Info{}, io.EOF
	}
	if r.Info != (Info{}) { // of an error of the input it may be
		r.Index = s.index
	}
	if r.err == nil {
		s.index++
	}
	return r.Info, r.err
}

// step returns the next result, and moves on to the walk that has the results after it.
func (s *SegmentScanner) step() result {
	w := s.walks[s.at.walk]
	if s.at.number == len(w.found) {
		w.next()
	}
	r := w.found[s.at.number]
	s.at.number++
	if later, ok := s.starts[r.Offset]; ok && r.err == nil && later.walk > s.at.walk {
		s.at = step{later.walk, later.number + 1}
	}
	return r
}
