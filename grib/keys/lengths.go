package keys

// Lengths of sections and the padding within them.

// sectionLengthClass is the key that says how long its section is.
type sectionLengthClass struct{ unsignedClass }

func (sectionLengthClass) init(_ *Handle, a *accessor) error {
	a.length = int(a.act.Len)
	a.up.lengthKey = a
	return nil
}

func (sectionLengthClass) count(*Handle, *accessor) (int, error) { return 1, nil }

// g1LengthClass is the length of an edition 1 message or of its section 4. The
// 3-byte length of a long message counts units of 120 bytes; then the length of
// section 4 says by how much the last unit is too long.
type g1LengthClass struct {
	sectionLengthClass
	section bool
}

func (c g1LengthClass) init(h *Handle, a *accessor) error {
	a.length = int(a.act.Len)
	if c.section {
		a.up.lengthKey = a
	}
	return nil
}

func (c g1LengthClass) long(h *Handle, a *accessor) (int64, error) {
	other := h.find(a.argName(0))
	total, section := a, other
	if c.section {
		total, section = other, a
	}
	t, s, err := g1Lengths(h, total, section)
	if c.section {
		return s, err
	}
	return t, err
}

func g1Lengths(h *Handle, total, section *accessor) (t, s int64, err error) {
	if total == nil {
		return 0, 0, ErrNotFound
	}
	t = int64(h.decodeUnsigned(total.offset*8, total.length*8))
	if section == nil {
		return t, 0, nil
	}
	s = int64(h.decodeUnsigned(section.offset*8, section.length*8))
	if s < 120 && t&0x800000 != 0 {
		t = (t&0x7fffff)*120 - s
		s = t - int64(section.offset) - 4
	}
	return t, s, nil
}

// paddingClass is bytes without meaning.
type paddingClass struct {
	bytesClass
	op string
}

func (paddingClass) native(*Handle, *accessor) Type { return Bytes }

func (c paddingClass) init(h *Handle, a *accessor) error {
	n := 0
	switch c.op {
	case "pad":
		n = int(h.argLong(a, 0))
	case "padto":
		n = int(h.argLong(a, 0)) - h.place(a)
	case "padtoeven":
		n = h.padToEven(a)
	case "padtomultiple":
		n = h.padToMultiple(a)
	case "section_padding":
		n = h.sectionPadding(a)
	}
	if n < 0 {
		n = 0
	}
	a.length = n
	return nil
}

func (h *Handle) padToEven(a *accessor) int {
	var off, n int64
	var err error
	h.lengths(func() { err = h.argLongs(a, &off, &n) })
	if err != nil || n%2 != 0 {
		return 0
	}
	return (a.offset - int(off)) % 2
}

func (h *Handle) padToMultiple(a *accessor) int {
	begin, multiple := int(h.argLong(a, 0)), int(h.argLong(a, 1))
	if multiple <= 0 {
		return 0
	}
	n := h.place(a) - begin
	if pad := (n+multiple-1)/multiple*multiple - n; pad != 0 {
		return pad
	}
	return multiple
}

// sectionPadding fills up to the length of the enclosing section.
func (h *Handle) sectionPadding(a *accessor) int {
	s := a.up
	for s != nil && s.lengthKey == nil {
		if s.owner == nil {
			return 0
		}
		s = s.owner.up
	}
	if s == nil {
		return 0
	}
	n, err := h.sectionLength(s)
	if err != nil || n == 0 {
		return 0
	}
	start := 0
	if s.owner != nil {
		start = s.owner.offset
	}
	return int(n) - a.offset + start
}
