package mapping

import (
	"strings"
	"time"
)

// A Summary has the labels of a field in the form that listings show, with the types of its
// metadata. They are the labels of MARS if it has them, else the typed labels of the entry. A value
// is nil if the entry does not have it. [Entry] has the same in Go's types.
type Summary struct {
	Date, Time       any // 20260404, 1200
	Step, StepUnits  any
	Level, LevelType any
	Number           any
}

// Summary returns the summary of an entry.
func (e Entry) Summary() Summary {
	mars := e.MARS()
	s := Summary{
		Date:      mars[marsDate],
		Time:      mars[marsTime],
		Step:      mars[marsStep],
		Level:     first(e.base[KeyLevel], mars[marsLevel]),
		LevelType: first(e.base[KeyLevelType], mars[marsLevType]),
		Number:    first(mars[marsNumber], e.base[KeyNumber]),
	}
	if s.Step == nil {
		s.Step, s.StepUnits = e.base[KeyStep], e.base[KeyStepUnits]
	}
	if s.Date == nil {
		s.Date, s.Time = saidDate(e.base[KeyReferenceTime])
	}
	if s.Date == nil && s.Step == nil {
		s.Date, s.Time = e.validDate()
	}
	return s
}

// validDate gives the date and the time for which an entry without a time of reference is valid. If
// there are several, it gives their dates: "2017-03-22 to 2017-03-29".
func (e Entry) validDate() (date, clock any) {
	if list, ok := e.base[KeyValidRange].([]any); ok && len(list) == 2 {
		first, _ := list[0].(string)
		last, _ := list[1].(string)
		firstDay, _, _ := strings.Cut(first, "T")
		lastDay, _, _ := strings.Cut(last, "T")
		if firstDay == lastDay {
			return firstDay, nil
		}
		return firstDay + " to " + lastDay, nil
	}
	if date, clock = saidDate(e.base[KeyValidTime]); date != nil {
		return date, clock
	}
	// A date of another calendar is shown as it is.
	valid, _ := e.base[KeyValidTime].(string)
	day, rest, ok := strings.Cut(valid, "T")
	if !ok || len(rest) < len("06:00") {
		return nil, nil
	}
	return day, rest[:len("06:00")]
}

func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// saidDate gives MARS' date and time of a label.
func saidDate(v any) (date, clock any) {
	t, ok := isoTime(v)
	if !ok {
		return nil, nil
	}
	return dateAndTime(t)
}

// dateAndTime gives MARS' date and time: 20260404, 1200.
func dateAndTime(t time.Time) (date, clock any) {
	t = t.UTC()
	return int64(t.Year()*10000 + int(t.Month())*100 + t.Day()), int64(t.Hour()*100 + t.Minute())
}
