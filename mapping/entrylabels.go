package mapping

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Keys of base[i].mars that stand for the labels of entries without labels.
const (
	marsDate     = "date"
	marsHindcast = "hdate"
	marsTime     = "time"
	marsStep     = "step"
	marsNumber   = "number"
	marsLevel    = "levelist"
	marsOneLevel = "level" // as anemoi has it
	marsLevType  = "levtype"
)

// Paths of MARS' date and time, for [Entry.Lookup].
const (
	PathDate = KeyMARS + "." + marsDate
	PathTime = KeyMARS + "." + marsTime
	PathStep = KeyMARS + "." + marsStep
)

// ReferenceTime returns the time at which the forecast began.
func (e Entry) ReferenceTime() (time.Time, bool) {
	if t, ok := isoTime(e.base[KeyReferenceTime]); ok {
		return t, true
	}
	mars := e.MARS()
	day, ok := marsDay(mars[marsHindcast])
	if !ok {
		day, ok = marsDay(mars[marsDate])
	}
	if !ok {
		return time.Time{}, false
	}
	clock, ok := marsClock(mars[marsTime])
	return day.Add(clock), ok
}

// VersionDate returns the date of the model version of a hindcast, which MARS has as the date. The
// forecast began at another date, hdate. Of the analyses to which hindcasts belong only ECMWF's
// local definitions have it.
func (e Entry) VersionDate() (time.Time, bool) {
	m := e.MARS()
	if m[marsHindcast] == nil {
		return marsDay(e.Product()[ProductReferenceDate])
	}
	return marsDay(m[marsDate])
}

// Step returns the end of the forecast step, if it is a fixed time (months and years are not).
func (e Entry) Step() (time.Duration, bool) {
	if n, ok := Int(e.base[KeyStep]); ok {
		unit, _ := e.base[KeyStepUnits].(string)
		return stepDuration(n, unit)
	}
	return marsDuration(e.MARS()[marsStep])
}

// ValidTime returns the time for which the field is valid.
func (e Entry) ValidTime() (time.Time, bool) {
	if t, ok := isoTime(e.base[KeyValidTime]); ok {
		return t, true
	}
	if _, ours := e.base[KeyStep]; ours {
		return time.Time{}, false // the converter knew the step and gave no time
	}
	reference, ok := e.ReferenceTime()
	if !ok {
		return time.Time{}, false
	}
	step, ok := e.Step()
	return reference.Add(step), ok
}

// Level returns the level in the unit of its type.
func (e Entry) Level() (float64, bool) {
	if v, ok := Float(e.base[KeyLevel]); ok {
		return v, true
	}
	if v, ok := number(e.MARS()[marsLevel]); ok {
		return v, true
	}
	return number(e.MARS()[marsOneLevel])
}

// Layer returns the top and the bottom of a layer, in the unit of the level's type.
func (e Entry) Layer() (top, bottom float64, ok bool) {
	top, ok = Float(e.base[KeyTop])
	bottom, ok2 := Float(e.base[KeyBottom])
	return top, bottom, ok && ok2
}

// LevelType returns ecCodes' typeOfLevel, or MARS' levtype where the entry has only that.
func (e Entry) LevelType() string {
	if text, _ := e.base[KeyLevelType].(string); text != "" {
		return text
	}
	text, _ := e.MARS()[marsLevType].(string)
	return text
}

// Member returns the number of the ensemble member.
func (e Entry) Member() (int64, bool) {
	if n, ok := Int(e.base[KeyNumber]); ok {
		return n, true
	}
	v, ok := number(e.MARS()[marsNumber])
	return int64(v), ok
}

// RecordIndex returns the position of a netCDF record along its unlimited dimension.
func (e Entry) RecordIndex() (uint64, bool) {
	n, ok := Int(e.base[KeyRecordIndex])
	return uint64(n), ok && n >= 0
}

