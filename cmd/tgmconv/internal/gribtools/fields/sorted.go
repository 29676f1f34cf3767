package fields

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// A spot is where a field lies, with the text it is sorted by.
type spot struct {
	by             string
	offset, length int64
	field          int // in the message
	count          int
}

// Sorted yields the fields of the file sorted by the text of a key. Fields without the key come
// first; equal ones keep their order. The file is read twice, and only the places of fields are
// kept in memory.
func (s Scanner) Sorted(ctx context.Context, key string) iter.Seq2[Field, error] {
	return func(yield func(Field, error) bool) {
		spots, err := s.spots(ctx, key)
		if err != nil {
			yield(Field{}, err)
			return
		}
		slices.SortStableFunc(spots, func(a, b spot) int { return strings.Compare(a.by, b.by) })
		var reader keys.Reader
		for _, at := range spots {
			f, err := s.at(ctx, at, &reader)
			if !yield(f, err) || err != nil {
				return
			}
			if err := f.data.err; err != nil {
				yield(Field{}, f.inMessage(err))
				return
			}
		}
	}
}

// spots lists the fields of the file.
func (s Scanner) spots(ctx context.Context, key string) (spots []spot, err error) {
	_, err = s.Each(ctx, func(f Field) error {
		at := spot{offset: f.Offset(), length: int64(len(f.Message())), count: f.Count}
		at.by, _ = f.String(key)
		if n := len(spots); n > 0 && spots[n-1].offset == at.offset {
			at.field = spots[n-1].field + 1
		}
		spots = append(spots, at)
		return nil
	})
	return spots, err
}

// at reads one field again.
func (s Scanner) at(ctx context.Context, at spot, reader *keys.Reader) (found Field, err error) {
	s.Start, s.Size = at.offset, at.offset+at.length
	n := 0
	_, err = s.scan(ctx, func(f Field) error {
		if n++; n <= at.field {
			return nil
		}
		f.Count, f.Total = at.count, s.Before+at.count
		if err := f.open(reader); err != nil {
			return err
		}
		found = f
		return ErrStop
	})
	if err == nil && found.Field == nil {
		err = &keys.MessageError{Reason: "the field is gone: the file has changed"}
	}
	return found, err
}
