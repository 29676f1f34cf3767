package fromgrib

import (
	"context"
	"iter"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/parallel"
)

// member is a field of a group, by where it is.
type member struct {
	at    place
	field int
}

// grouped yields fields sorted by the values of the grouping keys: groups in the order in which
// they are first met, and fields in their own order within a group. Only headers are read for it,
// and only places are kept.
func (s *Source) grouped(ctx context.Context) iter.Seq2[importers.Part, error] {
	return func(yield func(importers.Part, error) bool) {
		groups := make(map[string][]member)
		var order []string
		more := true
		for looked := range s.lookAll(ctx, func(err error) bool { more = yield(importers.Part{}, err); return more }) {
			if looked.at.note != "" {
				if !yield(s.part(looked.at), nil) {
					return
				}
				continue
			}
			for field, group := range looked.groups {
				if group == nil {
					continue
				}
				if groups[*group] == nil {
					order = append(order, *group)
				}
				groups[*group] = append(groups[*group], member{looked.at, field})
			}
		}
		if !more {
			return
		}
		for _, group := range order {
			for _, m := range groups[group] {
				if !yield(s.inGroup(m, group), nil) {
					return
				}
			}
		}
	}
}

// inGroup is one field as part of its group.
func (s *Source) inGroup(m member, group string) importers.Part {
	p := s.part(m.at)
	p.Fields, p.Group = []int{m.field}, group
	if m.field > 0 {
		p.Bytes = 0 // counted with the first field of the message
	}
	return p
}

// looked is a message whose headers have been read: the group of each field, nil for unwanted
// fields.
type looked struct {
	at     place
	groups []*string
	err    error
}

// lookBatch is how many messages are looked at together.
const lookBatch = 1024

// lookAll reads the headers of all messages, several at a time, and yields them in order. Errors go
// to bad, which reports whether to go on.
func (s *Source) lookAll(ctx context.Context, bad func(error) bool) iter.Seq[looked] {
	return func(yield func(looked) bool) {
		batch := make([]looked, 0, lookBatch)
		flush := func() bool {
			s.lookBatch(ctx, batch)
			for _, l := range batch {
				if l.err != nil {
					if !bad(l.err) {
						return false
					}
					continue
				}
				if !yield(l) {
					return false
				}
			}
			batch = batch[:0]
			return ctx.Err() == nil
		}
		for at, err := range s.scan(ctx) {
			batch = append(batch, looked{at: at, err: err})
			if len(batch) == lookBatch && !flush() {
				return
			}
		}
		flush()
	}
}

// lookBatch looks at messages on all cores.
func (s *Source) lookBatch(ctx context.Context, batch []looked) {
	scratches := sync.Pool{New: func() any { return new(importers.Scratch) }}
	parallel.Each(len(batch), func(i int) {
		if l := &batch[i]; l.err == nil && l.at.note == "" {
			scratch := scratches.Get().(*importers.Scratch)
			l.look(ctx, s, scratch)
			scratches.Put(scratch)
		}
	})
}

// look finds the groups of a message's fields.
func (l *looked) look(ctx context.Context, s *Source, scratch *importers.Scratch) {
	p := s.part(l.at)
	fail := func(err error) { l.err = &importers.BadInput{Where: p.Where(), Err: err} }
	f, err := s.acquire(ctx, p.Input)
	if err != nil {
		fail(err)
		return
	}
	defer f.Release()
	var m *grib.Message
	if s.headersSuffice() {
		m, err = s.readHead(f, &p)
	} else {
		m, err = s.readMessage(f, &p, scratch)
	}
	if err != nil {
		fail(err)
		return
	}
	reader := s.keys.take()
	defer s.keys.give(reader)
	for i, g := range m.Fields() {
		var group *string
		h, err := reader.Handle(messageOf(g), data{g})
		if err != nil {
			fail(err)
			return
		}
		if s.selects(h, g, &p, i) {
			name := s.groupName(h)
			group = &name
		}
		l.groups = append(l.groups, group)
	}
}

// groupName is the values of the grouping keys; a key that the field does not have is empty.
func (s *Source) groupName(h *keys.Handle) string {
	values := make([]string, len(s.opts.GroupBy))
	for i, key := range s.opts.GroupBy {
		v, err := h.String(key)
		if err == nil {
			values[i] = v
		}
		s.asked.Note(key, err == nil)
	}
	return strings.Join(values, "\x00")
}
