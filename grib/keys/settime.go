package keys

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A special sets a computed key.
type special func(s *setter, h *Handle, e *Entry, value string) error

// specialSetters are computed keys by the class that reads them.
func specialSetters() map[string]special {
	return map[string]special{
		"g2date": setDate, "g1date": setDate, "time": setTime,
		"g2end_step": setEndStep, "g1step_range": setStepRange1, "g2step_range": setStepRange,
		"step_in_units":    setStartStep,
		"g2level":          setLevel,
		"g2_mars_labeling": setLabel,
	}
}

// specialNames are computed keys whose class reads others as well.
func specialNames() map[string]special {
	return map[string]special{
		"step": setStepRange1, "endStep": setStepRange1, "startStep": setStart1, "topLevel": setLevel, "bottomLevel": setBottom, "level": setLevel, "levelist": setLevel,
	}
}

// setStart1 sets the beginning of a step of edition 1.
func setStart1(s *setter, h *Handle, e *Entry, value string) error {
	kind, err := h.Int("timeRangeIndicator")
	if err != nil {
		return err
	}
	if !slices.Contains([]int64{2, 3, 4, 5}, kind) {
		return setStepRange1(s, h, e, value)
	}
	end, err := h.String("endStep")
	if err != nil {
		return err
	}
	return setStepRange1(s, h, e, value+"-"+end)
}

