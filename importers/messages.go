package importers

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// messages writes objects into consecutive messages, one for each run of the same group. It ends each message
// with the axes that its fields share, and with the coordinates of points that no message before it has.
type messages struct {
	out    io.Writer
	opts   *Options
	report *Report

	current messageWriter // nil between messages
	group   string
	extra   map[string]any // of the current message
	coords  []sharedCoord  // of the current message, each once, in the order they were first met
	known   map[string]bool
	written map[[sha256.Size]byte]bool // the keys of coordinates of points, by their sums
	cache   coordCache
}

// messageWriter is a writer of one message.
type messageWriter interface {
	Append(*tgm.EncodedObject, map[string]any) error
	SetExtra(map[string]any)
	Close() error
	Abort()
}

func newMessages(out io.Writer, opts *Options, report *Report) *messages {
	return &messages{out: out, opts: opts, report: report,
		known: make(map[string]bool), written: make(map[[sha256.Size]byte]bool)}
}

// sharedCoord is a coordinate and the field that brought it.
type sharedCoord struct {
	*Coord
	where, source string
}

// append adds a field to the message of its group.
func (m *messages) append(r result) error {
	if m.current != nil && r.group != m.group {
		if err := m.finish(); err != nil {
			return err
		}
	}
	if m.current == nil {
		m.begin(r)
	}
	m.share(r.extra)
	if r.object == nil {
		return nil
	}
	err := m.current.Append(r.object, r.written())
	r.object.Release()
	if err != nil {
		return err
	}
	for _, c := range r.coords {
		if !m.known[c.Key] {
			m.known[c.Key] = true
			if m.wanted(c) {
				m.coords = append(m.coords, sharedCoord{c, r.where, r.source})
			}
		}
	}
	return nil
}

// wanted reports whether the current message has to have a coordinate.
func (m *messages) wanted(c *Coord) bool {
	switch {
	case m.opts.Coordinates == CoordinatesNone:
		return false
	case c.Axis:
		return true
	case m.opts.Coordinates == CoordinatesAxes:
		return false
	}
	sum := sha256.Sum256([]byte(c.Key))
	before := m.written[sum]
	m.written[sum] = true
	return !before
}

func (m *messages) begin(first result) {
	p := m.opts.Provenance
	if m.opts.MessageUUID != nil {
		p.UUID = m.opts.MessageUUID(m.report.begun)
	}
	m.report.begun++
	m.group = first.group
	opts := tgm.WriterOptions{Provenance: p, TempDir: m.opts.TempDir, InPlace: true}
	if m.opts.Stream {
		m.current = tgm.NewStreamWriter(m.out, opts)
	} else {
		m.current = tgm.NewMessageWriter(m.out, opts)
	}
	m.extra = nil
}

// share adds metadata to the current message. The metadata of the first field are there before it
// is written.
func (m *messages) share(extra map[string]any) {
	changed := false
	for key, v := range extra {
		if _, there := m.extra[key]; !there {
			if m.extra == nil {
				m.extra = make(map[string]any, len(extra))
			}
			m.extra[key] = v
			changed = true
		}
	}
	if changed {
		m.current.SetExtra(m.extra)
	}
}

// finish completes the current message, if there is one.
func (m *messages) finish() error {
	if m.current == nil {
		return nil
	}
	for _, c := range m.coords {
		obj, err := m.encode(c.Coord)
		if err != nil {
			// The values are worth having without it.
			m.report.warn(Warning{c.where, fmt.Sprintf("coordinate %s is left out: %v", c.Name, err)})
			continue
		}
		base := c.Base()
		if c.source != "" {
			base[mapping.KeySource] = c.source
		}
		err = m.current.Append(obj, base)
		if !c.Axis {
			obj.Release()
		}
		if err != nil {
			return err
		}
		m.report.Coordinates++
	}
	err := m.current.Close()
	m.current, m.coords = nil, nil
	clear(m.known)
	if err == nil {
		m.report.Messages++
	}
	return err
}

// abort drops the message that was not completed.
func (m *messages) abort() {
	if m.current != nil {
		m.current.Abort()
		m.current = nil
	}
}

// encode stores a coordinate. Coordinates of points are written once, so there is no need to keep them.
func (m *messages) encode(c *Coord) (*tgm.EncodedObject, error) {
	if c.Axis {
		return m.cache.encode(c, &m.opts.Encoding)
	}
	return c.encode(&m.opts.Encoding)
}

// coordCache keeps the axes encoded last, so that many messages on one grid compute them once.
type coordCache struct {
	entries [cachedCoords]cachedCoord
	next    int
}

// cachedCoords is enough for the latitudes and longitudes of the grids one model's output has at a
// time.
const cachedCoords = 8

type cachedCoord struct {
	key    string
	object *tgm.EncodedObject
}

func (cc *coordCache) encode(c *Coord, e *Encoding) (*tgm.EncodedObject, error) {
	for _, known := range cc.entries {
		if known.object != nil && known.key == c.Key {
			return known.object, nil
		}
	}
	obj, err := c.encode(e)
	if err != nil {
		return nil, err
	}
	cc.entries[cc.next] = cachedCoord{c.Key, obj}
	cc.next = (cc.next + 1) % cachedCoords
	return obj, nil
}
