package fromgrib

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
)

// pending is the message at a place, of which the fields that want accepts (by their index in the
// message) are converted.
func (s *Source) pending(at place, want func(field int) bool) importers.Pending {
	where := at.where()
	return importers.Pending{
		Where: where, Bytes: at.Length, Memory: 8 * at.Length,
		Fields: func(ctx context.Context, scratch *importers.Scratch) iter.Seq2[*importers.Field, error] {
			return func(yield func(*importers.Field, error) bool) {
				if err := s.message(ctx, at, want, scratch, yield); err != nil {
					yield(nil, &importers.BadInput{Where: where, Err: err})
				}
			}
		},
	}
}

// message yields the wanted fields of a message. The error it returns is of the message as a whole.
func (s *Source) message(ctx context.Context, at place, want func(field int) bool, scratch *importers.Scratch, yield func(*importers.Field, error) bool) error {
	f, err := s.files.acquire(ctx, at.input)
	if err != nil {
		return err
	}
	defer s.files.release(f)
	if len(s.opts.Where) > 0 && s.headersSuffice() {
		// Most messages are not wanted: a look at the headers saves reading their data.
		m, err := s.readHead(f, at.Info)
		if err != nil {
			return err
		}
		if !s.anySelected(m, want) {
			return nil
		}
	}
	m, err := s.readMessage(f, at.Info, scratch)
	if err != nil {
		return err
	}
	for i, g := range m.Fields() {
		if !want(i) {
			continue
		}
		where := at.where()
		if len(m.Fields()) > 1 {
			where = fmt.Sprintf("%s, field %d", where, i)
		}
		field, err := s.field(g, where)
		if err != nil {
			err = &importers.BadInput{Where: where, Err: err}
		} else if field == nil {
			continue
		} else if s.opts.Split {
			field.Group = fmt.Sprintf("input %d byte %d field %d", at.input, at.Offset, i)
		}
		if !yield(field, err) {
			return nil
		}
	}
	return nil
}

// readMessage reads a message and splits it into fields.
func (s *Source) readMessage(r io.ReaderAt, info grib.Info, scratch *importers.Scratch) (*grib.Message, error) {
	if info.Length > math.MaxInt || info.Length > grib.DefaultMaxMessage {
		return nil, &grib.LimitError{Offset: info.Offset, What: "message bytes", Value: info.Length, Max: grib.DefaultMaxMessage}
	}
	data := scratch.Raw(int(info.Length))
	if n, err := r.ReadAt(data, info.Offset); n < len(data) {
		return nil, fmt.Errorf("reading %d bytes at byte %d: %w", len(data), info.Offset, err)
	}
	return grib.ParseMessage(data, info.Offset, s.reader)
}

// anySelected reports whether a wanted field of a message satisfies the clauses.
func (s *Source) anySelected(m *grib.Message, want func(field int) bool) bool {
	reader := s.keys.take()
	defer s.keys.give(reader)
	for i, f := range m.Fields() {
		if !want(i) {
			continue
		}
		if h, err := reader.Handle(messageOf(f), nil); err == nil && s.selects(h) {
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
