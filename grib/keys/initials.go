package keys

import (
	"errors"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Initial values of variables, such as topLevel, which is the level, are computed
// while the definitions are run. If a layout depended on the bytes they come from
// it would fit few other messages. So initial values that no statement reads are
// not part of it, and are computed again for each message. That happens when all
// keys are there, and is right only if every name that is asked for then means
// the same as when the variable was made.
type initials struct {
	list  []*initial
	named []int32 // by name: the number of accessors when its meaning last changed
	inner *trace  // of the initial value that is being computed

	running  bool
	checking int32 // the number of the variable that is being computed again
	failed   bool  // a name has changed its meaning since
}

// An initial is a variable with the dependencies of its value.
type initial struct {
	a     *accessor
	trace *trace // while the definitions are run
	shape *shape // for the message that the handle has now; nil: unknown
}

// initialise computes the initial value of a variable and notes its dependencies.
func (m *recorder) initialise(a *accessor) {
	in := &m.initials
	outer := m.tr
	if in.inner == nil {
		in.inner = new(trace)
	}
	in.inner.reset()
	m.tr, in.running = in.inner, true
	variableClass{}.set(m.h, a)
	m.tr, in.running = outer, false
	switch {
	case in.inner.nothing():
	case in.inner.unique || in.inner.size || in.inner.wrote:
		outer.merge(in.inner)
	default:
		a.lazy = true
		in.list = append(in.list, &initial{a: a, trace: in.inner})
		in.inner = nil
	}
}

func (in *initials) of(a *accessor) *initial {
	for _, x := range in.list {
		if x.a == a {
			return x
		}
	}
	return nil
}

// variable notes that a variable of the list is being read.
func (m *recorder) variable(a *accessor) {
	if m.tr == nil {
		return
	}
	in := &m.initials
	x := in.of(a)
	switch {
	case m.building:
		m.tr.merge(x.trace)
		if !in.running {
			a.lazy = false // a statement reads it, it is part of the layout
		}
	case x.shape == nil:
		m.depend(onEverything)
	default:
		for _, s := range x.shape.spans {
			m.read(s.off, s.n)
		}
		m.tr.size = m.tr.size || x.shape.size
	}
}

// checkName ends the check if a name changed its meaning after the variable was made. It would give
// another value than it gave then.
func (m *recorder) checkName(name defs.Sym) {
	in := &m.initials
	if a := m.h.store[name]; in.named[name] >= in.checking || a != nil && a.changed >= in.checking {
		in.failed = true
	}
}

var errNotInitial = errors.New("initial value depends on later keys")

// initial computes the initial value of a variable again.
func (m *recorder) initial(a *accessor) (any, error) {
	in := &m.initials
	now := a.v
	a.v = variable{}
	in.checking, in.failed = a.seq, false
	variableClass{}.set(m.h, a)
	in.checking = 0
	v := a.v
	a.v = now
	if in.failed {
		return nil, errNotInitial
	}
	return v, nil
}

// checkInitials makes variables that cannot be computed again a part of the layout.
func (m *recorder) checkInitials(t *trace) {
	in := &m.initials
	list := in.list[:0]
	for _, x := range in.list {
		if !x.a.lazy {
			continue
		}
		m.h.gen++
		if v, err := m.initial(x.a); err != nil || v != x.a.v {
			x.a.lazy = false
			t.merge(x.trace)
			continue
		}
		x.trace = nil
		list = append(list, x)
	}
	in.list, in.inner = list, nil
}

// setInitials gives all variables the values they have in the message.
func (m *recorder) setInitials() bool {
	for _, x := range m.initials.list {
		v, err := m.answer(x.a, askInitial)
		if err != nil || m.results.state != 0 {
			return false
		}
		x.a.v = v.(variable)
		_, x.shape = m.recall(&x.a.results.of[askInitial])
	}
	return true
}
