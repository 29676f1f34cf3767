package keys

import (
	"errors"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// sectionClass is a block: a template, an if, a list.
type sectionClass struct{ genClass }

func (sectionClass) init(_ *Handle, a *accessor) error {
	a.sub = &section{owner: a}
	a.flags |= defs.ReadOnly
	return nil
}

func (sectionClass) native(*Handle, *accessor) Type { return Section }

// whenClass holds the place of a when statement, which only acts on changes.
type whenClass struct{ genClass }

func (whenClass) init(_ *Handle, a *accessor) error { a.flags |= defs.Hidden; return nil }

// nextOffset is where the accessor after a begins.
func (h *Handle) nextOffset(a *accessor) int {
	if a.sub == nil {
		return a.offset + a.length
	}
	if a.length == 0 {
		if a.act.Kind == defs.IfTransient {
			return a.offset // such blocks hold no coded keys
		}
		h.adjust(a.sub, 0)
	}
	return a.offset + a.length
}

// sectionLength is the length that a section gives itself.
func (h *Handle) sectionLength(s *section) (n int64, err error) {
	h.lengths(func() { n, err = h.accLong(s.lengthKey) })
	return n, err
}

var errOffsets = errors.New("section lengths do not match their contents")

// adjust computes the length of a section from its parts. A section that says
// how long it is, and is longer than its parts, is padded.
func (h *Handle) adjust(s *section, level int) (int, error) {
	if level > maxNesting {
		return 0, errTooDeep
	}
	length, offset := s.padding, 0
	if s.owner != nil {
		offset = s.owner.offset
	}
	for a := s.first; a != nil; a = a.nxt {
		if a.sub != nil {
			if _, err := h.adjust(a.sub, level+1); err != nil {
				return 0, err
			}
		}
		if a.offset != offset {
			return 0, errOffsets
		}
		length += a.length
		offset += a.length
	}
	if s.lengthKey != nil {
		plen, err := h.sectionLength(s)
		if err != nil {
			return 0, err
		}
		if int(plen) != length {
			if length >= int(plen) {
				plen = int64(length)
			}
			s.padding = int(plen) - length
			length = int(plen)
		}
	}
	if s.owner != nil {
		s.owner.length = length
	}
	return length, nil
}