// number is a number, or the number that a text holds.
func number(v any) (float64, bool) {
	if text, ok := v.(string); ok {
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	return Float(v)
}

// isoTime reads a label.
func isoTime(v any) (time.Time, bool) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, text)
	return t.UTC(), err == nil
}

// marsDay reads MARS' date: 20260404 as a number or a text, or 2026-04-04.
func marsDay(v any) (time.Time, bool) {
	text, ok := v.(string)
	if !ok {
		n, ok := Int(v)
		if !ok {
			return time.Time{}, false
		}
		text = strconv.FormatInt(n, 10)
	}
	for _, layout := range []string{"20060102", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// marsClock reads MARS' time: 600 as a number, "0600" or "06:00" as a text. Without a value
// it is midnight.
func marsClock(v any) (time.Duration, bool) {
	if v == nil {
		return 0, true
	}
	n, ok := Int(v)
	if text, isText := v.(string); isText {
		var err error
		n, err = strconv.ParseInt(strings.ReplaceAll(text, ":", ""), 10, 64)
		ok = err == nil
	}
	if !ok || n < 0 || n > 2359 || n%100 > 59 {
		return 0, false
	}
	return time.Duration(n/100)*time.Hour + time.Duration(n%100)*time.Minute, true
}

// marsDuration reads MARS' step: hours as a number, "6", "0-6" (whose end counts), "90m". Some writers have parts
// of hours: 1.5.
func marsDuration(v any) (time.Duration, bool) {
	if n, ok := Int(v); ok {
		return stepDuration(n, "h")
	}
	if hours, ok := v.(float64); ok {
		seconds := math.Round(hours * 3600)
		return time.Duration(seconds) * time.Second, math.Abs(seconds) <= float64(maxSeconds)
	}
	text, ok := v.(string)
	if !ok {
		return 0, false
	}
	if _, end, ok := strings.Cut(text, "-"); ok {
		text = end
	}
	digits := strings.TrimRight(text, "smhD")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, false
	}
	unit := text[len(digits):]
	if unit == "" {
		unit = "h"
	}
	return stepDuration(n, unit)
}

// stepDuration is n units of [KeyStepUnits], if these are a fixed time.
func stepDuration(n int64, unit string) (time.Duration, bool) {
	seconds, ok := map[string]int64{
		"s": 1, "m": 60, "15m": 900, "30m": 1800, "h": 3600, "3h": 3 * 3600, "6h": 6 * 3600, "12h": 12 * 3600, "D": 86400,
	}[unit]
	if !ok || n > maxSeconds/seconds || n < -maxSeconds/seconds {
		return 0, false
	}
	return time.Duration(n*seconds) * time.Second, true
}

// maxSeconds is how many seconds a time.Duration holds.
const maxSeconds = int64(1<<63-1) / int64(time.Second)

// OtherMARS returns a new map of the keys of MARS that are not labels: class, stream, type, param, …. The
// date of a hindcast stays, with true as hdate if that is the reference time. It is nil if there are no such
// keys.
func (e Entry) OtherMARS() map[string]any {
	mars := e.MARS()
	if len(mars) == 0 {
		return nil
	}
	_, dated := e.ReferenceTime()
	_, stepped := e.Step()
	_, levelled := e.Level()
	_, numbered := e.Member()
	other := make(map[string]any, len(mars))
	for key, value := range mars {
		switch key {
		case marsDate, marsTime:
			if dated && mars[marsHindcast] == nil {
				continue
			}
		case marsHindcast:
			if dated {
				value = true // that it is a hindcast, and date another date: see VersionDate
			}
		case marsStep:
			text, _ := value.(string)
			if stepped && !strings.Contains(text, "-") { // 0-6 is more than its end
				continue
			}
		case marsLevel, marsOneLevel:
			if levelled {
				continue
			}
		case marsNumber:
			if numbered {
				continue
			}
		case MARSArea:
			continue
		}
		other[key] = value
	}
	return other
}
