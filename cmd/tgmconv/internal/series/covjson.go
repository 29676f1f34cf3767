package series

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/jsontext"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// memberNumber is a member of coverages that the standard has not: the number of the ensemble member.
const memberNumber = "tgmconv:number"

// memberReference is the same for the time of reference, where several fields are valid at one time.
const memberReference = "tgmconv:forecast_reference_time"

// CoverageJSON writes a collection of coverages (OGC Community Standard 21-069r2): one of domain type
// PointSeries for each station, variable, level and member.
func CoverageJSON(w io.Writer, records Records) error {
	s, err := seriesOf(records)
	if err != nil {
		return err
	}
	s.sortMoments()
	for _, k := range s.stations {
		if k.lat == fillValue {
			return fmt.Errorf("point %s has no latitude and longitude, which CoverageJSON needs", k.name)
		}
	}
	for _, m := range s.moments {
		if !m.known[0] {
			return errors.New("the time for which values are valid is not known, which CoverageJSON needs")
		}
	}
	out := bufio.NewWriterSize(safetext.NewEscaper(w), 64<<10)
	head, err := jsontext.Append(nil, map[string]any{
		"type": "CoverageCollection", "domainType": "PointSeries", "parameters": s.parameters(), "referencing": referencing(s.hasLevels()),
	})
	if err != nil {
		return err
	}
	out.Write(head[:len(head)-1])
	out.WriteString(`,"coverages":[`)
	n := 0
	for _, v := range s.variables {
		for _, c := range s.coverages(v) {
			text, err := jsontext.Append(nil, c)
			if err != nil {
				return err
			}
			if n++; n > 1 {
				out.WriteString(",")
			}
			out.WriteString("\n")
			out.Write(text)
		}
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// parameters describes the variables, by their names.
func (s *stationSeries) parameters() map[string]any {
	all := make(map[string]any)
	for _, v := range s.variables {
		label := v.long
		if label == "" {
			label = v.key.name
		}
		p := map[string]any{
			"type": "Parameter", "description": inEnglish(label), "observedProperty": map[string]any{"label": inEnglish(label)},
		}
		if v.key.units != "" {
			p["unit"] = map[string]any{"symbol": v.key.units}
		}
		all[v.key.name] = p
	}
	return all
}

func inEnglish(text string) map[string]any { return map[string]any{"en": text} }

// hasLevels reports whether a variable has a level that is known.
func (s *stationSeries) hasLevels() bool {
	for _, v := range s.variables {
		if v.key.levelType != "" {
			return true
		}
	}
	return false
}

// referencing describes the axes.
func referencing(levels bool) []any {
	list := []any{
		map[string]any{"coordinates": []any{"x", "y"}, "system": map[string]any{"type": "GeographicCRS", "id": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"}},
		map[string]any{"coordinates": []any{"t"}, "system": map[string]any{"type": "TemporalRS", cf.AttrCalendar: "Gregorian"}},
	}
	if levels {
		list = append(list, map[string]any{"coordinates": []any{"z"}, "system": map[string]any{"type": "VerticalCRS"}})
	}
	return list
}

// A seriesKey identifies one series of a variable.
type seriesKey struct {
	station int32
	level   float64
	number  int64
	run     time.Time // of reference, where several fields are valid at one time
}

// runs reports whether several fields are valid at one time.
func (s *stationSeries) runs() bool {
	for i := range s.moments {
		if i > 0 && s.moments[i].valid.Equal(s.moments[i-1].valid) {
			return true
		}
	}
	return false
}

// coverages are the series of a variable, in the order of their first times.
func (s *stationSeries) coverages(v *variable) []any {
	type cells struct {
		key seriesKey
		all []cellOf
	}
	found := make(map[seriesKey]*cells)
	var order []*cells
	runs := s.runs()
	slices.SortStableFunc(v.cells, func(a, b cellOf) int { return cmp.Compare(a.moment, b.moment) })
	for _, c := range v.cells {
		key := seriesKey{station: c.station, level: c.level, number: c.number}
		if runs {
			key.run = s.moments[c.moment].reference
		}
		if found[key] == nil {
			found[key] = &cells{key: key}
			order = append(order, found[key])
		}
		found[key].all = append(found[key].all, c)
	}
	var list []any
	for _, o := range order {
		times, values := make([]any, len(o.all)), make([]any, len(o.all))
		for i, c := range o.all {
			times[i] = s.moments[c.moment].valid.Format(time.RFC3339)
			if !math.IsNaN(c.value) {
				values[i] = c.value
			}
		}
		station := s.stations[o.key.station]
		axes := map[string]any{"x": axisOf(station.lon), "y": axisOf(station.lat), "t": map[string]any{"values": times}}
		if v.key.levelType != "" {
			axes["z"] = axisOf(o.key.level)
		}
		c := map[string]any{
			"type": "Coverage", "id": station.name, "domain": map[string]any{"type": "Domain", "domainType": "PointSeries", "axes": axes},
			"ranges": map[string]any{v.key.name: map[string]any{
				"type": "NdArray", "dataType": "float", "axisNames": []any{"t"}, "shape": []any{int64(len(values))}, "values": values,
			}},
		}
		if len(v.numbers) > 1 {
			c[memberNumber] = o.key.number
		}
		if runs {
			c[memberReference] = o.key.run.Format(time.RFC3339)
		}
		list = append(list, c)
	}
	return list
}

func axisOf(v float64) map[string]any { return map[string]any{"values": []any{v}} }
