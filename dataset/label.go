package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/internal/partdate"
)

// labels are the labels of the positions along an axis.
type labels struct {
	numbers []float64 // of durations in seconds
	dates   [][6]int  // instead of numbers, of times
	texts   []string  // instead of numbers
	means   meaning
	isTime  bool
	isSpan  bool // durations
	isIndex bool // positions, of an axis without a coordinate
}

// secondsPer are units of durations.
var secondsPer = map[string]float64{
	"s": 1, "sec": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400,
}

// labelsOf reads the labels of a coordinate.
func (d *Dataset) labelsOf(c *Variable, path string, arrays Arrays) (*labels, error) {
	l := &labels{means: c.meaning()}
	if c.Text != NotText {
		data, err := array.Read(context.Background(), c.Array(context.Background(), arrays, []byte{0}), array.Region{Start: make([]uint64, len(c.Shape)), Count: c.Shape}, nil)
		if err != nil {
			return nil, err
		}
		width := 1
		if n := len(c.Shape); c.Text != TextCharacters && n > 0 {
			width = int(max(1, c.Shape[n-1]))
		}
		for part := range slices.Chunk(data, width) {
			l.texts = append(l.texts, strings.TrimRight(string(part), "\x00 "))
		}
		return l, nil
	}
	numbers, _, err := d.Select(path).Floats(context.Background(), arrays)
	if err != nil {
		return nil, err
	}
	units, _ := c.Attr(cf.AttrUnits).(string)
	calendar, _ := c.Attr(cf.AttrCalendar).(string)
	if times, err := cf.ParseTimeUnits(units, calendar); err == nil {
		l.isTime = true
		for _, v := range numbers {
			date, ok := times.Date(v)
			if !ok {
				date.Year = math.MinInt32 // a label that is missing is before all others
			}
			l.dates = append(l.dates, [6]int{int(date.Year), date.Month, date.Day, date.Hour, date.Minute, date.Second})
		}
		return l, nil
	}
	if size := secondsPer[units]; size != 0 && l.means == meansStep {
		l.isSpan = true
		for i := range numbers {
			numbers[i] *= size
		}
	}
	l.numbers = numbers
	return l, nil
}

func (l *labels) len() int { return max(len(l.numbers), len(l.dates), len(l.texts)) }

// text is a label as an error shows it, and as a user can give it.
func (l *labels) text(i int) string {
	switch {
	case l.isTime:
		d := l.dates[i]
		text := fmt.Sprintf("%04d-%02d-%02d", d[0], d[1], d[2])
		if d[3]+d[4]+d[5] > 0 || slices.ContainsFunc(l.dates, func(d [6]int) bool { return d[3]+d[4]+d[5] > 0 }) {
			text += fmt.Sprintf("T%02d:%02d", d[3], d[4])
		}
		if d[5] > 0 {
			text += fmt.Sprintf(":%02d", d[5])
		}
		return text
	case l.texts != nil:
		return l.texts[i]
	case l.isSpan:
		return strconv.FormatFloat(l.numbers[i]/3600, 'g', -1, 64) + "h"
	}
	return strconv.FormatFloat(l.numbers[i], 'g', -1, 64)
}

// list names the labels, for errors.
func (l *labels) list() string {
	texts := make([]string, l.len())
	for i := range texts {
		texts[i] = l.text(i)
	}
	return someOf(texts)
}

// A match is the positions that an item of a selector chooses.
type match struct {
	at []uint64
	// shift is added to the labels of a longitude, by position: -10:20 takes 350 as -10.
	shift map[uint64]float64
}

// find finds the positions of an item.
func (l *labels) find(item string) (m match, err error) {
	if l.means == meansLongitude && !l.isTime && l.texts == nil {
		return l.findLongitude(item)
	}
	holds, err := l.condition(item)
	if err != nil {
		return m, err
	}
	for i := range l.len() {
		if holds(i) {
			m.at = append(m.at, uint64(i))
		}
	}
	return m, nil
}

// condition returns a test whether the label at a position is selected by an item.
func (l *labels) condition(item string) (holds func(i int) bool, err error) {
	switch {
	case l.isTime:
		return l.dateCondition(item)
	case l.texts != nil:
		return func(i int) bool { return l.texts[i] == item }, nil
	}
	isLabel := func(s string) bool { _, err := l.number(s); return err == nil }
	if from, to, ok := cut(item, isLabel); ok {
		low, high := l.ends(from, to)
		return func(i int) bool { v := l.numbers[i]; return v >= low-slack(low) && v <= high+slack(high) }, nil
	}
	want, err := l.number(item)
	if err != nil {
		return nil, err
	}
	if l.means == meansLatitude {
		at := nearest(l.numbers, func(v float64) float64 { return math.Abs(v - want) })
		return func(i int) bool { return i == at }, nil
	}
	return func(i int) bool { return math.Abs(l.numbers[i]-want) <= slack(want) }, nil
}

