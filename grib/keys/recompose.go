package keys

import (
	"strconv"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Paths in the definitions hold keys: "grib2/tables/[tablesVersion]/4.2.table".
// The forms [key:l], [key:s] and [key:d] ask for the integer, the text or the
// number, [key] for the native type.

type pathPart struct {
	text string
	key  defs.Sym // NoSym for plain text
	typ  Type     // Undefined: native
	bad  bool     // the key is not known to any definition
}

// pathCache holds paths taken apart.
type pathCache struct{ m sync.Map }

func (e *engine) path(s string) []pathPart {
	if v, ok := e.paths.m.Load(s); ok {
		return v.([]pathPart)
	}
	p := splitPath(e.lib, s)
	e.paths.m.Store(s, p)
	return p
}

func splitPath(lib *defs.Library, s string) []pathPart {
	var out []pathPart
	for s != "" {
		i := strings.IndexByte(s, '[')
		j := strings.IndexByte(s, ']')
		if i < 0 || j < i {
			return append(out, pathPart{text: s, key: defs.NoSym})
		}
		if i > 0 {
			out = append(out, pathPart{text: s[:i], key: defs.NoSym})
		}
		name, typ, _ := strings.Cut(s[i+1:j], ":")
		p := pathPart{key: lib.Sym(name)}
		p.bad = p.key == defs.NoSym
		switch typ {
		case "l", "i":
			p.typ = Long
		case "d", "f":
			p.typ = Double
		case "s":
			p.typ = String
		}
		out = append(out, p)
		s = s[j+1:]
	}
	return out
}

// recompose fills in the keys of a path. An absent key gives ErrNotFound, or
// "undef" in the path if undef is set.
func (h *Handle) recompose(s string, undef bool) (string, error) {
	if strings.IndexByte(s, '[') < 0 {
		return s, nil
	}
	var b []byte
	for _, p := range h.eng.path(s) {
		if p.key == defs.NoSym && !p.bad {
			b = append(b, p.text...)
			continue
		}
		a := h.find(p.key)
		if a == nil {
			if !undef {
				return string(b), ErrNotFound
			}
			b = append(b, "undef"...)
			continue
		}
		t := p.typ
		if t == Undefined {
			t = a.cls.native(h, a)
		}
		switch t {
		case String:
			v, err := h.accString(a)
			if err != nil {
				return string(b), err
			}
			b = append(b, v...)
		case Double:
			v, err := h.accDouble(a)
			if err != nil {
				return string(b), err
			}
			b = append(b, formatPrecision(v, 12)...)
		case Long:
			v, err := h.accLong(a)
			if err != nil {
				return string(b), err
			}
			b = strconv.AppendInt(b, int64(int32(v)), 10)
		}
	}
	return string(b), nil
}
