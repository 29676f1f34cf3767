package series

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/plot/chart"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// fewMembers is how many members of an ensemble are drawn as a curve each. More are a median with bands.
const fewMembers = 4

// bandNote describes the bands of an ensemble.
const bandNote = "median, 25–75 %% and 10–90 %% of %d members"

// quantiles are the edges of bands and the line, in ascending order.
var quantiles = []string{"p10", "p25", "median", "p75", "p90"}

// Chart makes a chart of records: a curve for each variable, level and point over time, with a panel for
// each unit. Where all are valid at one time, the curves are profiles over the levels. Of an ensemble a
// curve is the median, with bands of quantiles.
func Chart(records Records) (*chart.Chart, error) {
	s, err := seriesOf(records)
	if err != nil {
		return nil, err
	}
	s.sortMoments()
	c := &charting{of: s}
	if err := c.chooseAxis(); err != nil {
		return nil, err
	}
	c.group()
	return c.chart()
}

// A curveKey identifies a curve. Keys that vary along the axis are zero.
type curveKey struct {
	seriesKey
	variable *variable
}

// A charting is a chart that is being made.
type charting struct {
	of      *stationSeries
	at      func(m *moment) float64 // along the axis, in seconds or hours; nil for a profile
	axis    chart.Axis
	runs    bool // several fields are valid at one time
	members bool // are curves of their own

	keys   []curveKey
	curves map[curveKey]map[float64][]float64 // the values of members at each position
	most   int                                // members at one position
}

// chooseAxis finds the key that varies: the time of validity, the time of reference, the step, or the level.
func (c *charting) chooseAxis() error {
	if len(c.of.variables) == 0 {
		return errors.New("there is nothing to draw: no values were chosen")
	}
	times := []struct {
		at   func(m *moment) float64
		axis chart.Axis
	}{
		{func(m *moment) float64 { return seconds(m.valid) }, chart.Axis{Label: "valid time (UTC)", Time: true}},
		{func(m *moment) float64 { return seconds(m.reference) }, chart.Axis{Label: "time of reference (UTC)", Time: true}},
		{func(m *moment) float64 { return m.step.Hours() }, chart.Axis{Label: "step (hours)"}},
	}
	for i, t := range times {
		known, distinct := true, make(map[float64]bool)
		for k := range c.of.moments {
			m := &c.of.moments[k]
			known = known && m.known[i]
			distinct[t.at(m)] = true
		}
		if known && len(distinct) > 1 {
			c.at, c.axis = t.at, t.axis
			c.runs = i == 0 && c.of.runs()
			return nil
		}
	}
	return c.chooseLevels()
}

// chooseLevels makes levels the axis.
func (c *charting) chooseLevels() error {
	var kinds []string
	several := false
	for _, v := range c.of.variables {
		if kind := v.key.levelType; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		several = several || len(v.levels) > 1
	}
	switch {
	case !several:
		return errors.New("one time and one level make no curve, expected several times, or several levels: plot draws maps")
	case len(kinds) > 1:
		return fmt.Errorf("the levels of a profile are of several types (%s), expected one of them, chosen by typeOfLevel", strings.Join(kinds, ", "))
	}
	c.axis = chart.LevelAxis(kinds[0])
	return nil
}

// group puts the values of each curve together.
func (c *charting) group() {
	members := make(map[int64]bool)
	for _, v := range c.of.variables {
		for n := range v.numbers {
			members[n] = true
		}
	}
	c.members = len(members) > 1 && len(members) <= fewMembers
	c.curves = make(map[curveKey]map[float64][]float64)
	for _, v := range c.of.variables {
		for _, cell := range v.cells {
			m := &c.of.moments[cell.moment]
			key, at := curveKey{seriesKey{station: cell.station}, v}, cell.level
			if c.at != nil {
				key.level, at = cell.level, c.at(m)
			}
			if c.runs {
				key.run = m.reference
			}
			if c.members {
				key.number = cell.number
			}
			if c.curves[key] == nil {
				c.curves[key] = make(map[float64][]float64)
				c.keys = append(c.keys, key)
			}
			c.curves[key][at] = append(c.curves[key][at], cell.value)
			c.most = max(c.most, len(c.curves[key][at]))
		}
	}
}

// chart draws the curves of each unit in a panel.
func (c *charting) chart() (*chart.Chart, error) {
	if n := c.ensemble(); c.most > 1 && n < c.most {
		return nil, fmt.Errorf("%d values have the same point, name, level, time and member: choose among the fields", c.most)
	}
	out := &chart.Chart{Title: c.title(), Subtitle: c.subtitle(), Shared: c.axis, Profile: c.at == nil}
	names := c.names()
	panels := make(map[string]int)
	for _, key := range c.keys {
		units := key.variable.key.units
		i, known := panels[units]
		if !known {
			i = len(out.Panels)
			panels[units], out.Panels = i, append(out.Panels, chart.Panel{Label: c.panelLabel(units)})
		}
		curve, err := c.curve(key)
		if err != nil {
			return nil, err
		}
		curve.Name = names(key)
		out.Panels[i].Curves = append(out.Panels[i].Curves, curve)
	}
	return out, nil
}

// ensemble is how many members each variable has at most, 1 if these are no bands.
func (c *charting) ensemble() int {
	most := 1
	for _, v := range c.of.variables {
		if !c.members {
			most = max(most, len(v.numbers))
		}
	}
	return most
}

