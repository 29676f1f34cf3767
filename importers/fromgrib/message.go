package fromgrib

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// Read reads the fields of a message. Without scratch it reads the headers only, unless a key that
// is asked for depends on the values; with scratch, the whole message at once.
func (s *Source) Read(ctx context.Context, p importers.Part, scratch *importers.Scratch) iter.Seq2[*importers.Field, error] {
	return func(yield func(*importers.Field, error) bool) {
		if p.OnlyNotes() {
			return
		}
		if err := s.message(ctx, &p, scratch, yield); err != nil {
			yield(nil, &importers.BadInput{Where: p.Where(), Err: err})
		}
	}
}

// wanted are the fields of a message that belong to the part, by their numbers.
func wanted(m *grib.Message, p *importers.Part) iter.Seq2[int, *grib.Field] {
	if p.Fields == nil {
		return slices.All(m.Fields())
	}
	return func(yield func(int, *grib.Field) bool) {
		for _, i := range p.Fields {
			if i >= 0 && i < len(m.Fields()) && !yield(i, m.Fields()[i]) {
				return
			}
		}
	}
}

// message yields the fields of a part. The error it returns is of the message as a whole.
func (s *Source) message(ctx context.Context, p *importers.Part, scratch *importers.Scratch, yield func(*importers.Field, error) bool) error {
	if p.Data != nil {
		m, err := grib.ParseMessage(p.Data, p.Offset, grib.WithLimits(s.limits))
		if err != nil {
			return err
		}
		if len(s.opts.Where) > 0 && s.headersSuffice() && !s.anySelected(m, p) {
			return nil
		}
		s.fields(ctx, m, p, yield)
		return nil
	}
	f, err := s.acquire(ctx, p.Input)
	if err != nil {
		return err
	}
	defer f.Release()
	if err := checkPlace(p, f.Size()); err != nil {
		return err
	}
	if scratch != nil && len(s.opts.Where) > 0 && s.headersSuffice() {
		// Most messages are not wanted: a look at the headers saves reading their data.
		m, err := s.readHead(f, p)
		if err != nil {
			return err
		}
		if !s.anySelected(m, p) {
			return nil
		}
	}
	var m *grib.Message
	if scratch == nil {
		m, err = s.readHead(f, p)
		if err == nil && !headsSuffice(m, p) {
			m, err = s.readMessage(f, p, new(importers.Scratch))
		}
	} else {
		m, err = s.readMessage(f, p, scratch)
	}
	if err != nil {
		return err
	}
	s.fields(ctx, m, p, yield)
	return nil
}

// fields yields the fields of a part.
func (s *Source) fields(ctx context.Context, m *grib.Message, p *importers.Part, yield func(*importers.Field, error) bool) {
	for i, g := range wanted(m, p) {
		where := whereOf(m, p, i)
		at := s.fieldAt(ctx, g, p, i)
		field, err := s.field(at, where)
		if err != nil {
			err = &importers.BadInput{Where: where, Err: err}
		} else if field == nil {
			continue
		} else if field.Group = p.Group; s.opts.Split {
			field.Group = fmt.Sprintf("%s field %d", p.Group, i)
		}
		if !yield(field, err) {
			return
		}
	}
}

// whereOf names the place of field i of a part's message.
func whereOf(m *grib.Message, p *importers.Part, i int) string {
	if len(m.Fields()) == 1 {
		return p.Where()
	}
	return fmt.Sprintf("%s, field %d", p.Where(), i)
}

// headsSuffice reports whether the fields of a part can be described without their data.
func headsSuffice(m *grib.Message, p *importers.Part) bool {
	for _, f := range wanted(m, p) {
		if _, err := f.NumberOfDataPoints(); err != nil {
			return false
		}
	}
	return true
}

// checkPlace reports an error if a message does not lie in its input, or is larger than messages
// may be.
func checkPlace(p *importers.Part, size int64) error {
	if p.Offset < 0 || p.Length <= 0 || p.Offset > size || p.Length > size-p.Offset {
		return fmt.Errorf("%d bytes at byte %d do not lie in an input of %d bytes", p.Length, p.Offset, size)
	}
	return nil
}

// limitsOf are the limits of messages of an input.
func (s *Source) limitsOf(input string) grib.Limits {
	limits := s.limits
	if packed, ok := s.opts.Opener.(importers.PackedOpener); ok {
		limits.Packed = packed.PackedSize(input)
	}
	return limits
}

// anySelected reports whether a wanted field of a message satisfies the clauses.
func (s *Source) anySelected(m *grib.Message, p *importers.Part) bool {
	reader := s.keys.take()
	defer s.keys.give(reader)
	for i, f := range wanted(m, p) {
		if h, err := reader.Handle(messageOf(f), nil); err == nil && s.selects(h, f, p, i) {
			return true
		}
	}
	return false
}

// data decodes a field for the keys that depend on its values.
type data struct{ f *grib.Field }

func (d data) Values() ([]float64, []byte, error) {
	values, missing, err := d.f.Decode(nil)
	if err != nil || missing == nil {
		return values, nil, err
	}
	return values, missing.Bits, nil
}
