package fromgrib

import (
	"context"
	"fmt"
	"iter"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
)

// A StoredField is a field of a GRIB file with the octets that it has there.
type StoredField struct {
	*grib.Field
	Where string // its place, for errors
}

// Header returns the header of the field of a part that has one field.
func (s *Source) Header(ctx context.Context, p importers.Part) (grib.Header, error) {
	f, err := s.acquire(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	defer f.Release()
	if err := checkPlace(&p, f.Size()); err != nil {
		return nil, err
	}
	m, err := s.readHead(f, &p)
	if err != nil {
		return nil, &importers.BadInput{Where: p.Where(), Err: err}
	}
	for _, field := range wanted(m, &p) {
		return field.Header(), nil
	}
	return nil, &importers.BadInput{Where: p.Where(), Err: fmt.Errorf("the message has %d fields, expected field %v", len(m.Fields()), p.Fields)}
}

// Stored yields the fields of the inputs for which match reports true, as they are stored. match may be nil for
// all fields; of messages without a chosen field the data are not read. An error of type [*importers.BadInput]
// stands for one message, as in [Source.Parts]; any other error ends the iteration.
func (s *Source) Stored(ctx context.Context, match func(*mapping.Known) bool) iter.Seq2[StoredField, error] {
	return func(yield func(StoredField, error) bool) {
		for p, err := range s.Parts(ctx) {
			var fields []StoredField
			if err == nil && !p.OnlyNotes() {
				if fields, err = s.stored(ctx, &p, match); err != nil {
					err = &importers.BadInput{Where: p.Where(), Err: err}
				}
			}
			if err != nil && !yield(StoredField{}, err) {
				return
			}
			for _, f := range fields {
				if !yield(f, nil) {
					return
				}
			}
		}
	}
}

// stored reads the chosen fields of a message, into memory of their own, and leaves their numbers in p.
func (s *Source) stored(ctx context.Context, p *importers.Part, match func(*mapping.Known) bool) ([]StoredField, error) {
	f, err := s.acquire(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	defer f.Release()
	if err := checkPlace(p, f.Size()); err != nil {
		return nil, err
	}
	if match != nil {
		head, err := s.readHead(f, p)
		if err != nil {
			return nil, err
		}
		var chosen []int
		for i, g := range wanted(head, p) {
			if s.matches(s.fieldAt(ctx, g, p, i), match) {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) == 0 {
			return nil, nil
		}
		p.Fields = chosen
	}
	m, err := s.splitMessage(f, p, new(importers.Scratch))
	if err != nil {
		return nil, err
	}
	var fields []StoredField
	for i, g := range wanted(m, p) {
		fields = append(fields, StoredField{g, whereOf(m, p, i)})
	}
	return fields, nil
}

// matches reports whether match chooses a field. A field whose keys cannot be read is not chosen.
func (s *Source) matches(at *fieldAt, match func(*mapping.Known) bool) bool {
	reader := s.keys.take()
	defer s.keys.give(reader)
	h, err := reader.Handle(messageOf(at.Field), at.keysData())
	return err == nil && match(s.knownAt(h, at.Field, at.part, at.index))
}
