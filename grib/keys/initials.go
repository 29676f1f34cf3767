package keys

import (
	"errors"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Initial values of variables, such as topLevel, which is the level, are computed
// while the definitions are run. If a layout depended on the bytes they come
// from it would fit few other messages. So those that no statement reads are not
// part of it, and are computed anew for each message. That happens when all keys
// are there, and is right only if every name that is asked for then means what
// it meant when the variable was made.
type initials struct {
	list  []*initial
	named []int32 // by name: how many accessors there were when its meaning last changed
	inner *trace  // of the initial value that is being computed

	running  bool
	checking int32 // the number of the variable that is being computed anew
	failed   bool  // a name has changed its meaning since
}

// An initial is a variable with what its value depends on.
type initial struct {
	a     *accessor
	trace *trace // while the definitions are run
	shape *shape // for the message that the handle has now; nil: unknown
}

// traceInitial computes the initial value of a variable and notes what it depends
// on.
func (h *Handle) traceInitial(a *accessor) {
	in := &h.lay.initials
	outer := h.tr
	if in.inner == nil {
		in.inner = new(trace)
	}
	in.inner.reset()
	h.tr, in.running = in.inner, true
	variableClass{}.set(h, a)
	h.tr, in.running = outer, false
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

// noteInitial notes that a variable of the list is being read.
func (h *Handle) noteInitial(a *accessor) {
	in := &h.lay.initials
	x := in.of(a)
	switch {
	case h.kept == nil:
		h.tr.merge(x.trace)
		if !in.running {
			a.lazy = false // a statement reads it, it is part of the layout
		}
	case x.shape == nil:
		h.noteData()
	default:
		for _, s := range x.shape.spans {
			h.noteRead(s.off, s.n)
		}
		h.tr.size = h.tr.size || x.shape.size
	}
}

// checkName: a name that changed its meaning after the variable was made would
// give another value than it gave then.
func (h *Handle) checkName(name defs.Sym) {
	in := &h.lay.initials
	if a := h.store[name]; in.named[name] >= in.checking || a != nil && a.changed >= in.checking {
		in.failed = true
	}
}

var errNotInitial = errors.New("initial value depends on later keys")

// initial computes the initial value of a variable anew.
func (h *Handle) initial(a *accessor) (any, error) {
	in := &h.lay.initials
	now := a.v
	a.v = variable{}
	in.checking, in.failed = a.seq, false
	variableClass{}.set(h, a)
	in.checking = 0
	v := a.v
	a.v = now
	if in.failed {
		return nil, errNotInitial
	}
	return v, nil
}

// checkInitials makes variables a part of the layout that cannot be computed anew.
func (h *Handle) checkInitials(t *trace) {
	in := &h.lay.initials
	list := in.list[:0]
	for _, x := range in.list {
		if !x.a.lazy {
			continue
		}
		h.gen++
		if v, err := h.initial(x.a); err != nil || v != x.a.v {
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
func (h *Handle) setInitials() bool {
	for _, x := range h.lay.initials.list {
		v, err := h.ask(x.a, askInitial)
		if err != nil || h.state != 0 {
			return false
		}
		x.a.v = v.(variable)
		_, x.shape = h.recall(&x.a.results.of[askInitial])
	}
	return true
}
