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
	last  string  // the contents that were found last, which are often the next ones as well
	found *answer // for them
}

// An answer is a value or an error, and the variables set to find it.
type answer struct {
	value  any
	err    error
	writes []write
	state  int32 // of the variables after it

	contents string // for which it is the answer
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
	listWeight = 16 // answers that take as much memory as a list
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
	lists   map[*List]*answers
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
	clear(m.results.lists)
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
	as := a.answers(q)
	if r := m.remember(as); r != nil {
		return r.value, r.err
	}
	if as.hopeless() {
		return m.evaluate(a, q)
	}
	return m.learn(func() (any, error) { return m.evaluate(a, q) }, func() *answers { return a.answers(q) }, 1)
}

func (a *accessor) answers(q question) *answers {
	if a.results == nil {
		a.results = new(results)
	}
	return &a.results.of[q]
}

// list answers with what derive makes of the keys of a list.
func (m *recorder) list(l *List, derive func([]Key) any) any {
	as := m.results.ofList(l)
	if r := m.remember(as); r != nil {
		return r.value
	}
	if as.hopeless() {
		return derive(m.h.keys(m.h.namesIn(l)))
	}
	v, _ := m.learn(func() (any, error) { return derive(m.evaluateList(l)), nil }, func() *answers { return m.results.ofList(l) }, listWeight)
	return v
}

// evaluateList reads the keys of a list. It takes no answers from memory, whose dependencies would not be noted.
func (m *recorder) evaluateList(l *List) (list []Key) {
	for _, name := range m.h.namesIn(l) {
		a := m.h.find(name)
		if a == nil {
			continue
		}
		v, err := m.h.evaluate(a, askValue)
		if !lasts(v) {
			m.depend(onEverything)
		}
		if err == nil {
			list = append(list, m.h.keyOf(name, v))
		}
	}
	return list
}

func (r *memory) ofList(l *List) *answers {
	as := r.lists[l]
	if as == nil {
		as = new(answers)
		r.lists[l] = as
	}
	return as
}

// remember gives an answer again, with the changes made to find it. It is nil if there is none.
func (m *recorder) remember(as *answers) *answer {
	r, _ := m.recall(as)
	if r == nil {
		as.misses++
		return nil
	}
	as.hits++
	if r.state != m.results.state {
		m.replay(r)
	}
	return r
}

// hopeless reports whether answers are new every time.
func (as *answers) hopeless() bool { return as.misses > trials && as.hits < as.misses }

func (m *recorder) evaluate(a *accessor, q question) (any, error) {
	if q == askInitial {
		return m.initial(a)
	}
	return m.h.evaluate(a, q)
}

// recall finds the answer given for the same bytes in the same state.
func (m *recorder) recall(as *answers) (*answer, *shape) {
	for _, s := range as.shapes {
		contents := m.results.contents(s, m.results.state, m.h.buf)
		if s.found != nil && string(contents) == s.last {
			return s.found, s
		}
		if r := s.known[string(contents)]; r != nil {
			s.last, s.found = r.contents, r
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

// learn evaluates an answer and keeps it among others. It takes as much memory as weight answers about one key.
func (m *recorder) learn(evaluate func() (any, error), others func() *answers, weight int) (any, error) {
	// Earlier results must be computed again for their dependencies.
	h, r := m.h, &m.results
	h.gen++
	h.epoch++
	r.writes = r.writes[:0]
	from, t := r.state, &m.reader.tr
	t.reset()
	m.tr = t
	v, err := evaluate()
	m.tr = nil
	found := &answer{value: v, err: err, writes: slices.Clone(r.writes), state: r.state}
	r.writes = r.writes[:0]
	list, ok := m.dependsOnFew(t, v)
	if !ok {
		return v, err
	}
	m.reader.shrink()
	s := others().shape(list, t.size) // others may be new after shrinking
	found.contents = string(r.contents(s, from, h.buf))
	s.known[found.contents] = found
	r.answers += weight
	m.reader.kept += weight
	return v, err
}

// dependsOnFew lists the octets that an answer depends on. The result ok is false if the answer is
// not kept.
func (m *recorder) dependsOnFew(t *trace, answer any) (list []span, ok bool) {
	if t.unique || t.tail || len(m.results.states) > maxStates {
		return nil, false
	}
	if !lasts(answer) {
		return nil, false
	}
	list, total := spans(t.bytes[:t.high])
	return list, total <= maxDepends
}

// lasts reports whether a value may be given again: a slice may be changed, or be a part of the message.
func lasts(value any) bool {
	switch value.(type) {
	case []int64, []float64, []byte:
		return false
	}
	return true
}

// shape finds or makes the shape of a set of bytes.
func (as *answers) shape(list []span, size bool) *shape {
	for _, s := range as.shapes {
		if s.size == size && slices.Equal(s.spans, list) {
			if len(s.known) >= maxKnown {
				clear(s.known)
				s.last, s.found = "", nil
			}
			return s
		}
	}
	if len(as.shapes) == maxShapes {
		as.shapes = nil
	}
	s := &shape{spans: list, size: size, known: map[string]*answer{}}
	as.shapes = append(as.shapes, s)
	return s
}
