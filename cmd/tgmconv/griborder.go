package main

import (
	"cmp"
	"strings"
)

// A gribOrder is a key of --order-by.
type gribOrder struct {
	gribKey
	descending bool
}

// An orderValue is the value of such a key: its text, or its number where it was asked for as one.
type orderValue struct {
	text   string
	number float64
}

// parseOrder reads KEY[:s|:i|:d] [asc|desc], joined by commas.
func parseOrder(text string) ([]gribOrder, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var list []gribOrder
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 || len(words) > 2 {
			return nil, usagef("--order-by %q: expected KEY[:s|:i|:d] [asc|desc], joined by commas", text)
		}
		o := gribOrder{gribKey: parseGRIBKey(words[0])}
		if len(words) == 2 {
			switch strings.ToLower(words[1]) {
			case "asc":
			case "desc":
				o.descending = true
			default:
				return nil, usagef("--order-by %q: found %q, expected asc or desc", text, words[1])
			}
		}
		list = append(list, o)
	}
	return list, nil
}

// value is the key's value in a field. A key that the field does not have stands before all others.
func (o gribOrder) value(f gribField) (v orderValue) {
	switch o.typ {
	case 'i':
		n, err := f.number(o.name)
		if err == nil {
			v.number = float64(n)
		}
	case 'd':
		v.number, _ = f.Float(o.name)
	default:
		v.text, _, _ = f.text(o.gribKey, "%.6g")
	}
	return v
}

// compareRows compares the values that two rows have for the keys.
func compareRows(orders []gribOrder, a, b []orderValue) int {
	for i, o := range orders {
		c := cmp.Compare(a[i].text, b[i].text)
		if o.typ == 'i' || o.typ == 'd' {
			c = cmp.Compare(a[i].number, b[i].number)
		}
		if o.descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
