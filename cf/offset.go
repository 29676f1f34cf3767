package cf

import "math"

// An Offset is a time since a reference.
type Offset struct {
	Micro int64 // microseconds
	Nano  int64 // nanoseconds beside them, 0 to 999
}

// Bounds of times, so that nothing overflows: days between references, and microseconds.
const (
	maxApart  = 1_000_000
	maxMicros = 1 << 60
)

// microUnits is the length of the unit in microseconds; false if the units have shorter parts.
func (t *TimeUnits) microUnits() (int64, bool) { return t.unit, t.perMicro == 1 && !t.finer }

// OffsetsOf returns numbers of these units as times since the reference. The result is false if a
// time is too large, or the units are parts of a microsecond.
func (t *TimeUnits) OffsetsOf(numbers []int64) ([]Offset, bool) {
	unit, ok := t.microUnits()
	if !ok {
		return nil, false
	}
	offsets := make([]Offset, len(numbers))
	for i, n := range numbers {
		if n > maxMicros/unit || n < -maxMicros/unit {
			return nil, false
		}
		offsets[i].Micro = n * unit
	}
	return offsets, true
}

// Offsets is like [TimeUnits.OffsetsOf] for floating-point numbers, and gives the times that xarray
// decodes. They are truncated to whole nanoseconds in the Gregorian calendar of the years that
// nanoseconds can tell, and else are the nearest microsecond.
func (t *TimeUnits) Offsets(numbers []float64) ([]Offset, bool) {
	unit, ok := t.microUnits()
	if !ok {
		return nil, false
	}
	offsets := make([]Offset, len(numbers))
	nanos := t.tellsNanos(numbers)
	for i, x := range numbers {
		if nanos {
			n := int64(x * float64(1000*unit))
			offsets[i].Micro, offsets[i].Nano = floorDiv(n, 1000)
			continue
		}
		p := x * float64(unit)
		if !(math.Abs(p) < maxMicros) { // or not a number
			return nil, false
		}
		whole := math.RoundToEven(p)
		rest := p - whole + math.FMA(x, float64(unit), -p)
		near := math.RoundToEven(rest)
		if math.Abs(rest-near) > 0.48 {
			return nil, false // others may round it in the other way
		}
		offsets[i].Micro = int64(whole) + int64(near)
	}
	return offsets, true
}

// Years that 63 bits of nanoseconds since 1970 can tell.
const firstNanoYear, lastNanoYear = 1678, 2261

// tellsNanos reports whether times are whole nanoseconds to xarray.
func (t *TimeUnits) tellsNanos(numbers []float64) bool {
	if t.Calendar != Standard && t.Calendar != ProlepticGregorian {
		return false
	}
	if year, _, _ := t.Calendar.date(t.day); year < firstNanoYear || year > lastNanoYear {
		return false
	}
	first, last := t.Calendar.day(firstNanoYear, 1, 1)-t.day, t.Calendar.day(lastNanoYear+1, 1, 1)-t.day-2
	for _, x := range numbers {
		days := x * float64(t.unit) / microsPerDay
		if !(days > float64(first) && days < float64(last)) || math.Abs(x*float64(1000*t.unit)) >= 1<<63 {
			return false
		}
	}
	return true
}

// After returns the time from the reference of other units to the reference of t. The result is false
// if their calendars differ, or if it is too long. [Standard] and [ProlepticGregorian] number days in
// one way: a time that [TimeUnits.Gregorian] is the same date in both.
func (t *TimeUnits) After(other *TimeUnits) (Offset, bool) {
	days := t.day - other.day
	if t.Calendar.sun() != other.Calendar.sun() || t.finer || other.finer || days > maxApart || days < -maxApart {
		return Offset{}, false
	}
	return Offset{Micro: days*microsPerDay + t.micro - other.micro}, true
}

// sun is the calendar, or [Standard] for a calendar with the same days under other dates.
func (c Calendar) sun() Calendar {
	if c == ProlepticGregorian {
		return Standard
	}
	return c
}

// Gregorian reports whether a time since the reference is a Gregorian date that xarray decodes as
// nanoseconds. Its calendar is [Standard] or [ProlepticGregorian], and its year 1678 to 2261.
func (t *TimeUnits) Gregorian(o Offset) bool {
	days, _ := floorDiv(o.Micro+t.micro, microsPerDay)
	year, _, _ := t.Calendar.date(t.day + days)
	return t.Calendar.sun() == Standard && year >= firstNanoYear && year <= lastNanoYear
}

// Add returns the sum of two times; the second must be of whole microseconds.
func (o Offset) Add(other Offset) Offset { return Offset{o.Micro + other.Micro, o.Nano} }

// Int returns a time since the reference as a number of these units; false if that is no
// integer.
func (t *TimeUnits) Int(o Offset) (int64, bool) {
	if t.perMicro == 1000 {
		const most = (1<<63 - 1) / 1000
		if o.Micro >= most || o.Micro <= -most {
			return 0, false
		}
		return 1000*o.Micro + o.Nano, true
	}
	return o.Micro / t.unit, t.perMicro == 1 && o.Nano == 0 && o.Micro%t.unit == 0
}

// Float is like [TimeUnits.Int] for a floating-point number. It must give the same time in
// [TimeUnits.Offsets].
func (t *TimeUnits) Float(o Offset) (float64, bool) {
	const exact = 1 << 53
	if t.perMicro != 1 || o.Nano != 0 || o.Micro >= exact || o.Micro <= -exact {
		return 0, false
	}
	x := float64(o.Micro) / float64(t.unit)
	if math.FMA(x, float64(t.unit), -float64(o.Micro)) != 0 {
		return 0, false
	}
	back, ok := t.Offsets([]float64{x})
	return x, ok && back[0] == o
}
