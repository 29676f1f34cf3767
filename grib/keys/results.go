package keys

import (
	"encoding/binary"
	"slices"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// results are the answers about one accessor that were given for messages of
// one layout.
type results struct{ of [questions]answers }

// answers to a question, by the bytes on which they depend. The set of these
// bytes may itself depend on bytes, hence several shapes.
type answers struct {
	shapes       []*shape
	hits, misses int
}

// A shape is a set of bytes, and the answers for their contents.
type shape struct {
	spans []span
	size  bool // whether the length of the message counts as well
	known map[string]*answer
}

// An answer is a value or an error, and the variables set to find it.
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
	trials     = 64 // after this many trials a key that is new every time is not kept
)

// A memory is the part of a recorder that the answers of its handle need.
type memory struct {
	answers int     // that are kept
	touched []write // variables with the values the definitions gave them
	renamed []renamed
	writes  []write // of the answer that is being found
	state   int32   // number of the state of the variables, 0 as after running the definitions
	states  map[change]int32
	buf     [maxDepends + 16]byte
}

// A renamed is a name with the accessor it meant at first.
type renamed struct {
	name defs.Sym
	a    *accessor
}

func (r *memory) setVariable(a *accessor, v variable) {
	if !a.touched {
		a.touched = true
		r.touched = append(r.touched, write{a, a.v})
	}
	r.writes = append(r.writes, write{a, v})
	r.enterState(change{r.state, a.seq, v})
}

func (r *memory) setName(name defs.Sym, before, a *accessor) {
	r.renamed = append(r.renamed, renamed{name, before})
	c := change{from: r.state, seq: -1 - int32(name)}
	if a != nil {
		c.v.i = int64(a.seq)
	}
	r.enterState(c)
}

func (r *memory) enterState(c change) {
	n, ok := r.states[c]
	if !ok {
		n = int32(len(r.states) + 1)
		r.states[c] = n
	}
	r.state = n
}

// contents is the bytes that the answers of a shape depend on, in a message and a state.
func (r *memory) contents(s *shape, state int32, msg []byte) []byte {
	b := binary.LittleEndian.AppendUint32(r.buf[:0], uint32(state))
	if s.size {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(msg)))
	}
	for _, p := range s.spans {
		if p.off+p.n > len(msg) {
			return nil
		}
		b = append(b, msg[p.off:p.off+p.n]...)
	}
	return b
}

func (m *recorder) dropResults() {
	for _, block := range m.h.blocks {
		for i := range block {
			block[i].results = nil
		}
	}
	m.results.answers = 0
}

// forget undoes changes made by reading keys.
func (m *recorder) forget() {
	r := &m.results
	for _, w := range r.touched {
		w.a.v, w.a.touched = w.v, false
	}
	r.touched, r.writes, r.state = r.touched[:0], r.writes[:0], 0
	if len(r.states) > maxStates {
		m.dropResults()
		clear(r.states)
	}
	m.h.epoch++
	if len(r.renamed) > 0 {
		for _, x := range slices.Backward(r.renamed) {
			m.h.store[x.name] = x.a
		}
		r.renamed = r.renamed[:0]
		clear(m.h.found)
	}
}

func (m *recorder) answer(a *accessor, q question) (any, error) {
	if a.results == nil {
		a.results = new(results)
	}
	as := &a.results.of[q]
	if r, _ := m.recall(as); r != nil {
		as.hits++
		if r.state != m.results.state {
			m.replay(r)
		}
		return r.value, r.err
	}
	if as.misses++; as.misses > trials && as.hits < as.misses {
		return m.evaluate(a, q)
	}
	return m.learn(a, q, as)
}

func (m *recorder) evaluate(a *accessor, q question) (any, error) {
	if q == askInitial {
		return m.initial(a)
	}
	return m.h.evaluate(a, q)
}

// recall finds the answer given for the same bytes in the same state.
func (m *recorder) recall(as *answers) (*answer, *shape) {
	for _, s := range as.shapes {
		if r := s.known[string(m.results.contents(s, m.results.state, m.h.buf))]; r != nil {
			return r, s
		}
	}
	return nil, nil
}

// replay repeats the changes made to find an answer.
func (m *recorder) replay(r *answer) {
	for _, w := range r.writes {
		m.h.setVariable(w.a, w.v)
	}
	m.results.writes = m.results.writes[:0]
}

// learn answers a question and keeps the answer.
func (m *recorder) learn(a *accessor, q question, as *answers) (any, error) {
	// Earlier results must be computed again for their dependencies.
	h, r := m.h, &m.results
	h.gen++
	h.epoch++
	r.writes = r.writes[:0]
	from, t := r.state, &m.reader.tr
	t.reset()
	m.tr = t
	v, err := m.evaluate(a, q)
	m.tr = nil
	found := &answer{v, err, slices.Clone(r.writes), r.state}
	r.writes = r.writes[:0]
	list, ok := m.dependsOnFew(t, v)
	if !ok {
		return v, err
	}
	m.reader.shrink()
	if a.results == nil { // shrunk
		a.results = new(results)
		as = &a.results.of[q]
	}
	s := as.shape(list, t.size)
	s.known[string(r.contents(s, from, h.buf))] = found
	r.answers++
	m.reader.kept++
	return v, err
}

// dependsOnFew lists the octets that an answer depends on. The result ok is false if the answer is
// not kept.
func (m *recorder) dependsOnFew(t *trace, answer any) (list []span, ok bool) {
	if t.unique || t.tail || len(m.results.states) > maxStates {
		return nil, false
	}
	switch answer.(type) {
	case []int64, []float64, []byte:
		return nil, false
	}
	list, total := spans(t.bytes[:t.high])
	return list, total <= maxDepends
}

// shape finds or makes the shape of a set of bytes.
func (as *answers) shape(list []span, size bool) *shape {
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
	s := &shape{list, size, map[string]*answer{}}
	as.shapes = append(as.shapes, s)
	return s
}
