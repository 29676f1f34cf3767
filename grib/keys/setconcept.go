package keys

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// setConcept sets the keys that a value of a concept stands for. Of several combinations it
// takes the combination that changes the fewest keys.
func (s *setter) setConcept(h *Handle, e *Entry, value string) error {
	if now, err := h.String(e.Name); err == nil && now == value {
		return nil
	}
	candidates := h.combinations(e.a, value)
	slices.SortStableFunc(candidates, func(a, b []defs.Cond) int { return h.changes(a) - h.changes(b) })
	failed := error(ErrNoConcept)
	for _, conds := range candidates {
		err := s.try(func() error {
			if err := s.apply(h.lib, conds); err != nil {
				return err
			}
			after, err := s.handle()
			if err != nil {
				return err
			}
			if e.Name == "typeOfLevel" && after.buf[7] == 2 {
				if after, err = s.clearSurfaces(after); err != nil {
					return err
				}
			}
			if now, err := after.String(e.Name); err != nil || now != value {
				return ErrNoConcept
			}
			return nil
		})
		if err == nil {
			return nil
		}
		if errors.Is(failed, ErrNoConcept) {
			failed = err
		}
	}
	return failed
}

// clearSurfaces makes scale and value of surfaces missing that have none.
func (s *setter) clearSurfaces(h *Handle) (*Handle, error) {
	for _, which := range []string{"First", "Second"} {
		kind, err := h.Int("typeOf" + which + "FixedSurface")
		if err != nil {
			return h, nil // the template has no surfaces
		}
		const meanSea, none = 101, 255
		if kind >= 1 && kind <= 8 || kind == meanSea || kind == none {
			if err := s.all("scaleFactorOf"+which+"FixedSurface", "missing", "scaledValueOf"+which+"FixedSurface", "missing"); err != nil {
				return nil, err
			}
		}
	}
	return s.handle()
}

// apply sets the keys of a combination.
func (s *setter) apply(lib *defs.Library, conds []defs.Cond) error {
	for i := range conds {
		c := &conds[i]
		value := c.Str
		switch c.Kind {
		case defs.ExInt:
			value = strconv.FormatInt(c.Int, 10)
		case defs.ExFloat:
			value = strconv.FormatFloat(c.Flt, 'g', -1, 64)
		case defs.ExString:
		default:
			return ErrNoSetting
		}
		h, err := s.handle()
		if err != nil {
			return err
		}
		if n, ok := h.holds(conds[i : i+1]); ok && n > 0 {
			continue
		}
		if err := s.set(lib.Name(c.Key), value); err != nil {
			return err
		}
	}
	return nil
}

// changes is how many keys of a combination have another value in the message.
func (h *Handle) changes(conds []defs.Cond) int {
	n := 0
	for i := range conds {
		if _, ok := h.holds(conds[i : i+1]); !ok {
			n++
		}
	}
	return n
}

// combinations lists the combinations that a value of a concept stands for. It looks in the
// tables of the centre and in the master tables.
func (h *Handle) combinations(a *accessor, value string) (found [][]defs.Cond) {
	add := func(entries []defs.TableConcept) {
		for i := range entries {
			if entries[i].Value == value {
				found = append(found, entries[i].Conds)
			}
		}
	}
	act := a.act
	if len(act.Inline) > 0 {
		add(defs.NewConceptTable(act.Inline).Entries)
		return found
	}
	base := act.Path
	if text, err := h.getString(h.lib.Sym(base)); err == nil {
		base = text
	}
	for _, dir := range []defs.Sym{act.LocalDir, act.MasterDir} {
		if dir == defs.NoSym {
			continue
		}
		folder, err := h.getString(dir)
		if err != nil {
			continue
		}
		path, err := h.recompose(strings.TrimSuffix(folder, "/")+"/"+base, false)
		if err != nil {
			continue
		}
		if t, err := h.lib.Concept(path); err == nil && t != nil {
			add(t.Entries)
		}
	}
	return found
}
