package fromgrib

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// A message is kept for the next of its fields if it has many fields and is short.
const (
	manyFields  = 16
	keptMessage = 4 << 20
)

// lastMessages are the messages of many fields that were read last of an open input. Without them a
// reader of one field after the other would split the message again for each. They may be used by
// several goroutines.
type lastMessages struct {
	head, whole lastMessage
}

// A lastMessage is the message that was read last in one of the two ways.
type lastMessage struct {
	mu     sync.Mutex
	length int64
	m      *grib.Message
}

// get returns the message of a part, or nil if another message was read last.
func (l *lastMessage) get(p *importers.Part) *grib.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil || l.m.Offset != p.Offset || l.length != p.Length {
		return nil
	}
	return l.m
}

// set keeps the message of a part.
func (l *lastMessage) set(p *importers.Part, m *grib.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m, l.length = m, p.Length
}

// worthKeeping reports whether a message with one field read has many others, and takes little
// memory.
func worthKeeping(m *grib.Message, p *importers.Part) bool {
	return p.Fields != nil && len(m.Fields()) >= manyFields && p.Length <= keptMessage
}

// readHead reads the sections before the data of a message.
func (s *Source) readHead(f *openFile, p *importers.Part) (*grib.Message, error) {
	if m := f.Parsed.head.get(p); m != nil {
		return m, nil
	}
	m, err := grib.ReadHead(f, p.Offset, p.Length, grib.WithLimits(s.limits))
	if err == nil && worthKeeping(m, p) {
		f.Parsed.head.set(p, m)
	}
	return m, err
}

// readMessage reads a message and splits it into fields.
func (s *Source) readMessage(f *openFile, p *importers.Part, scratch *importers.Scratch) (*grib.Message, error) {
	if m := f.Parsed.whole.get(p); m != nil {
		return m, nil
	}
	m, err := s.splitMessage(f, p, scratch)
	if err != nil || !worthKeeping(m, p) {
		return m, err
	}
	// The memory of the scratch is used again for other messages.
	if m, err = grib.ParseMessage(slices.Clone(m.Data), p.Offset, grib.WithLimits(s.limits)); err == nil {
		f.Parsed.whole.set(p, m)
	}
	return m, err
}

// splitMessage reads a message to the memory of a scratch.
func (s *Source) splitMessage(r io.ReaderAt, p *importers.Part, scratch *importers.Scratch) (*grib.Message, error) {
	if err := s.limitsOf(p.Input).CheckLength(p.Offset, p.Length); err != nil {
		return nil, err
	}
	data := scratch.Raw(int(p.Length))
	if n, err := r.ReadAt(data, p.Offset); n < len(data) {
		return nil, fmt.Errorf("reading %d bytes at byte %d: %w", len(data), p.Offset, err)
	}
	return grib.ParseMessage(data, p.Offset, grib.WithLimits(s.limits))
}
