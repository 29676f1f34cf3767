package keys

// A Reader makes handles of many messages, one after the other. It gives what
// New gives, and is many times faster where messages are alike, as those of a
// file mostly are: a message whose sections are laid out as in one of the last
// messages is not interpreted again, and a key is not computed again from bytes
// that it was computed from before.
//
// The zero value is ready for use. A Reader must not be used by several
// goroutines at once.
type Reader struct {
	handles []*Handle // the last used first, each with another layout
	tr      trace
	kept    int // results of all handles
}

const (
	maxLayouts  = 64
	maxResults  = 1 << 14 // about 4 MB
	maxAccessor = 1 << 14 // of a layout that is kept
)

// Handle is New for the next message. The handle is valid until the next call.
func (r *Reader) Handle(msg []byte, ds DataSource) (*Handle, error) {
	for i, h := range r.handles {
		if h.rebind(msg, ds) {
			copy(r.handles[1:], r.handles[:i])
			r.handles[0] = h
			return h, nil
		}
	}
	r.tr.reset()
	h, err := open(msg, ds, &r.tr)
	if err != nil {
		return nil, err
	}
	h.tr = nil
	if h.loadErr != nil || h.count > maxAccessor || !h.lay.freeze(h, &r.tr) {
		return h, nil
	}
	h.keepResults(r)
	if !h.setInitials() {
		h.kept = nil
		return h, nil
	}
	if len(r.handles) < maxLayouts {
		r.handles = append(r.handles, nil)
	} else {
		r.kept -= r.handles[len(r.handles)-1].answers
	}
	copy(r.handles[1:], r.handles)
	r.handles[0] = h
	return h, nil
}

// shrink forgets all results when they are too many.
func (r *Reader) shrink() {
	if r.kept < maxResults {
		return
	}
	for _, h := range r.handles {
		h.dropResults()
	}
	r.kept = 0
}
