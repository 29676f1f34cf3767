package keys

import "encoding/binary"

// Messages of a file are much alike. Their sections have the same templates and
// lengths, and only a date, a level or a parameter differ. The accessors that the
// definitions make of a message before any key is asked for, with their names and
// places, then are the same too. A layout says on which bytes of the message they
// depend. It also fits messages whose data are longer or shorter, if lengths were
// used only to compute other lengths: the parts after the data are moved, and
// blocks that hold the data grow.
type layout struct {
	spans   []span
	content []byte // of the spans
	size    int    // of the message
	moves   bool   // whether it fits other lengths of data
	free    []span // the lengths that differ then
	was     []int  // their values in the message that the handle has now

}

// afterData reports whether a moves when the data get longer.
func (m *recorder) afterData(a *accessor) bool {
	return m.h.dataKey != nil && a.seq > m.h.dataKey.seq
}

// freezeLayout makes the layout from the notes. The result ok is false if it can serve no other
// message.
func (m *recorder) freezeLayout(t *trace) (ok bool) {
	if t.unique {
		return false
	}
	h, l := m.h, &m.layout
	l.size = len(h.buf)
	set := t.bytes
	l.moves = h.dataKey != nil && h.dataKeys == 1 && h.dataKey.length > 0 && !t.size && !t.tail && l.canMove(h, t)
	for i := range t.high {
		set[i] |= t.linear[i]
	}
	if l.moves {
		for _, s := range l.free {
			for i := s.off; i < s.off+s.n; i++ {
				set[i>>6] &^= 1 << (i & 63)
			}
		}
	}
	l.spans, _ = spans(set[:t.high])
	for _, s := range l.spans {
		l.content = append(l.content, h.buf[s.off:s.off+s.n]...)
	}
	return true
}

// canMove reports whether the data may be longer or shorter. The lengths around the data must
// be known and used only to compute other lengths, and nothing after the beginning of the
// data may have been read.
func (l *layout) canMove(h *Handle, t *trace) bool {
	l.free = h.freeLengths(h.dataKey)
	for _, s := range l.free {
		l.was = append(l.was, lengthAt(h.buf, s))
		if overlap(t.bytes[:t.high], s) {
			return false
		}
	}
	rest := span{h.dataKey.offset, traceLimit - h.dataKey.offset}
	return len(l.free) > 1 && !overlap(t.bytes[:t.high], rest) && !overlap(t.linear[:t.high], rest)
}

// freeLengths are the keys that say how long the sections around the data are.
func (h *Handle) freeLengths(data *accessor) (list []span) {
	for s := data.up; s != nil; s = s.owner.up {
		if k := s.lengthKey; k != nil {
			list = append(list, span{k.offset, k.length})
		}
		if s.owner == nil {
			break
		}
	}
	if h.buf[7] == 1 {
		list = append(list, span{4, 3}) // totalLength is no length key of edition 1
	}
	return list
}

// fits reports whether a message has the layout.
func (l *layout) fits(msg []byte) bool {
	if len(msg) != l.size && !l.moves {
		return false
	}
	content := l.content
	for _, s := range l.spans {
		if s.off+s.n > len(msg) || string(msg[s.off:s.off+s.n]) != string(content[:s.n]) {
			return false
		}
		content = content[s.n:]
	}
	return true
}

// lengthAt reads a free length. It is -1 for the scaled lengths of long messages
// of edition 1.
func lengthAt(msg []byte, s span) int {
	var b [8]byte
	if s.n > 8 || s.off+s.n > len(msg) {
		return -1
	}
	copy(b[8-s.n:], msg[s.off:s.off+s.n])
	v := binary.BigEndian.Uint64(b[:])
	if msg[7] == 1 && v >= 0x800000 || v > 1<<40 {
		return -1
	}
	return int(v)
}

// moved is how much longer the data of msg are. The result ok is false if its lengths contradict
// each other or it is another kind of message.
func (l *layout) moved(msg []byte, data *accessor) (by int, ok bool) {
	if !l.moves {
		return 0, true // the same bytes
	}
	by = len(msg) - l.size
	for i, s := range l.free {
		if is := lengthAt(msg, s); l.was[i] < 0 || is < 0 || is-l.was[i] != by {
			return 0, false
		}
	}
	if msg[7] == 1 && by%2 != 0 {
		return 0, false // sections of edition 1 are padded to an even length
	}
	return by, data.length+by > 0
}

// rebind points the handle to another message, if that has the same layout.
func (m *recorder) rebind(msg []byte, ds DataSource) bool {
	if !m.layout.fits(msg) {
		return false
	}
	by, ok := m.layout.moved(msg, m.h.dataKey)
	if !ok {
		return false
	}
	h := m.h
	h.buf, h.ds, h.data = msg, ds, dataMemo{}
	h.gen++
	m.forget()
	if by != 0 {
		m.layout.grow(by)
		h.move(by)
	}
	return m.setInitials()
}

// grow fits the layout to a message whose data are longer.
func (l *layout) grow(by int) {
	l.size += by
	for i := range l.was {
		l.was[i] += by
	}
}

// move makes the data longer, and moves the keys after them.
func (h *Handle) move(by int) {
	d := h.dataKey
	d.length += by
	for s := d.up; s.owner != nil; s = s.owner.up {
		s.owner.length += by
	}
	for _, block := range h.blocks {
		if last := block[len(block)-1].seq; last != 0 && last <= d.seq {
			continue
		}
		for i := range block {
			if a := &block[i]; a.seq > d.seq {
				a.offset += by
			}
		}
	}
}
