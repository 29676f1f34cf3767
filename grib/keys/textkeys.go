package keys

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// sprintfClass formats keys; %d of a missing key is MISSING.
type sprintfClass struct{ computedText }

func (sprintfClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (sprintfClass) str(h *Handle, a *accessor) (string, error) {
	format := ""
	if e := arg(a.act.Args, 0); e != nil {
		format = e.Str
	}
	var b strings.Builder
	next := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		prec := -1
		if i < len(format) && format[i] == '.' {
			p, rest := strtol(format[i+1:])
			prec = int(p)
			i = len(format) - len(rest)
		}
		if i >= len(format) {
			break
		}
		key := a.argName(next)
		switch format[i] {
		case 'd':
			v, err := h.getLong(key)
			if err != nil {
				return "", err
			}
			miss, err := h.isMissing(key)
			if err != nil {
				return "", err
			}
			switch {
			case miss:
				b.WriteString("MISSING")
			case prec >= 0 && prec < 64:
				fmt.Fprintf(&b, "%.*d", prec, v)
			default:
				b.WriteString(strconv.FormatInt(v, 10))
			}
		case 'g':
			v, err := h.getDouble(key)
			if err != nil {
				return "", err
			}
			b.WriteString(formatG(v))
		case 's':
			s, err := h.getString(key)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		default:
			continue
		}
		next++
	}
	return b.String(), nil
}

// md5Class is the checksum of part of the message.
// Arguments: the key of its offset, an expression for its length, and keys whose
// bytes count as zero.
type md5Class struct{ genClass }

func (md5Class) init(*Handle, *accessor) error { return nil }

func (md5Class) native(*Handle, *accessor) Type { return String }

func (md5Class) str(h *Handle, a *accessor) (string, error) {
	off, err := h.argKeyLong(a, 0)
	if err != nil {
		return "", err
	}
	e := arg(a.act.Args, 1)
	if e == nil {
		return "", ErrInvalid
	}
	n, err := h.exprLong(e)
	if err != nil {
		return "", err
	}
	part, ok := h.manyOctets(off, n)
	if !ok {
		return "", ErrDecoding
	}
	if len(a.act.Args) > 2 {
		part = append([]byte(nil), part...)
		for i := 2; i < len(a.act.Args); i++ {
			k := h.find(a.argName(i))
			if k == nil {
				return "", ErrNotFound
			}
			for j := max(k.offset, int(off)); j < k.offset+k.length && j < int(off+n); j++ {
				part[j-int(off)] = 0
			}
		}
	}
	sum := md5.Sum(part)
	return hex.EncodeToString(sum[:]), nil
}

// constTextClass is a fixed text.
type constTextClass struct {
	computedText
	text string
}

func (c constTextClass) str(*Handle, *accessor) (string, error) { return c.text, nil }
