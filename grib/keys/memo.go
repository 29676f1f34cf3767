package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// A memoiser lets a handle that serves many messages give earlier results again. The evaluation of
// keys knows only this interface: it reports its reads and changes (in message.go and state.go,
// nowhere else), and does not know the use of these reports. A handle of New has no memoiser, a
// handle of a Reader has a recorder.
type memoiser interface {
	// answer answers a question, from memory or by calling Handle.evaluate.
	answer(a *accessor, q question) (any, error)
	// list answers with what derive makes of the keys of a list, from memory or by reading them.
	list(l *List, derive func([]Key) any) any

	// read is called before n octets of the message are read.
	read(off, n int)
	// depend is called before another input is used that may differ between messages.
	depend(on dependency)
	// place is called before the place of an accessor is used as a number.
	place(a *accessor)
	// lengths is called with true before lengths are read from the message only to be added up. It
	// is called with false after it.
	lengths(begin bool)
	// lookup is called before a plain name is looked up. Before a qualified name it is called with
	// NoSym.
	lookup(name defs.Sym)
	// variable is called before a variable that is marked as lazy is read.
	variable(a *accessor)

	// initialise gives a variable its first value.
	initialise(a *accessor)
	// setVariable is called before a variable is changed.
	setVariable(a *accessor, v variable)
	// setName is called before a name gets another meaning.
	setName(name defs.Sym, a *accessor)
}

// A dependency is an input of an evaluation other than octets.
type dependency uint8

const (
	onSize       dependency = iota // the length of the message
	onEverything                   // the values, or more octets than can be noted
)

// A question is a request about a key.
type question uint8

const (
	askLong question = iota
	askDouble
	askString
	askValue
	askNative
	askSize
	askMissing
	askInitial // the first value of a variable: asked by recorders only
	questions
)

// ask answers a question about an accessor.
func (h *Handle) ask(a *accessor, q question) (any, error) {
	if h.memo == nil {
		return h.evaluate(a, q)
	}
	return h.memo.answer(a, q)
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
	}
	return h.value(a)
}
