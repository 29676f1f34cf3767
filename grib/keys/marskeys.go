package keys

import (
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Keys that lead to MARS and parameter names.

// labelingClass is class, type or stream, read from the local section.
// Arguments: which of the three, and their keys.
type labelingClass struct{ genClass }

func (labelingClass) init(*Handle, *accessor) error { return nil }

func (labelingClass) target(h *Handle, a *accessor) (*accessor, error) {
	i := h.argLong(a, 0)
	if i < 0 || i > 2 {
		return nil, ErrInvalid
	}
	t := h.find(a.argName(int(i) + 1))
	if t == nil || t == a {
		return nil, ErrNotFound
	}
	return t, nil
}

func (c labelingClass) native(h *Handle, a *accessor) Type {
	t, err := c.target(h, a)
	if err != nil {
		return Undefined
	}
	return t.cls.native(h, t)
}

func (c labelingClass) long(h *Handle, a *accessor) (int64, error) {
	t, err := c.target(h, a)
	if err != nil {
		return 0, err
	}
	return h.accLong(t)
}

func (c labelingClass) double(h *Handle, a *accessor) (float64, error) {
	v, err := c.long(h, a)
	return float64(v), err
}

func (c labelingClass) str(h *Handle, a *accessor) (string, error) {
	t, err := c.target(h, a)
	if err != nil {
		return "", err
	}
	return h.accString(t)
}

// marsParamClass is "parameter.table" of edition 1.
type marsParamClass struct{ computedText }

func (marsParamClass) str(h *Handle, a *accessor) (string, error) {
	table, err := h.argKeyLong(a, 1)
	if err != nil {
		return "", err
	}
	param, err := h.argKeyLong(a, 2)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(param, 10) + "." + strconv.FormatInt(table, 10), nil
}

// forwardClass is the value of its first argument.
type forwardClass struct{ computedLong }

func (forwardClass) long(h *Handle, a *accessor) (int64, error) { return h.argKeyLong(a, 0) }

// oneClass is always 1.
type oneClass struct{ computedLong }

func (oneClass) long(*Handle, *accessor) (int64, error) { return 1, nil }

// definedClass reports whether a key is there.
type definedClass struct {
	computedLong
	key string
}

func (c definedClass) long(h *Handle, _ *accessor) (int64, error) { return b2i(h.defined(c.key)), nil }

// conceptDirClass is the folder of the concept files: the centre's, the general
// folder, or the folder of a data set. Arguments: preferLocal, master folder,
// local folder, datasetForLocal, 1 or 2.
type conceptDirClass struct{ stringClass }

func (conceptDirClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.EditionSpecific
	return nil
}

func (conceptDirClass) str(h *Handle, a *accessor) (string, error) {
	prefer, err := h.argKeyLong(a, 0)
	if err != nil {
		return "", err
	}
	mode := h.argLong(a, 4)
	if set, err := h.getString(a.argName(3)); err == nil && set != "unknown" {
		if mode == 1 {
			return h.getString(a.argName(1))
		}
		return "grib2/localConcepts/" + set, nil
	}
	if (mode == 1) == (prefer != 0) {
		return h.getString(a.argName(1))
	}
	return h.getString(a.argName(2))
}

// conceptFileClass is the file of a parameter concept. It depends on whether
// the message is from before ECMWF's change of its parameter tables.
type conceptFileClass struct{ stringClass }

func (conceptFileClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.EditionSpecific
	return nil
}

func (conceptFileClass) str(h *Handle, a *accessor) (string, error) {
	base := ""
	if e := arg(a.act.Args, 0); e != nil {
		base = e.Str
	}
	mode, err := h.argKeyLong(a, 1)
	if err != nil {
		return "", err
	}
	version, err := h.argKeyLong(a, 2)
	if err != nil {
		return "", err
	}
	switch mode {
	case 0:
		return fmt.Sprintf("%s.lte%d.def", base, version), nil
	case 2:
		return base + ".chemsplit.def", nil
	}
	return base + ".def", nil
}

// mtg2Class is 0 before, 1 after that change. It is 2 where a chemical's
// parameter is split into the quantity and the species. Arguments:
// tablesVersion, the version of the change, marsClass, and whether the version
// decides.
type mtg2Class struct{ computedLong }

func (mtg2Class) init(_ *Handle, a *accessor) error {
	a.flags |= defs.ReadOnly | defs.EditionSpecific
	return nil
}

func (mtg2Class) long(h *Handle, a *accessor) (int64, error) {
	version, err := h.argKeyLong(a, 0)
	if err != nil {
		return 0, err
	}
	change, err := h.argKeyLong(a, 1)
	if err != nil {
		return 0, err
	}
	byVersion, err := h.argKeyLong(a, 3)
	if err != nil {
		return 0, err
	}
	if byVersion == 0 {
		return 1, nil
	}
	if version <= change {
		return 0, nil
	}
	if c, err := h.getString(a.argName(2)); err == nil {
		switch c {
		case "mc", "cr", "a5", "gg": // atmospheric composition
			return 2, nil
		}
	}
	return 1, nil
}

// templateSetClass reports whether the product definition template belongs to a
// set, which the argument kind names.
type templateSetClass struct {
	computedLong
	kind int
	sets [][]int64
}

func (c templateSetClass) long(h *Handle, a *accessor) (int64, error) {
	n, err := h.argKeyLong(a, 0)
	if err != nil {
		n = 0
	}
	k := int64(0)
	if c.kind >= 0 {
		k = h.argLong(a, c.kind)
	}
	if k < 0 || k >= int64(len(c.sets)) {
		return 0, nil
	}
	for _, t := range c.sets[k] {
		if t == n {
			return 1, nil
		}
	}
	return 0, nil
}

// cfVarNameClass is the short name as a netCDF name.
type cfVarNameClass struct{ computedText }

func (cfVarNameClass) str(h *Handle, a *accessor) (string, error) {
	s, err := h.getString(a.argName(0))
	if err != nil {
		return "", err
	}
	if s == "~" || s != "" && s[0] >= '0' && s[0] <= '9' {
		id, err := h.long("paramId")
		if err != nil {
			return "unknown", nil
		}
		return "p" + strconv.FormatInt(id, 10), nil
	}
	return s, nil
}
