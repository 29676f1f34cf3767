package tgm

import (
	"errors"
	"fmt"
	"slices"
)

// Torn returns what begins like a message and has no end: one whose writer was stopped, or that was
// cut. Each is returned as a message of its complete frames: it has no length and cannot be copied,
// but its objects can be read. The whole file is searched first.
func (f *File) Torn() ([]*Message, error) {
	if f.pipe != nil {
		return nil, fmt.Errorf("tgm: what is not whole %w", ErrPassed)
	}
	gaps, err := f.Gaps()
	if err != nil {
		return nil, err
	}
	var torn []*Message
	for _, g := range gaps {
		m, err := f.tornAt(g)
		if err != nil {
			return nil, err
		}
		if m != nil {
			torn = append(torn, m)
		}
	}
	return torn, nil
}

// tornAt returns the beginning of a message in a gap, nil if there is none.
func (f *File) tornAt(g Gap) (*Message, error) {
	if g.Length < preambleSize {
		return nil, nil
	}
	b := make([]byte, preambleSize)
	if err := f.src.readAt(b, g.Offset); err != nil {
		return nil, err
	}
	pre, err := parsePreamble(b, nowhere)
	if err != nil {
		return nil, nil
	}
	m := &Message{
		src: f.src, limits: f.opts.limits, budget: f.opts.budget, hashes: !f.opts.noHashes, index: f.places.n, torn: true,
		extent: extent{offset: g.Offset, length: g.Length + postambleSize, pre: pre}, // as if an end followed
	}
	w := walker{src: f.src, base: g.Offset, pos: preambleSize, limit: g.Length, message: m.index}
	m.toc, err = m.wholeFrames(&w)
	return m, err
}

// wholeFrames finds frames up to the first that is not whole.
func (m *Message) wholeFrames(w *walker) (*contents, error) {
	toc := &contents{preceders: map[int]frame{}}
	var index, preceder frame
	for {
		f, ok, err := w.next()
		if problemOf(err) != nil || err == nil && !ok {
			return toc, nil
		}
		if err != nil {
			return nil, err
		}
		toc.note(f, &index)
		switch f.kind {
		case framePreceder:
			preceder = f
		case frameData:
			if preceder.kind != 0 {
				toc.preceders[len(toc.objects)] = preceder
			}
			toc.objects, preceder = append(toc.objects, span{f.offset, f.length}), frame{}
		}
	}
}

// Indexed reports whether the message has an index that lists its objects at their offsets.
func (m *Message) Indexed() (bool, error) {
	w := walker{src: m.src, base: m.offset, pos: preambleSize, limit: m.framesEnd(), message: m.index}
	var index frame
	var found []span
	toc := &contents{}
	for {
		f, ok, err := w.next()
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		toc.note(f, &index)
		if f.kind == frameData {
			found = append(found, span{f.offset, f.length})
		}
	}
	if index.kind == 0 {
		return len(found) == 0, nil
	}
	b, err := m.content(index)
	var damage *HashError
	if errors.As(err, &damage) || problemOf(err) != nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	listed, err := parseIndex(b, m.at(-1, m.offset+index.offset))
	return err == nil && slices.Equal(listed, found), nil
}
