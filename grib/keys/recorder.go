package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// A recorder is the memoiser of a Reader's handle. While the definitions are run it notes the
// dependencies of the layout of the message (layout.go), except for variables that can be
// computed again (initials.go); afterwards, the dependencies of each answer (results.go).
type recorder struct {
	h        *Handle
	reader   *Reader
	tr       *trace // the current notes; nil while nothing is noted
	building bool   // the definitions are being run

	layout   layout
	initials initials
	results  memory
}

func newRecorder(h *Handle, r *Reader) *recorder {
	r.tr.reset()
	return &recorder{
		h: h, reader: r, tr: &r.tr, building: true,
		initials: initials{named: make([]int32, len(h.lib.Names))},
		results:  memory{states: map[change]int32{}, lists: map[*List]*answers{}},
	}
}

// freeze ends the building. The result ok is false if the handle can serve no other message.
func (m *recorder) freeze() (ok bool) {
	t, h := m.tr, m.h
	m.tr = nil
	if h.loadErr != nil || h.count > maxAccessor {
		return false
	}
	m.checkInitials(t)
	if !m.freezeLayout(t) {
		return false
	}
	m.building = false
	h.found, h.epoch = map[string]*accessor{}, 1
	return m.setInitials()
}

func (m *recorder) read(off, n int) {
	if m.tr != nil {
		m.tr.read(off, n, len(m.h.buf))
	}
}

func (m *recorder) depend(on dependency) {
	switch {
	case m.tr == nil:
	case on == onSize:
		m.tr.size = true
	default:
		m.tr.unique = true
	}
}

func (m *recorder) place(a *accessor) {
	if m.tr != nil && m.afterData(a) {
		m.tr.tail = true
	}
}

func (m *recorder) lengths(begin bool) {
	switch {
	case m.tr == nil:
	case begin:
		m.tr.inLinear++
	default:
		m.tr.inLinear--
	}
}

func (m *recorder) lookup(name defs.Sym) {
	switch {
	case m.initials.checking == 0:
	case name == defs.NoSym:
		m.initials.failed = true
	default:
		m.checkName(name)
	}
}

func (m *recorder) setVariable(a *accessor, v variable) {
	switch {
	case !m.building:
		m.results.setVariable(a, v)
	case m.tr != nil:
		m.tr.wrote = true
		a.changed = int32(m.h.count)
	}
}

func (m *recorder) setName(name defs.Sym, a *accessor) {
	if m.building {
		if m.tr != nil {
			m.initials.named[name] = int32(m.h.count)
		}
		return
	}
	if before := m.h.store[name]; before != a {
		m.results.setName(name, before, a)
		clear(m.h.found)
		m.depend(onEverything) // not to be kept
	}
}
