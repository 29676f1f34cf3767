package list

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribtools/fields"
)

// An Order is a key by which fields are sorted.
type Order struct {
	fields.Key
	Descending bool
}

// An orderValue is the value of such a key: its text, or its number where it was asked for as one.
type orderValue struct {
	text   string
	number float64
}

// A sorter finds the order of the fields of all files.
type sorter struct {
	files  []fields.Scanner
	fields []sortedField
}

// A sortedField is a field with the values it is sorted by.
type sortedField struct {
	file, count int // count is its number in the file, from 0
	by          []orderValue
}

// file reads the keys that the fields of a file are sorted by.
func (s *sorter) file(ctx context.Context, file fields.Scanner, orders []Order) error {
	s.files = append(s.files, file)
	count := 0
	_, err := fields.EachParallel(ctx, file, func(f fields.Field) (by []orderValue, err error) {
		for _, o := range orders {
			by = append(by, o.value(f))
		}
		return by, nil
	}, func(by []orderValue) error {
		s.fields = append(s.fields, sortedField{len(s.files) - 1, count, by})
		count++
		return nil
	})
	return err
}

// ranks are the places of the fields of each file in the sorted list, from 0. Fields that are equal
// in all keys keep the order they have in the files.
func (s *sorter) ranks(orders []Order) [][]int {
	slices.SortStableFunc(s.fields, func(a, b sortedField) int { return compareValues(orders, a.by, b.by) })
	ranks := make([][]int, len(s.files))
	for i := range s.fields {
		f := &s.fields[i]
		for len(ranks[f.file]) <= f.count {
			ranks[f.file] = append(ranks[f.file], 0)
		}
		ranks[f.file][f.count] = i
	}
	return ranks
}

// listSorted reads the files again and lists their fields in order.
func (l *Lister) listSorted(ctx context.Context) error {
	if len(l.sorted.fields) == 0 {
		return nil
	}
	ranks := l.sorted.ranks(l.Order)
	first := l.sorted.fields[0]
	_, err := l.sorted.files[first.file].Each(ctx, func(f fields.Field) error {
		if f.Count <= first.count {
			return nil
		}
		l.begin(f)
		return fields.ErrStop
	})
	if err != nil {
		return err
	}
	rows := make([]row, len(l.sorted.fields))
	for i, file := range l.sorted.files {
		if len(ranks[i]) == 0 {
			continue
		}
		at := 0
		_, err := fields.EachParallel(ctx, file, func(f fields.Field) (row, error) {
			if f.Count > len(ranks[i]) {
				return row{}, fields.ErrStop // the file has grown
			}
			// As in ecCodes, fields count in the order in which they are listed.
			f.Count = ranks[i][f.Count-1] + 1
			f.Total = f.Count
			return l.row(f)
		}, func(r row) error {
			rows[ranks[i][at]] = r
			at++
			return nil
		})
		if err != nil && at < len(ranks[i]) {
			return err
		}
	}
	for _, r := range rows {
		if err := l.take(r); err != nil {
			if errors.Is(err, fields.ErrStop) {
				return nil
			}
			return err
		}
	}
	return nil
}

// value is the key's value in a field. A key that the field does not have is before all others.
func (o Order) value(f fields.Field) (v orderValue) {
	switch o.Type {
	case fields.Integer:
		if n, err := f.Int(o.Name); err == nil {
			v.number = float64(n)
		}
	case fields.Real:
		v.number, _ = f.Float(o.Name)
	default:
		v.text, _ = f.String(o.Name)
	}
	return v
}

// compareValues compares the keys that two fields are sorted by.
func compareValues(orders []Order, a, b []orderValue) int {
	for i, o := range orders {
		c := cmp.Or(cmp.Compare(a[i].text, b[i].text), cmp.Compare(a[i].number, b[i].number))
		if o.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
