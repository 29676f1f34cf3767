package keys

// A Reader makes handles of many messages, one after the other. It gives the
// same results as New, and is many times faster where messages are alike, as in
// most files: a message whose sections are laid out as in one of the last
// messages is not interpreted again, and a key is not computed again from bytes
// that it was computed from before.
//
// The zero value is ready for use. A Reader must not be used by several
// goroutines at once.
type Reader struct {
	handles []*recorder // the last used first, each with another layout
	tr      trace
	kept    int // results of all handles
}

const (
	maxLayouts  = 64
	maxResults  = 1 << 14 // about 4 MB
	maxAccessor = 1 << 14 // of a layout that is kept
)

// Handle is like [New] for the next message. The handle is valid until the next call.
func (r *Reader) Handle(msg []byte, ds DataSource) (*Handle, error) {
	for i, m := range r.handles {
		if m.rebind(msg, ds) {
			copy(r.handles[1:], r.handles[:i])
			r.handles[0] = m
			return m.h, nil
		}
	}
	h, err := newHandle(msg, ds)
	if err != nil {
		return nil, err
	}
	m := newRecorder(h, r)
	h.memo = m
	if err := h.build(); err != nil {
		return nil, err
	}
	if m.freeze() {
		r.keep(m)
	} else {
		h.memo, h.found = nil, nil
	}
	return h, nil
}

// keep puts a recorder in front of the others, and forgets the least recently used.
func (r *Reader) keep(m *recorder) {
	if len(r.handles) < maxLayouts {
		r.handles = append(r.handles, nil)
	} else {
		r.kept -= r.handles[len(r.handles)-1].results.answers
	}
	copy(r.handles[1:], r.handles)
	r.handles[0] = m
}

// shrink forgets all results when they are too many.
func (r *Reader) shrink() {
	if r.kept < maxResults {
		return
	}
	for _, m := range r.handles {
		m.dropResults()
	}
	r.kept = 0
}
