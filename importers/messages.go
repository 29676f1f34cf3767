package importers

import (
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/tgm"
)

// messages writes objects into consecutive messages, one for each run of the same group, and ends
// each message with the coordinates its fields have in common.
type messages struct {
	out    io.Writer
	opts   *Options
	report *Report

	current messageWriter // nil between messages
	group   string
	coords  []sharedCoord // of the current message, each once, in the order they were first met
	known   map[string]bool
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
	return &messages{out: out, opts: opts, report: report, known: make(map[string]bool)}
}

// sharedCoord is a coordinate and the field that brought it.
type sharedCoord struct {
	*Coord
	where string
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
	err := m.current.Append(r.object, r.base)
	r.object.Release()
	if err != nil {
		return err
	}
	for _, c := range r.coords {
		if m.wanted(c) && !m.known[c.Key] {
			m.known[c.Key] = true
			m.coords = append(m.coords, sharedCoord{c, r.where})
		}
	}
	return nil
}

func (m *messages) wanted(c *Coord) bool {
	switch m.opts.Coordinates {
	case CoordinatesNone:
		return false
	case CoordinatesAxes:
		return c.Axis
	}
	return true
}

func (m *messages) begin(first result) {
	p := m.opts.Provenance
	if m.opts.MessageUUID != nil {
		p.UUID = m.opts.MessageUUID(m.report.Messages)
	}
	m.group = first.group
	opts := tgm.WriterOptions{Provenance: p, TempDir: m.opts.TempDir}
	if m.opts.Stream {
		m.current = tgm.NewStreamWriter(m.out, opts)
	} else {
		m.current = tgm.NewMessageWriter(m.out, opts)
	}
	if len(first.extra) > 0 {
		m.current.SetExtra(first.extra)
	}
}

// finish completes the current message, if there is one.
func (m *messages) finish() error {
	if m.current == nil {
		return nil
	}
	for _, c := range m.coords {
		obj, err := m.cache.encode(c.Coord, &m.opts.Encoding)
		if err != nil {
			// The values are worth having without it.
			m.report.warn(Warning{c.where, fmt.Sprintf("coordinate %s is left out: %v", c.Name, err)})
			continue
		}
		if err := m.current.Append(obj, c.Base()); err != nil {
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

// abort drops what was not completed.
func (m *messages) abort() {
	if m.current != nil {
		m.current.Abort()
		m.current = nil
	}
}

// coordCache keeps the coordinates encoded last, so that many messages on one grid compute them
// once.
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
