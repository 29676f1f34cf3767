package keys

import (
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// tables are the code tables of a key: the master table and the centre's own,
// which fills the gaps.
type tables struct {
	master, local *defs.Table
	epoch         uint64 // when they were looked for, see Handle.tables
}

func (t *tables) lookup(code int64) *defs.TableEntry {
	if t == nil {
		return nil
	}
	if e := t.master.Lookup(code); e != nil {
		return e
	}
	return t.local.Lookup(code)
}

// codetableClass is codetable[n] name (table, masterDir, localDir).
type codetableClass struct{ unsignedClass }

// tableArgs are the arguments after the length, if that is a key.
func tableArgs(a *accessor) []*defs.Expr {
	if a.act.Len == 0 && len(a.act.Args) > 0 {
		return a.act.Args[1:]
	}
	return a.act.Args
}

func (codetableClass) init(h *Handle, a *accessor) error {
	n := int64(a.act.Len)
	if n == 0 {
		n = h.argLong(a, 0)
	}
	if n <= 0 || n > 8 {
		return ErrInvalid
	}
	if a.is(defs.Transient) {
		a.v.typ = Long
		initVirtual(h, a)
		return nil
	}
	a.length = int(n)
	return nil
}

func (codetableClass) count(*Handle, *accessor) (int, error) { return 1, nil }

func (codetableClass) native(_ *Handle, a *accessor) Type {
	if a.is(defs.StringType) {
		return String
	}
	return Long
}

func (codetableClass) long(h *Handle, a *accessor) (int64, error) {
	h.tables(a)
	if a.is(defs.Transient) {
		return a.v.i, nil
	}
	return int64(h.decodeUnsigned(a.offset*8, a.length*8)), nil
}

func (codetableClass) longs(h *Handle, a *accessor) ([]int64, error) {
	v, err := a.cls.long(h, a)
	return []int64{v}, err
}

func (codetableClass) str(h *Handle, a *accessor) (string, error) {
	v, err := a.cls.long(h, a)
	if err != nil {
		return "", err
	}
	if e := a.tab.lookup(v); e != nil {
		return e.Abbrev, nil
	}
	return strconv.FormatInt(int64(int32(v)), 10), nil
}

func (h *Handle) loadTables(a *accessor) *tables {
	master, local := h.tablePaths(a)
	return &tables{h.table(master), h.table(local), h.epoch}
}

// tablePaths are the paths of the master table and of the centre's own, "" for
// none.
func (h *Handle) tablePaths(a *accessor) (master, local string) {
	args := tableArgs(a)
	if len(args) == 0 || args[0].Kind != defs.ExString {
		return "", ""
	}
	name := args[0].Str
	dir := func(i int) string {
		if e := arg(args, i); e != nil {
			if s, err := h.getString(exprName(e)); err == nil {
				return s
			}
		}
		return ""
	}
	master = name
	if d := dir(1); d != "" {
		master = d + "/" + name
	}
	master, _ = h.recompose(master, true)
	if d := dir(2); d != "" {
		local, _ = h.recompose(d+"/"+name, true)
	}
	return master, local
}

func (h *Handle) table(path string) *defs.Table {
	if path == "" {
		return nil
	}
	t, err := h.lib.Table(path)
	if err != nil {
		return nil
	}
	return t
}

// codetableTextClass is the title or the units of a code table entry.
type codetableTextClass struct {
	genClass
	units bool
}

func (codetableTextClass) init(*Handle, *accessor) error { return nil }

func (codetableTextClass) native(_ *Handle, a *accessor) Type {
	if a.is(defs.LongType) {
		return Long
	}
	return String
}

func (c codetableTextClass) str(h *Handle, a *accessor) (string, error) {
	v, err := h.argKeyLong(a, 0)
	if err != nil {
		return "", err
	}
	if t := h.find(a.argName(0)); t != nil {
		if e := t.tab.lookup(v); e != nil {
			if c.units {
				return e.Units, nil
			}
			return e.Title, nil
		}
	}
	return strconv.FormatInt(int64(int32(v)), 10), nil
}
