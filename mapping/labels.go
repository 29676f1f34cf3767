package mapping

import (
	"math"
	"time"
)

// Labels are the typed labels of an entry, in addition to its vocabularies. Labels that are absent
// are not written.
type Labels struct {
	ReferenceTime Opt[time.Time]
	ValidTime     Opt[time.Time]
	Step          Opt[int64]
	StepUnits     string
	Level         Opt[float64]
	LevelType     string
	Top, Bottom   Opt[float64] // of a layer
	Number        Opt[int64]
	RecordIndex   Opt[uint64]
	Geometry      map[string]any
	Times         TimeTexts
}

// TimeTexts are the times that a CF coordinate gives a variable, in the form of ISO 8601. They end
// in Z where the Gregorian calendar has them, and not in other calendars. Empty is unknown.
type TimeTexts struct {
	Reference, Valid string    // of one time
	Bounds           [2]string // of the cell that Valid stands for
	Range            [2]string // the first and the last of several
}

// Map returns the keys and values of an entry that hold the labels.
func (l *Labels) Map() map[string]any {
	m := make(map[string]any, 10)
	setTime(m, KeyReferenceTime, l.ReferenceTime)
	setTime(m, KeyValidTime, l.ValidTime)
	set(m, KeyStep, l.Step)
	setText(m, KeyStepUnits, l.StepUnits)
	setNumber(m, KeyLevel, l.Level)
	setNumber(m, KeyTop, l.Top)
	setNumber(m, KeyBottom, l.Bottom)
	setText(m, KeyLevelType, l.LevelType)
	set(m, KeyNumber, l.Number)
	set(m, KeyRecordIndex, l.RecordIndex)
	setText(m, KeyReferenceTime, l.Times.Reference)
	setText(m, KeyValidTime, l.Times.Valid)
	setPair(m, KeyValidBounds, &l.Times.Bounds)
	setPair(m, KeyValidRange, &l.Times.Range)
	if l.Geometry != nil {
		m[KeyGeometry] = l.Geometry
	}
	return m
}

func set[T any](m map[string]any, key string, v Opt[T]) {
	if v.Known {
		m[key] = v.Value
	}
}

func setNumber(m map[string]any, key string, v Opt[float64]) {
	if v.Known {
		m[key] = Number(v.Value)
	}
}

func setText(m map[string]any, key, text string) {
	if text != "" {
		m[key] = text
	}
}

func setPair(m map[string]any, key string, pair *[2]string) {
	if pair[0] != "" && pair[1] != "" {
		m[key] = []string{pair[0], pair[1]}
	}
}

// setTime leaves out times that have no form in RFC 3339, whose years have four digits.
func setTime(m map[string]any, key string, t Opt[time.Time]) {
	if year := t.Value.UTC().Year(); t.Known && year >= 0 && year <= 9999 {
		m[key] = t.Value.UTC().Format(time.RFC3339)
	}
}

// Number returns v in the type that metadata have for it. This is int64 if v is whole and less
// than 2^53 in size, else float64.
func Number(v float64) any {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return v
}

// Own returns the name and the labels that the entry itself has. Labels that are only in its
// vocabularies are left out.
func (e Entry) Own() (name string, l Labels) {
	name, _ = e.base[KeyName].(string)
	l.ReferenceTime.Value, l.ReferenceTime.Known = isoTime(e.base[KeyReferenceTime])
	l.ValidTime.Value, l.ValidTime.Known = isoTime(e.base[KeyValidTime])
	l.Step.Value, l.Step.Known = Int(e.base[KeyStep])
	l.StepUnits, _ = e.base[KeyStepUnits].(string)
	l.LevelType, _ = e.base[KeyLevelType].(string)
	l.Number.Value, l.Number.Known = Int(e.base[KeyNumber])
	for _, x := range []struct {
		key string
		to  *Opt[float64]
	}{{KeyLevel, &l.Level}, {KeyTop, &l.Top}, {KeyBottom, &l.Bottom}} {
		x.to.Value, x.to.Known = Float(e.base[x.key])
	}
	return name, l
}
