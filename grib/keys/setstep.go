package keys

import (
	"fmt"
	"strings"
	"time"
)

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

// span sets a span of time from start to end, in seconds after the reference time.
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