// curve makes the curve of a key, with its bands.
func (c *charting) curve(key curveKey) (chart.Curve, error) {
	var out chart.Curve
	values := c.curves[key]
	for at := range values {
		out.At = append(out.At, at)
	}
	slices.Sort(out.At)
	if c.most == 1 {
		for _, at := range out.At {
			out.Values = append(out.Values, values[at][0])
		}
		return out, nil
	}
	all := make([][]float64, len(quantiles))
	for k, name := range quantiles {
		q, err := extract.ParseStatistic(name)
		if err != nil {
			return out, err
		}
		for _, at := range out.At {
			all[k] = append(all[k], q.Of(values[at]))
		}
	}
	out.Values = all[2]
	out.Bands = []chart.Band{{Low: all[0], High: all[4]}, {Low: all[1], High: all[3]}}
	return out, nil
}

// varies reports whether the variables of all curves have several of something.
func varies[T comparable](c *charting, of func(k curveKey) T) bool {
	for _, k := range c.keys {
		if of(k) != of(c.keys[0]) {
			return true
		}
	}
	return false
}

func stationOf(k curveKey) int32      { return k.station }
func variableOf(k curveKey) *variable { return k.variable }
func levelOf(k curveKey) string       { return k.levelText() }
func runOf(k curveKey) time.Time      { return k.run }

// levelText is the level of a curve, such as "850 hPa"; "" where it is the axis.
func (k curveKey) levelText() string {
	l := mapping.Label{Level: mapping.Some(k.level), LevelType: k.variable.key.levelType}
	return l.LevelText()
}

// mostTitles is how many variables the title of a chart names.
const mostTitles = 3

// title has the keys that all curves share: "2 metre temperature at Berlin (52.5°N 13.25°E)".
func (c *charting) title() string {
	first := c.keys[0]
	var titles []string
	for _, v := range c.of.variables {
		if !slices.Contains(titles, v.title()) {
			titles = append(titles, v.title())
		}
	}
	title := ""
	if len(titles) <= mostTitles {
		title = strings.Join(titles, ", ")
	}
	if !varies(c, variableOf) {
		if c.at != nil {
			if level := levelOf(first); level != "" && !varies(c, levelOf) {
				title += ", " + level
			}
		}
	}
	place := fmt.Sprintf("%d points", len(c.of.stations))
	if !varies(c, stationOf) {
		place = c.of.stations[first.station].text(true)
	}
	switch {
	case place == "":
		return title
	case title == "":
		return strings.ToUpper(place[:1]) + place[1:]
	}
	return title + " at " + place
}

// title is the long name of a variable, or its name.
func (v *variable) title() string { return cmp.Or(v.long, v.key.name) }

// text is the name of a station. It has its latitude and longitude if they are asked for or there is no other
// name.
func (k stationKey) text(places bool) string {
	if k.lat == fillValue || k.lon == fillValue {
		return "point " + k.name
	}
	lon := math.Remainder(k.lon, 360)
	place := angle(k.lat, "N", "S") + " " + angle(lon, "E", "W")
	if _, err := strconv.Atoi(k.name); err == nil || k.name == "" {
		return place
	}
	if places {
		return k.name + " (" + place + ")"
	}
	return k.name
}

// angle is an angle in hundredths of a degree: "8.75°W".
func angle(v float64, positive, negative string) string {
	if v < 0 {
		v, positive = -v, negative
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) + "°" + positive
}

// subtitle says the times of validity and of reference, if there is one, and which members there are.
func (c *charting) subtitle() string {
	const minutes = "2006-01-02 15:04 UTC"
	var parts []string
	first := c.of.moments[0]
	reference, valid := first.known[1], first.known[0]
	for _, m := range c.of.moments {
		reference = reference && m.known[1] && m.reference.Equal(first.reference)
		valid = valid && m.known[0] && m.valid.Equal(first.valid)
	}
	if valid {
		parts = append(parts, "valid "+first.valid.Format(minutes))
	}
	if reference && !(valid && first.valid.Equal(first.reference)) {
		parts = append(parts, "from "+first.reference.Format(minutes))
	}
	if n := c.ensemble(); n > 1 {
		parts = append(parts, fmt.Sprintf(bandNote, n))
	}
	return strings.Join(parts, ", ")
}

// panelLabel is the name of the variable with these units, or only the units if there are several.
func (c *charting) panelLabel(units string) string {
	label := ""
	for _, v := range c.of.variables {
		if v.key.units != units {
			continue
		}
		if label != "" && label != v.title() {
			return cmp.Or(look.UnitsText(units), "no units")
		}
		label = v.title()
	}
	return look.WithUnits(label, look.UnitsText(units))
}

// names returns the names of curves in the legend: the keys that not all share, without the variable where
// each panel has one.
func (c *charting) names() func(k curveKey) string {
	perUnit := make(map[string]*variable)
	several := false
	for _, v := range c.of.variables {
		if other := perUnit[v.key.units]; other != nil && other.title() != v.title() {
			several = true
		}
		perUnit[v.key.units] = v
	}
	stations := make(map[string]bool)
	for _, k := range c.of.stations {
		stations[k.text(false)] = true
	}
	places := len(stations) < len(c.of.stations) // which tell stations of one name apart
	station, level, run := varies(c, stationOf), c.at != nil && varies(c, levelOf), varies(c, runOf)
	return func(k curveKey) string {
		var parts []string
		if several {
			parts = append(parts, k.variable.title())
		}
		if level {
			parts = append(parts, levelOf(k))
		}
		if station {
			parts = append(parts, c.of.stations[k.station].text(places))
		}
		if run {
			parts = append(parts, "from "+k.run.Format("2006-01-02 15:04"))
		}
		if c.members {
			parts = append(parts, "member "+strconv.FormatInt(k.number, 10))
		}
		return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
	}
}
