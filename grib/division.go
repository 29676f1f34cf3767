package grib

import (
	"context"
	"io"
	"slices"
	"sync"
)

// A division is an input that is being walked in segments. An idle worker takes over the second
// half of the longest remaining segment, so that all segments end at about the same time
// however the lengths of messages differ.
type division struct {
	r      io.ReaderAt
	size   int64
	heads  int
	mean   int64 // length of a message, as far as is known
	search int64 // bytes that may be read to find messages to begin at
	look   func(Info) error

	mu       sync.Mutex
	changed  *sync.Cond // signalled when a walk has begun or ended
	segments []*segment // in their order
	running  int        // walks
	err      error      // why all are to end
}

// newDivision returns a division with one segment, which first has begun to walk.
func newDivision(first *walk, mean, size int64, opts Segments) *division {
	s := first.scanner
	d := &division{
		r: s.win.r, size: size, heads: s.heads, mean: mean, search: opts.Search, look: opts.Look,
		segments: []*segment{{walk: first, at: s.next, until: size}},
	}
	if size/fewMessages < mean {
		d.search = 0
	}
	d.changed = sync.NewCond(&d.mu)
	return d
}

// walk walks segments until none is left.
func (d *division) walk(ctx context.Context) {
	for s := d.take(); s != nil; s = d.take() {
		d.leave(s, d.follow(ctx, s))
	}
}

// follow walks a segment to its end.
func (d *division) follow(ctx context.Context, s *segment) error {
	if len(s.found) == 0 && !d.begin(ctx, s) {
		return ctx.Err()
	}
	for {
		if err := d.lookAt(ctx, s); err != nil || !d.goesOn(s) {
			return err
		}
		s.next()
	}
}

// lookAt shows the caller the messages that a walk has found since.
func (d *division) lookAt(ctx context.Context, s *segment) error {
	for ; s.looked < len(s.found) && d.look != nil; s.looked++ {
		if r := s.found[s.looked]; r.err == nil {
			if err := d.look(r.Info); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// take returns a segment to walk, nil when no more will come.
func (d *division) take() *segment {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.err == nil {
		s := d.idle()
		if s == nil {
			s = d.split()
		}
		if s != nil {
			s.running = true
			d.running++
			return s
		}
		if d.running == 0 {
			return nil
		}
		d.changed.Wait()
	}
	return nil
}

// idle returns a segment that is not at its end and that no worker walks, nil if there is none.
func (d *division) idle() *segment {
	for _, s := range d.segments {
		if !s.running && !s.done() {
			return s
		}
	}
	return nil
}

// split halves the longest remaining segment. It returns nil when that is not worth it.
func (d *division) split() *segment {
	longest := 0
	for i, s := range d.segments {
		if s.left() > d.segments[longest].left() {
			longest = i
		}
	}
	old, search := d.segments[longest], d.mean+d.mean/4
	if d.mean == 0 || d.search < search || old.left() < 4*d.mean {
		return nil
	}
	d.search -= search
	from := old.at + old.left()/2
	s := &segment{walk: newWalk(d.r, d.size, from, d.heads), at: from, until: old.until, search: search}
	old.until = from
	d.segments = slices.Insert(d.segments, longest+1, s)
	return s
}

// begin looks for a message in a new segment. A segment without a message falls to the segment
// before.
func (d *division) begin(ctx context.Context, s *segment) bool {
	found := s.walk.begin(ctx, s.search)
	d.mu.Lock()
	defer d.mu.Unlock()
	if found {
		d.search += max(0, s.search-(s.found[len(s.found)-1].Offset-s.at))
		d.changed.Broadcast()
		return true
	}
	i := slices.Index(d.segments, s)
	d.segments[i-1].until = s.until
	d.segments = slices.Delete(d.segments, i, i+1)
	return false
}

// goesOn notes where a walk is, and reports whether the walk goes on.
func (d *division) goesOn(s *segment) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.at = s.scanner.next
	return d.err == nil && !s.done()
}

// leave notes that a segment is not walked any more. An error ends all walks.
func (d *division) leave(s *segment, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.running = false
	d.running--
	if d.err == nil {
		d.err = err
	}
	d.changed.Broadcast()
}

// A segment is a part of an input with its walk.
type segment struct {
	*walk
	at, until int64 // where the walk is, and where the next segment begins
	search    int64 // bytes to find a message in
	looked    int   // how many of the found messages were shown to the caller
	running   bool
}

func (s *segment) left() int64 { return s.until - s.at }

// done reports whether the walk has come to the first message after its segment, or can go no
// further.
func (s *segment) done() bool {
	if len(s.found) == 0 {
		return false
	}
	last := s.found[len(s.found)-1]
	return last.ended() || last.err == nil && last.Offset >= s.until
}
