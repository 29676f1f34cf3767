package keys

import (
	"encoding/binary"
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// A question is what can be asked of a key.
type question uint8

const (
	askLong question = iota
	askDouble
	askString
	askValue
	askNative
	askSize
	askMissing
	askInitial
	questions
)

// results are the answers about one accessor that were given for messages of
// one layout.
type results struct{ of [questions]answers }

// answers to one question, by the bytes on which they depend. Which bytes that
// are may depend on bytes as well, hence several shapes.
type answers struct {
	shapes       []*shape
	hits, misses int
}

// A shape is a set of bytes, and the answers for their contents.
type shape struct {
	spans []span
	total int  // bytes in spans
	size  bool // the length of the message counts as well
	known map[string]*answer
}

// An answer is a value or an error, and what was set to find it.
type answer struct {
	value  any
	err    error
	writes []write
	state  int32 // of the variables after it
}

// A write is a change of a variable as a side effect of reading a key.
type write struct {
	a *accessor
	v variable
}

// A change leads from one state of the variables to another.
type change struct {
	from, seq int32
	v         variable
}

const (
	maxShapes  = 8
	maxKnown   = 256 // answers of a shape
	maxDepends = 240 // bytes that an answer depends on
	maxStates  = 1000
	trials     = 64 // after which a key that is new every time is not kept
)

// kept is what a handle of a Reader has beside that of New.
type kept struct {
	reader  *Reader
	answers int // that are kept
	touched []write
	late    []*accessor
	renamed []renamed
	writes  []write
	state   int32 // number of the state of the variables, 0 as the definitions leave them
	states  map[change]int32
	found   map[string]*accessor
	buf     [maxDepends + 16]byte
}

// A renamed is a name with the accessor it meant at first.
type renamed struct {
	name defs.Sym
	a    *accessor
}

func (h *Handle) keepResults(r *Reader) {
	h.kept = &kept{reader: r, states: map[change]int32{}, found: map[string]*accessor{}}
}

func (h *Handle) dropResults() {
	for _, block := range h.blocks {
		for i := range block {
			block[i].results = nil
		}
	}
	h.kept.answers = 0
}

// forget undoes what reading keys has changed.
func (h *Handle) forget() {
	for _, w := range h.touched {
		w.a.v, w.a.touched = w.v, false
	}
	h.touched, h.writes, h.state = h.touched[:0], h.writes[:0], 0
	if len(h.states) > maxStates {
		h.dropResults()
		clear(h.states)
	}
	h.forgetTables()
	if len(h.renamed) > 0 {
		for _, r := range slices.Backward(h.renamed) {
			h.store[r.name] = r.a
		}
		h.renamed = h.renamed[:0]
		clear(h.found)
	}
}

// forgetTables: which code tables a key has is found out anew for each answer, as
// the answer depends on it.
func (h *Handle) forgetTables() {
	for _, a := range h.late {
		a.tab = nil
	}
	h.late = h.late[:0]
}

func (h *Handle) noteTables(a *accessor) {
	if h.kept != nil {
		h.late = append(h.late, a)
	}
}

// setVariable changes a variable while keys are read.
func (h *Handle) setVariable(a *accessor, v variable) {
	if h.kept != nil {
		if !a.touched {
			a.touched = true
			h.touched = append(h.touched, write{a, a.v})
		}
		h.writes = append(h.writes, write{a, v})
		h.enterState(change{h.state, a.seq, v})
	} else if h.tr != nil {
		h.tr.wrote = true
		a.changed = int32(h.count)
	}
	a.v = v
	h.gen++
}

func (h *Handle) enterState(c change) {
	n, ok := h.states[c]
	if !ok {
		n = int32(len(h.states) + 1)
		h.states[c] = n
	}
	h.state = n
}

// setName changes what a name means while keys are read.
func (h *Handle) setName(name defs.Sym, a *accessor) {
	if h.kept != nil && h.store[name] != a {
		h.renamed = append(h.renamed, renamed{name, h.store[name]})
		clear(h.found)
		c := change{from: h.state, seq: -1 - int32(name)}
		if a != nil {
			c.v.i = int64(a.seq)
		}
		h.enterState(c)
		h.noteData() // not to be kept
	}
	h.store[name] = a
}

// ask answers a question about an accessor.
func (h *Handle) ask(a *accessor, q question) (any, error) {
	if h.kept == nil {
		return h.evaluate(a, q)
	}
	if a.results == nil {
		a.results = new(results)
	}
	as := &a.results.of[q]
	if r, _ := h.recall(as); r != nil {
		as.hits++
		if r.state != h.state {
			h.replay(r)
		}
		return r.value, r.err
	}
	if as.misses++; as.misses > trials && as.hits < as.misses {
		return h.evaluate(a, q)
	}
	return h.learn(a, q, as)
}

// recall finds the answer given for the same bytes in the same state.
func (h *Handle) recall(as *answers) (*answer, *shape) {
	for _, s := range as.shapes {
		if r := s.known[string(h.contents(s, h.state))]; r != nil {
			return r, s
		}
	}
	return nil, nil
}

// contents is what the answers of a shape depend on.
func (h *Handle) contents(s *shape, state int32) []byte {
	b := binary.LittleEndian.AppendUint32(h.kept.buf[:0], uint32(state))
	if s.size {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(h.buf)))
	}
	for _, p := range s.spans {
		if p.off+p.n > len(h.buf) {
			return nil
		}
		b = append(b, h.buf[p.off:p.off+p.n]...)
	}
	return b
}

