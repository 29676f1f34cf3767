package extract

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/tgmconv/tgmconv/mapping"
)

// A Dimension is one along which values are summed up.
type Dimension string

const (
	OverNumber Dimension = mapping.KeyNumber // the members of an ensemble
	OverStep   Dimension = mapping.KeyStep   // the steps of a forecast
	OverTime   Dimension = "time"            // the times of reference, or of validity where there are none
)

// Dimensions are the dimensions along which values are summed up.
var Dimensions = []Dimension{OverNumber, OverStep, OverTime}

// A Statistic is a number that sums up others. Missing values are left out; of none it is missing.
type Statistic struct {
	Name string // mean, std, min, max, median, count, or p and a percentage
	of   func(sorted []float64) float64
}

// ParseStatistic reads a statistic: mean, std (of the population, divided by the count), min, max,
// median, count, or a percentile such as p10 or p97.5. Between two values a percentile is
// interpolated: the default of NumPy, definition 7 of Hyndman and Fan (1996).
func ParseStatistic(name string) (Statistic, error) {
	s := Statistic{Name: name}
	switch name {
	case "mean":
		s.of = mean
	case "std":
		s.of = deviation
	case "min":
		s.of = func(x []float64) float64 { return x[0] }
	case "max":
		s.of = func(x []float64) float64 { return x[len(x)-1] }
	case "median":
		s.of = func(x []float64) float64 { return quantile(x, 0.5) }
	case statCount:
		s.of = func(x []float64) float64 { return float64(len(x)) }
	default:
		digits, isPercentile := strings.CutPrefix(name, "p")
		p, err := strconv.ParseFloat(digits, 64)
		if !isPercentile || err != nil || !(p >= 0 && p <= 100) {
			return s, fmt.Errorf("found %s, expected mean, std, min, max, median, count or a percentile from p0 to p100", quoted(name))
		}
		s.of = func(x []float64) float64 { return quantile(x, p/100) }
	}
	return s, nil
}

const statCount = "count"

func mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

// deviation is the standard deviation of all values. It corrects the squares of the differences from the mean for the
// rounding of their sum.
func deviation(x []float64) float64 {
	middle, squares, rest := mean(x), 0.0, 0.0
	for _, v := range x {
		d := v - middle
		squares += float64(d * d)
		rest += d
	}
	n := float64(len(x))
	return math.Sqrt(max(0, squares-float64(rest*rest)/n) / n)
}

// quantile interpolates between the sorted values.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) || at == float64(low) {
		return sorted[low]
	}
	a, b := sorted[low], sorted[low+1]
	if a == b {
		return a // also infinities
	}
	return a + float64((at-float64(low))*(b-a))
}

// Of returns the statistic of values, NaN of none. Missing values are left out; the order of values may
// change.
func (s Statistic) Of(values []float64) float64 {
	values = slices.DeleteFunc(values, math.IsNaN)
	if slices.Sort(values); len(values) == 0 && s.Name != statCount {
		return math.NaN()
	}
	return s.of(values)
}

// mostSummed bounds the values of statistics: they are in memory until all are known.
const mostSummed = 1 << 25