// ends are the ends of a range, the lower one first.
func (l *labels) ends(from, to string) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if from != "" {
		low, _ = l.number(from)
	}
	if to != "" {
		high, _ = l.number(to)
	}
	if low > high {
		return high, low
	}
	return low, high
}

// slack is the greatest difference between labels of the same number; labels of type float32 differ so.
func slack(v float64) float64 { return 1e-6 * math.Abs(v) }

// number reads a label that is a number: of durations in seconds, of 6h, 1d or, in hours, 6.
func (l *labels) number(text string) (float64, error) {
	if !l.isSpan {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v-v != 0 {
			return 0, fmt.Errorf("%q is no number", text)
		}
		return v, nil
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	size, v := 3600.0, 0.0
	var err error
	if unit := text[len(digits):]; unit != "" {
		size = secondsPer[unit]
	}
	if v, err = strconv.ParseFloat(strings.TrimSpace(digits), 64); err != nil || size == 0 || v-v != 0 {
		if d, durationErr := time.ParseDuration(text); durationErr == nil {
			return d.Seconds(), nil
		}
		return 0, fmt.Errorf("%q is no step, expected one such as 6h, 1d, 30m, or 6 for hours", text)
	}
	return v * size, nil
}

func (l *labels) dateCondition(item string) (func(i int) bool, error) {
	isDate := func(s string) bool { _, err := partdate.Parse(s); return err == nil }
	if !isDate(item) {
		if from, to, ok := cut(item, isDate); ok {
			low, _ := partdate.Parse(from) // an end that is left out is before, or after, all dates
			high, _ := partdate.Parse(to)
			return func(i int) bool {
				return low.Compare(l.dates[i]) >= 0 && high.Compare(l.dates[i]) <= 0 && l.dates[i][0] > math.MinInt32
			}, nil
		}
	}
	want, err := partdate.Parse(item)
	return func(i int) bool { return want.Compare(l.dates[i]) == 0 }, err
}

// nearest is the position of the label with the least distance. It is -1 beyond the end of the axis,
// farther away than labels are from each other.
func nearest(numbers []float64, distance func(v float64) float64) int {
	best, least := -1, math.Inf(1)
	for i, v := range numbers {
		if d := distance(v); d < least {
			best, least = i, d
		}
	}
	widest := 0.0
	for i := 1; i < len(numbers); i++ {
		if step := math.Abs(numbers[i] - numbers[i-1]); step < 180 { // not around the circle
			widest = max(widest, step)
		}
	}
	if len(numbers) == 1 {
		widest = 1
	}
	if least > widest+slack(widest) {
		return -1
	}
	return best
}

// findLongitude finds longitudes around the circle. A range is ordered from west to east, or to west if the
// axis goes there, and labelled by numbers between its ends.
func (l *labels) findLongitude(item string) (m match, err error) {
	isLabel := func(s string) bool { _, err := l.number(s); return err == nil }
	from, to, isRange := cut(item, isLabel)
	if !isRange {
		want, err := l.number(item)
		if err != nil {
			return m, err
		}
		if at := nearest(l.numbers, func(v float64) float64 { return math.Abs(math.Remainder(v-want, 360)) }); at >= 0 {
			m.at = []uint64{uint64(at)}
		}
		return m, nil
	}
	west, east := slices.Min(append(slices.Clone(l.numbers), 360)), slices.Max(append(slices.Clone(l.numbers), -360))
	if from != "" {
		west, _ = l.number(from)
	}
	if to != "" {
		east, _ = l.number(to)
	}
	m.at, m.shift = between(l.numbers, west, east)
	return m, nil
}

// between returns the positions of longitudes from west to east. shift is added to each to bring it
// between them.
func between(numbers []float64, west, east float64) (at []uint64, shift map[uint64]float64) {
	for east < west {
		east += 360
	}
	shift = make(map[uint64]float64)
	moved := func(v float64) float64 {
		begin := west - slack(360)
		return v - 360*math.Floor((v-begin)/360)
	}
	for i, v := range numbers {
		if m := moved(v); m <= east+slack(360) {
			at = append(at, uint64(i))
			if turns := math.Round((m - v) / 360); turns != 0 {
				shift[uint64(i)] = 360 * turns
			}
		}
	}
	westward := len(numbers) > 1 && math.Remainder(numbers[1]-numbers[0], 360) < 0
	slices.SortStableFunc(at, func(a, b uint64) int {
		order := moved(numbers[a]) - moved(numbers[b])
		if westward {
			order = -order
		}
		switch {
		case order < 0:
			return -1
		case order > 0:
			return 1
		}
		return 0
	})
	return at, shift
}
