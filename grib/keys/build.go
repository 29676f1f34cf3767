package keys

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// build runs the definitions over the message: each statement adds accessors.
// Like ecCodes it stops at the first statement that fails and keeps the
// accessors made so far.
func (h *Handle) build() error {
	acts, err := h.lib.File("boot.def")
	if err != nil {
		return err
	}
	h.loadErr = h.run(&h.root, acts, 0)
	if _, err := h.adjust(&h.root, 0); err != nil {
		return &MessageError{0, err.Error()}
	}
	h.gen++
	return nil
}

const maxNesting = 200 // blocks within blocks

var (
	errOverBoundary = errors.New("a key lies outside the message")
	errTooMany      = errors.New("too many keys")
)

func (h *Handle) run(s *section, acts []*defs.Action, level int) error {
	if level > maxNesting {
		return errTooDeep
	}
	for _, act := range acts {
		if err := h.statement(s, act, level); err != nil {
			return err
		}
	}
	return nil
}

func (h *Handle) statement(s *section, act *defs.Action, level int) error {
	switch act.Kind {
	case defs.Gen, defs.Concept, defs.When:
		_, err := h.create(s, act)
		return err
	case defs.Alias:
		h.makeAlias(act)
		return nil
	case defs.Unalias:
		h.dropAlias(act)
		return nil
	case defs.Include:
		acts, err := h.lib.File(act.Path)
		if err != nil {
			return err
		}
		return h.run(s, acts, level+1)
	case defs.If, defs.IfTransient:
		return h.runIf(s, act, level)
	case defs.Template:
		return h.runTemplate(s, act, level)
	case defs.List:
		return h.runList(s, act, level)
	case defs.Remove:
		h.remove(act)
		return nil
	case defs.Modify:
		if a := h.find(act.Name); a != nil {
			a.flags |= act.Flags
			a.changed = int32(h.count)
			h.gen++
		}
		return nil
	}
	return nil
}

func (h *Handle) newAccessor() (*accessor, error) {
	if h.count > 1<<16+len(h.buf) || h.count > 1<<20 {
		return nil, errTooMany
	}
	if len(h.arena) == 0 {
		h.arena = make([]accessor, arenaLen)
		h.blocks = append(h.blocks, h.arena)
	}
	a := &h.arena[0]
	h.arena = h.arena[1:]
	h.count++
	a.seq = int32(h.count)
	return a, nil
}

// create adds the accessor of a statement to a section.
func (h *Handle) create(s *section, act *defs.Action) (*accessor, error) {
	a, err := h.newAccessor()
	if err != nil {
		return nil, err
	}
	a.act, a.up, a.flags = act, s, act.Flags
	a.names[0] = alias{act.Name, act.NS}
	a.nnames = 1
	switch act.Kind {
	case defs.Gen:
		a.cls = h.eng.classes[act.Op]
	case defs.Concept:
		a.cls = conceptClass{}
	case defs.When:
		a.cls = whenClass{}
	default:
		a.cls = sectionClass{}
	}
	switch {
	case s.last != nil:
		a.offset = h.nextOffset(s.last)
	case s.owner != nil:
		a.offset = s.owner.offset
	}
	if err := a.cls.init(h, a); err != nil {
		return nil, err
	}
	if end := h.nextOffset(a); end > len(h.buf) || end < 0 {
		return nil, fmt.Errorf("%w: %s at byte %d to %d of %d", errOverBoundary, h.lib.Name(act.Name), a.offset, end, len(h.buf))
	}
	s.push(a)
	if act.Name != defs.NoSym {
		a.same = h.store[act.Name]
		h.setName(act.Name, a)
	}
	h.gen++
	return a, nil
}

func (h *Handle) runIf(s *section, act *defs.Action, level int) error {
	a, err := h.create(s, act)
	if err != nil {
		return err
	}
	v, err := h.exprLong(act.Cond)
	if err != nil {
		return fmt.Errorf("condition: %w", err)
	}
	if v != 0 {
		return h.run(a.sub, act.Then, level+1)
	}
	return h.run(a.sub, act.Else, level+1)
}

func (h *Handle) runTemplate(s *section, act *defs.Action, level int) error {
	a, err := h.create(s, act)
	if err != nil {
		return err
	}
	a.flags |= defs.Hidden
	path, err := h.recompose(act.Path, false)
	if err != nil || !h.lib.HasFile(path) {
		if !act.NoFail {
			return fmt.Errorf("template %s: %w: %s", h.lib.Name(act.Name), defs.ErrNoFile, path)
		}
		path = "empty_template.def"
	}
	acts, err := h.lib.File(path)
	if err != nil {
		return err
	}
	return h.run(a.sub, acts, level+1)
}

func (h *Handle) runList(s *section, act *defs.Action, level int) error {
	n, err := h.exprLong(act.Cond)
	if err != nil {
		return err
	}
	a, err := h.create(s, act)
	if err != nil {
		return err
	}
	for ; n > 0; n-- {
		if err := h.run(a.sub, act.Then, level+1); err != nil {
			return err
		}
	}
	return nil
}

// makeAlias gives a key a further name, taking the name away from the key that
// had it.
func (h *Handle) makeAlias(act *defs.Action) {
	if act.Name == act.Target && act.NS != defs.NoSym {
		h.addNamespace(act)
		return
	}
	h.dropAlias(act)
	x := h.find(act.Target)
	if x == nil {
		return
	}
	h.setName(act.Name, x)
	if !hasAlias(x, alias{act.Name, act.NS}) && x.nnames < maxNames {
		x.addAlias(alias{act.Name, act.NS})
	}
	h.gen++
}

const maxNames = 20 // of one accessor, as in ecCodes

func hasAlias(a *accessor, al alias) bool {
	for i := 0; i < a.nnames; i++ {
		if a.alias(i) == al {
			return true
		}
	}
	return false
}

// addNamespace: alias ns.x = x only lists x in the namespace.
func (h *Handle) addNamespace(act *defs.Action) {
	x := h.find(act.Target)
	if x == nil {
		return
	}
	for i := 0; i < x.nnames; i++ {
		al := x.alias(i)
		if al.name != act.Name {
			continue
		}
		if al.ns == defs.NoSym {
			x.setAlias(i, alias{act.Name, act.NS})
			return
		}
		if al.ns == act.NS {
			return
		}
	}
	if x.nnames < maxNames {
		x.addAlias(alias{act.Name, act.NS})
	}
}

func (h *Handle) dropAlias(act *defs.Action) {
	y := h.find(act.Name)
	if y == nil {
		return
	}
	for i := 0; i < y.nnames; i++ {
		if y.alias(i) == (alias{act.Name, act.NS}) {
			y.removeAlias(i)
			return
		}
	}
}

// remove takes a key out of the message's list.
func (h *Handle) remove(act *defs.Action) {
	name := defs.NoSym
	if len(act.Args) > 0 {
		name = exprName(act.Args[0])
	}
	a := h.find(name)
	if a == nil {
		return
	}
	prev := a.up.previous(a)
	if prev == nil {
		return
	}
	if a.nnames > 0 {
		h.setName(a.alias(0).name, nil)
	}
	if a.nxt != nil {
		prev.nxt = a.nxt
	}
	h.gen++
	// A name that is not in the table any more is searched for in the message.
	if a.nnames > 0 {
		n := a.alias(0).name
		h.setName(n, h.search(&h.root, n, defs.NoSym))
	}
}
