package export

import (
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// TableTitles are the titles of the columns of [Table].
func TableTitles(s Selection) []string {
	titles := []string{"name", "valid time", "labels", "index"}
	if s.located() {
		titles = append(titles, "latitude", "longitude")
	}
	if s.Place != nil {
		titles = append(titles, "distance")
	}
	return append(titles, "value", mapping.KeyUnits)
}

// Table calls add with a row for each element, for people: numbers have the digits that the packing
// of the values gives them.
func Table(ctx context.Context, fields []*look.Field, s Selection, add func(cells []string)) error {
	for _, f := range fields {
		values, err := s.values(ctx, f)
		if err != nil {
			return err
		}
		step, err := f.Resolution(ctx)
		if err != nil {
			return err
		}
		valid := f.ValidTime()
		position := make([]uint64, len(f.Shape))
		err = s.each(ctx, f, func(e element) error {
			cells := []string{f.Name, valid, f.Labels(), string(appendPosition(nil, e.index, f.Shape, position))}
			if s.located() {
				cells = append(cells, degrees(e.lat), degrees(e.lon))
			}
			if s.Place != nil {
				cells = append(cells, strconv.FormatFloat(look.Distance(s.Place.Lat, s.Place.Lon, e.lat, e.lon), 'f', 1, 64)+" km")
			}
			value := ""
			if !values.Missing(e.read) {
				value = rounded(values, e.read, step)
			}
			add(append(cells, value, f.Units))
			return nil
		})
		if err = errors.Join(err, values.Err()); err != nil {
			return err
		}
	}
	return nil
}

// degrees is a latitude or longitude with the digits that tell places a few metres apart.
func degrees(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
}

// rounded is a value with as many decimals as tell it from its neighbours, a step away. Without a step, it
// has the digits that are sure to be right.
func rounded(values *look.Elements, i int, step float64) string {
	v := values.Float(i)
	if step > 0 && v-v == 0 {
		decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
		if shift := math.Pow10(decimals); decimals < 15 && math.Abs(v)*shift < 1e15 {
			return strconv.FormatFloat(math.Round(v*shift)/shift, 'f', -1, 64)
		}
	}
	exact := string(values.AppendText(nil, i))
	if short := strconv.FormatFloat(v, 'g', 15, 64); len(short) < len(exact) {
		return short
	}
	return exact
}

// Outside returns the distance of a place from the nearest point of a grid, in kilometres. is reports
// whether it is farther than points are from each other.
func Outside(ctx context.Context, f *look.Field, p Place) (kilometres float64, is bool, err error) {
	s := Selection{Place: &p}
	grid, err := f.Grid(ctx)
	if err != nil {
		return 0, false, err
	}
	err = s.each(ctx, f, func(e element) error {
		kilometres = look.Distance(p.Lat, p.Lon, e.lat, e.lon)
		spacing := grid.Spacing(e.index)
		is = spacing > 0 && kilometres > 1.01*spacing
		return nil
	})
	return kilometres, is, err
}