// all sets several keys to integers.
func (s *setter) all(values ...any) error {
	for i := 0; i < len(values); i += 2 {
		if err := s.set(values[i].(string), fmt.Sprint(values[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// setDate sets YYYYMMDD.
func setDate(s *setter, h *Handle, _ *Entry, value string) error {
	t, err := time.Parse("20060102", value)
	if err != nil {
		return fmt.Errorf("value %q is no date YYYYMMDD", value)
	}
	return s.setReference(h, t.Year(), int(t.Month()), t.Day())
}

func (s *setter) setReference(h *Handle, year, month, day int) error {
	if h.buf[7] == 1 {
		century := (year-1)/100 + 1
		return s.all("centuryOfReferenceTimeOfData", century, "yearOfCentury", year-100*(century-1), "month", month, "day", day)
	}
	return s.all("year", year, "month", month, "day", day)
}

// setTime sets HHMM, or HHMMSS.
func setTime(s *setter, h *Handle, e *Entry, value string) error {
	n, err := strconv.ParseUint(value, 10, 24)
	if err != nil {
		return fmt.Errorf("value %q is no time HHMM", value)
	}
	second := uint64(0)
	if n > 9999 || len(value) == 6 {
		n, second = n/100, n%100
	}
	if n%100 > 59 || n/100 > 24 || second > 59 {
		return fmt.Errorf("value %q is no time HHMM", value)
	}
	if h.buf[7] == 1 {
		return s.all("hour", n/100, "minute", n%100)
	}
	return s.all("hour", n/100, "minute", n%100, "second", second)
}

// unitSeconds are the units of code table 4.4 of a fixed length, and those of edition 1's table 4.
var unitSeconds = [...]int64{0: 60, 1: 3600, 2: 86400, 10: 3 * 3600, 11: 6 * 3600, 12: 12 * 3600, 13: 1}

// secondsOf returns the length of a unit in seconds, 0 if it has none.
func secondsOf(unit int64, edition byte) int64 {
	switch {
	case edition == 1 && unit == 254:
		return 1
	case edition == 1 && unit == 13:
		return 15 * 60
	case edition == 1 && unit == 14:
		return 30 * 60
	case unit < 0 || unit >= int64(len(unitSeconds)):
		return 0
	}
	return unitSeconds[unit]
}

// parseStep reads a step: a number of hours, or one with a unit s, m, h, D.
func parseStep(text string) (seconds int64, err error) {
	unit := int64(3600)
	number := strings.TrimRight(text, "smhD")
	switch strings.TrimPrefix(text, number) {
	case "", "h":
	case "s":
		unit = 1
	case "m":
		unit = 60
	case "D":
		unit = 86400
	default:
		return 0, fmt.Errorf("step %q has an unknown unit", text)
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("value %q is no step", text)
	}
	return n * unit, nil
}

// duration sets a number of units to a length of time, in the unit that is there or, where that
// does not divide it, in the longest that does.
func (s *setter) duration(h *Handle, unitKey, key string, seconds int64) error {
	unit, err := h.Int(unitKey)
	if err != nil {
		return err
	}
	size := secondsOf(unit, h.buf[7])
	for _, code := range []int64{1, 0, 13} {
		if size != 0 && seconds%size == 0 {
			break
		}
		if unit, size = code, unitSeconds[code]; h.buf[7] == 1 && code == 13 {
			unit = 254
		}
	}
	return s.all(unitKey, unit, key, seconds/size)
}

// interval reports whether a field of edition 2 is about a span of time.
func (h *Handle) interval() bool {
	_, ok := h.Entry("lengthOfTimeRange")
	return ok
}

// start returns the forecast time in seconds.
func (h *Handle) start() (int64, error) {
	n, err := h.Int("forecastTime")
	if err != nil {
		return 0, err
	}
	unit, err := h.Int("indicatorOfUnitForForecastTime")
	if err != nil {
		unit, err = h.Int("indicatorOfUnitOfTimeRange")
	}
	size := secondsOf(unit, 2)
	if size == 0 && err == nil {
		err = fmt.Errorf("unit %d of the forecast time has no fixed length", unit)
	}
	return n * size, err
}

func forecastUnit(h *Handle) string {
	if _, ok := h.Entry("indicatorOfUnitForForecastTime"); ok {
		return "indicatorOfUnitForForecastTime"
	}
	return "indicatorOfUnitOfTimeRange"
}

// setEndStep sets the end of a step.
func setEndStep(s *setter, h *Handle, e *Entry, value string) error {
	end, err := parseStep(value)
	if err != nil {
		return err
	}
	if !h.interval() {
		return s.duration(h, forecastUnit(h), "forecastTime", end)
	}
	start, err := h.start()
	if err != nil {
		return err
	}
	return s.span(h, start, end)
}

// span sets a span of time, from the start of which to its end in seconds after the reference time.
func (s *setter) span(h *Handle, start, end int64) error {
	if end < start {
		return fmt.Errorf("the step ends %d s before it begins", start-end)
	}
	if n, err := h.Int("numberOfTimeRange"); err == nil && n > 1 {
		return fmt.Errorf("the field has %d time ranges: %w", n, ErrStructure)
	}
	if err := s.duration(h, forecastUnit(h), "forecastTime", start); err != nil {
		return err
	}
	if err := s.duration(h, "indicatorOfUnitForTimeRange", "lengthOfTimeRange", end-start); err != nil {
		return err
	}
	var parts []int
	for _, key := range []string{"year", "month", "day", "hour", "minute", "second"} {
		n, err := h.Int(key)
		if err != nil {
			return err
		}
		parts = append(parts, int(n))
	}
	at := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC).Add(time.Duration(end) * time.Second)
	const of = "OfEndOfOverallTimeInterval"
	return s.all("year"+of, at.Year(), "month"+of, int(at.Month()), "day"+of, at.Day(), "hour"+of, at.Hour(), "minute"+of, at.Minute(), "second"+of, at.Second())
}

// setStartStep sets the beginning of a step; its end stays.
func setStartStep(s *setter, h *Handle, e *Entry, value string) error {
	if e.Name != "startStep" {
		return ErrNoSetting
	}
	start, err := parseStep(value)
	if err != nil {
		return err
	}
	if !h.interval() {
		return s.duration(h, forecastUnit(h), "forecastTime", start)
	}
	end, err := h.Int("endStep")
	if err != nil {
		return err
	}
	unit, err := h.Int("stepUnits")
	if err != nil {
		return err
	}
	return s.span(h, start, end*secondsOf(unit, 2))
}

// setStepRange sets START-END, or a step.
func setStepRange(s *setter, h *Handle, e *Entry, value string) error {
	from, to, span := strings.Cut(value, "-")
	if !span {
		return setEndStep(s, h, e, value)
	}
	start, err := parseStep(from)
	if err != nil {
		return err
	}
	end, err := parseStep(to)
	if err != nil {
		return err
	}
	if !h.interval() {
		return fmt.Errorf("the field is of one time, not of a range %s", value)
	}
	return s.span(h, start, end)
}

// setStepRange1 sets the steps of edition 1: P1 and P2 as the time range indicator says.
func setStepRange1(s *setter, h *Handle, e *Entry, value string) error {
	from, to, span := strings.Cut(value, "-")
	if !span {
		to = value
	}
	end, err := parseStep(to)
	if err != nil {
		return err
	}
	kind, err := h.Int("timeRangeIndicator")
	if err != nil {
		return err
	}
	start := int64(0)
	if span {
		if start, err = parseStep(from); err != nil {
			return err
		}
	} else if slices.Contains(spans1, kind) {
		if start, err = h.start1(); err != nil {
			return err
		}
	}
	unit, err := h.Int("indicatorOfUnitOfTimeRange")
	if err != nil {
		return err
	}
	unit, size := unitOf1(unit, start, end)
	if size == 0 {
		return fmt.Errorf("step %s: %w", value, ErrOutOfRange)
	}
	if err := s.all("indicatorOfUnitOfTimeRange", unit); err != nil {
		return err
	}
	switch {
	case slices.Contains(spans1, kind):
		return s.all("P1", start/size, "P2", end/size)
	case kind == 10 || (kind == 0 || kind == 1) && end/size > math.MaxUint8: // P1 in two octets
		return s.all("timeRangeIndicator", 10, "P1", end/size)
	case kind == 0 || kind == 1:
		return s.all("timeRangeIndicator", 0, "P1", end/size)
	case kind >= 113 && kind <= 118: // averages of many forecasts
		return s.all("P1", end/size)
	}
	return fmt.Errorf("with time range indicator %d: %w", kind, ErrNoSetting)
}

// spans1 are the time range indicators with a beginning, P1, and an end, P2.
var spans1 = []int64{2, 3, 4, 5}

// start1 returns P1 in seconds.
func (h *Handle) start1() (int64, error) {
	n, err := h.Int("P1")
	if err != nil {
		return 0, err
	}
	unit, err := h.Int("indicatorOfUnitOfTimeRange")
	return n * secondsOf(unit, 1), err
}

// unitOf1 returns a unit of edition 1 in which steps fit an octet, the one that is there if they do;
// or, where none is, the one that is there.
func unitOf1(now, start, end int64) (unit, size int64) {
	for _, unit := range []int64{now, 1, 10, 11, 12, 2} {
		if size := secondsOf(unit, 1); size != 0 && start%size == 0 && end%size == 0 && end/size <= math.MaxUint8 {
			return unit, size
		}
	}
	if size = secondsOf(now, 1); size != 0 && end%size != 0 {
		size = 0
	}
	return now, size
}

// setLevel sets the first fixed surface.
func setLevel(s *setter, h *Handle, e *Entry, value string) error {
	return s.surface(h, "First", value)
}

func setBottom(s *setter, h *Handle, e *Entry, value string) error {
	return s.surface(h, "Second", value)
}

// surface sets the scaled value of a fixed surface, with as few decimals as that takes.
func (s *setter) surface(h *Handle, which, value string) error {
	if h.buf[7] == 1 {
		return ErrNoSetting
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("value %q is no level", value)
	}
	const pressure = 100
	kind, err := h.Int("typeOf" + which + "FixedSurface")
	if err != nil {
		return err
	}
	if units, err := h.String("pressureUnits"); err == nil && units == "hPa" && kind == pressure {
		v *= 100
	}
	factor, err := h.Int("scaleFactorOf" + which + "FixedSurface")
	if err != nil {
		return err
	}
	if factor < 0 || factor > 9 {
		factor = 0 // missing, or so that the value need not fit
	}
	for ; factor < 9 && math.Abs(float64(v*math.Pow10(int(factor)))-math.Round(v*math.Pow10(int(factor)))) > 1e-6; factor++ {
	}
	scaled := math.Round(v * math.Pow10(int(factor)))
	if math.Abs(scaled) >= math.MaxInt32 {
		return ErrOutOfRange
	}
	return s.all("scaleFactorOf"+which+"FixedSurface", factor, "scaledValueOf"+which+"FixedSurface", int64(scaled))
}

// setLabel sets class, type and stream of MARS, which ECMWF keeps in a local section.
func setLabel(s *setter, h *Handle, e *Entry, value string) error {
	key := map[string]string{"class": "marsClass", "type": "marsType", "stream": "marsStream"}[e.Name]
	switch _, member := h.Entry("perturbationNumber"); {
	case key == "":
		return ErrNoSetting
	case e.Name == "stream" && !member && slices.Contains(ensembleStreams, value):
		return fmt.Errorf("stream %s is of an ensemble, and the message of no member: %w", value, ErrStructure)
	}
	return s.set(key, value)
}

// ensembleStreams are streams for which ecCodes chooses a product definition template with a member.
var ensembleStreams = []string{"enda", "elda", "ewla", "enfo", "efov", "enfh", "enwh", "waef", "ewda", "ewho"}