// replay does what was done to find an answer.
func (h *Handle) replay(r *answer) {
	for _, w := range r.writes {
		h.setVariable(w.a, w.v)
	}
	h.writes = h.writes[:0]
}

// learn answers a question and keeps the answer.
func (h *Handle) learn(a *accessor, q question, as *answers) (any, error) {
	// What was computed before must be computed again for its dependencies.
	h.gen++
	h.forgetTables()
	h.writes = h.writes[:0]
	from, t := h.state, &h.reader.tr
	t.reset()
	h.tr = t
	v, err := h.evaluate(a, q)
	h.tr = nil
	r := &answer{v, err, slices.Clone(h.writes), h.state}
	h.writes = h.writes[:0]
	if t.unique || t.tail || len(h.states) > maxStates {
		return v, err
	}
	switch v.(type) {
	case []int64, []float64, []byte:
		return v, err
	}
	list, total := spans(t.bytes[:t.high])
	if total > maxDepends {
		return v, err
	}
	h.reader.shrink()
	if a.results == nil { // shrunk
		a.results = new(results)
		as = &a.results.of[q]
	}
	s := as.shape(list, total, t.size)
	s.known[string(h.contents(s, from))] = r
	h.kept.answers++
	h.reader.kept++
	return v, err
}

// shape finds or makes the shape of a set of bytes.
func (as *answers) shape(list []span, total int, size bool) *shape {
	for _, s := range as.shapes {
		if s.size == size && slices.Equal(s.spans, list) {
			if len(s.known) >= maxKnown {
				clear(s.known)
			}
			return s
		}
	}
	if len(as.shapes) == maxShapes {
		as.shapes = nil
	}
	s := &shape{list, total, size, map[string]*answer{}}
	as.shapes = append(as.shapes, s)
	return s
}

// evaluate answers a question by interpreting the definitions.
func (h *Handle) evaluate(a *accessor, q question) (any, error) {
	switch q {
	case askLong:
		return anyOf(h.accLong(a))
	case askDouble:
		return anyOf(h.accDouble(a))
	case askString:
		return anyOf(h.accString(a))
	case askNative:
		return a.cls.native(h, a), nil
	case askSize:
		return anyOf(h.sizeOf(a))
	case askMissing:
		return h.accMissing(a), nil
	case askInitial:
		return h.initial(a)
	}
	return h.value(a)
}