// Summed yields one record with each statistic for records that differ only in the dimensions over.
// Their order follows the first records. A record is named by the values and the statistic, such as
// 2t_mean. Where two values have one place along the dimensions, such as values of two models, it ends
// with an error.
func Summed(records iter.Seq2[Record, error], over []Dimension, statistics []Statistic) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s := &summing{over: over, groups: make(map[sameKey]*summed), places: make(map[sumPlace]int32)}
		for r, err := range records {
			if err == nil {
				err = s.add(&r)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
		}
		if err := s.check(); err != nil {
			yield(Record{}, err)
			return
		}
		for _, g := range s.order {
			for _, r := range g.results(over, statistics) {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// A sumPlace is the place of a record along all dimensions.
type sumPlace struct {
	time   mapping.Opt[time.Time]
	step   mapping.Opt[time.Duration]
	valid  string
	number mapping.Opt[int64]
}

// A sameKey has the labels that the records of a group share.
type sameKey struct {
	place                         sumPlace // without the dimensions that are summed up
	level                         mapping.Opt[float64]
	lat, lon                      uint64 // bits
	point, name, units, levelType string
}

// A summed is a group of records.
type summed struct {
	first  Record
	values []float64 // without missing ones
	places []int32   // of all records
}

type summing struct {
	over   []Dimension
	groups map[sameKey]*summed
	order  []*summed
	places map[sumPlace]int32
	known  [3]bool // whether a record has a place along each of Dimensions
	n      int
}

// add takes a record.
func (s *summing) add(r *Record) error {
	if s.n++; s.n > mostSummed {
		return fmt.Errorf("statistics of more than %d values are not taken at once: choose fewer points or fields", mostSummed)
	}
	place := sumPlace{r.Time, r.Step, r.ValidTime, r.Number}
	place.time.Value = place.time.Value.UTC()
	number, ok := s.places[place]
	if !ok {
		number = int32(len(s.places))
		s.places[place] = number
	}
	for i, known := range []bool{r.Number.Known, r.Step.Known, r.Time.Known || r.ValidTime != ""} {
		s.known[i] = s.known[i] || known
	}
	common := *r
	common.without(s.over)
	key := sameKey{
		place: sumPlace{common.Time, common.Step, common.ValidTime, common.Number}, level: r.Level,
		lat: math.Float64bits(r.Latitude), lon: math.Float64bits(r.Longitude), point: r.Point, name: r.Name, units: r.Units,
		levelType: r.Field.LevelType,
	}
	key.place.time.Value = key.place.time.Value.UTC()
	g := s.groups[key]
	if g == nil {
		g = &summed{first: common}
		s.groups[key], s.order = g, append(s.order, g)
	}
	if g.places = append(g.places, number); !r.Missing() {
		g.values = append(g.values, r.Value)
	}
	return nil
}

// without takes the dimensions from the labels of a record.
func (r *Record) without(over []Dimension) {
	for _, d := range over {
		switch d {
		case OverNumber:
			r.Number = mapping.Opt[int64]{}
		case OverStep:
			r.Step, r.ValidTime = mapping.Opt[time.Duration]{}, ""
		case OverTime:
			r.Time, r.ValidTime = mapping.Opt[time.Time]{}, ""
		}
	}
}

// check refuses dimensions that no record has, and records that are in one place.
func (s *summing) check() error {
	for i, d := range Dimensions {
		if slices.Contains(s.over, d) && !s.known[i] {
			return fmt.Errorf("no field has a %s, over which statistics were to be taken", d)
		}
	}
	for _, g := range s.order {
		slices.Sort(g.places)
		for i := 1; i < len(g.places); i++ {
			if g.places[i] == g.places[i-1] {
				r := &g.first
				return r.Field.InFile(fmt.Errorf("%s: several fields named %s have the same time, step, number and level: choose one of them", r.Field.Where, r.Name))
			}
		}
	}
	return nil
}

// results are the records of a group.
func (g *summed) results(over []Dimension, statistics []Statistic) []Record {
	slices.Sort(g.values)
	names := make([]string, len(over))
	for i, d := range over {
		names[i] = string(d)
	}
	list := make([]Record, len(statistics))
	for i, s := range statistics {
		r := g.first
		r.Name, r.Statistic = r.Name+"_"+s.Name, s.Name+" over "+strings.Join(names, ", ")
		r.Index, r.elements, r.Value = -1, nil, math.NaN()
		switch {
		case s.Name == statCount:
			r.Value, r.Units, r.Reason = float64(len(g.values)), "1", ""
		case len(g.values) > 0:
			r.Value, r.Reason = s.of(g.values), ""
		}
		list[i] = r
	}
	return list
}
