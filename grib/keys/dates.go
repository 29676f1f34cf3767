package keys

import (
	"fmt"
	"math"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Dates and times of day.

func dateClass(op string) class {
	switch op {
	case "g2date":
		return g2DateClass{}
	case "time":
		return timeClass{}
	case "julian_day":
		return julianDayClass{}
	case "julian_date":
		return julianDateClass{}
	case "validity_date":
		return validityDateClass{}
	case "validity_time":
		return validityTimeClass{}
	case "g1date":
		return g1DateClass{}
	case "g1monthlydate":
		return monthlyDateClass{}
	case "g1verificationdate":
		return verificationDateClass{}
	case "g1day_of_the_year_date":
		return dayOfYearClass{}
	case "g1forecastmonth":
		return forecastMonthClass{}
	case "closest_date":
		return closestDateClass{}
	case "g1end_of_interval_monthly":
		return endOfMonthClass{}
	}
	return nil
}

// computedLong is the base of integer keys that take no room in the message.
type computedLong struct{ longClass }

func (computedLong) init(*Handle, *accessor) error { return nil }

// computedDouble is the same for real keys.
type computedDouble struct{ doubleClass }

func (computedDouble) init(*Handle, *accessor) error { return nil }

// computedText is the same for text.
type computedText struct{ asciiClass }

func (computedText) init(*Handle, *accessor) error { return nil }

type g2DateClass struct{ computedLong }

func (g2DateClass) long(h *Handle, a *accessor) (int64, error) {
	var y, m, d int64
	err := h.argLongs(a, &y, &m, &d)
	return y*10000 + m*100 + d, err
}

// timeClass is hhmm; seconds are left out.
type timeClass struct{ computedLong }

func (timeClass) long(h *Handle, a *accessor) (int64, error) {
	var hour, minute, second int64
	if err := h.argLongs(a, &hour, &minute, &second); err != nil {
		return 0, err
	}
	switch {
	case hour == 255:
		return 1200, nil
	case minute == 255:
		return hour * 100, nil
	}
	return hour*100 + minute, nil
}

func (c timeClass) str(h *Handle, a *accessor) (string, error) {
	v, err := c.long(h, a)
	if err != nil {
		v = 0
	}
	return fmt.Sprintf("%04d", v), nil
}

type julianDayClass struct{ computedDouble }

func (julianDayClass) double(h *Handle, a *accessor) (float64, error) {
	var date, hour, minute, second int64
	err := h.argLongs(a, &date, &hour, &minute, &second)
	return datetimeToJulian(date/10000, date/100%100, date%100, hour, minute, second), err
}

// julianDateClass is a moment given by six keys, or by yyyymmdd and hhmm[ss].
type julianDateClass struct{ computedDouble }

func (julianDateClass) long(*Handle, *accessor) (int64, error) { return 0, ErrNotImplemented }

func (julianDateClass) parts(h *Handle, a *accessor, forText bool) (p [6]int64, err error) {
	if a.argName(2) != defs.NoSym {
		return p, h.argLongs(a, &p[0], &p[1], &p[2], &p[3], &p[4], &p[5])
	}
	var ymd, hms int64
	if err := h.argLongs(a, &ymd, &hms); err != nil {
		return p, err
	}
	if forText && hms < 2500 {
		hms *= 100
	}
	return [6]int64{ymd / 10000, ymd / 100 % 100, ymd % 100, hms / 10000, hms / 100 % 100, hms % 100}, nil
}

func (c julianDateClass) double(h *Handle, a *accessor) (float64, error) {
	p, err := c.parts(h, a, false)
	return datetimeToJulian(p[0], p[1], p[2], p[3], p[4], p[5]), err
}

func (c julianDateClass) str(h *Handle, a *accessor) (string, error) {
	p, err := c.parts(h, a, true)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%04d%02d%02d %02d%02d%02d", p[0], p[1], p[2], p[3], p[4], p[5]), nil
}

// validity adds the step to the reference time.
// Arguments: date, time, step, stepUnits.
func (h *Handle) validity(a *accessor) (date, hour, minute int64, err error) {
	var date0, time0 int64
	if err := h.argLongs(a, &date0, &time0); err != nil {
		return 0, 0, 0, err
	}
	step, err := h.argKeyLong(a, 2)
	if err != nil {
		if step, err = h.long("endStep"); err != nil {
			return 0, 0, 0, err
		}
	}
	minutes := int64(0)
	if k := a.argName(3); k != defs.NoSym {
		u, err := h.getLong(k)
		if err != nil {
			return 0, 0, 0, err
		}
		var ok bool
		if minutes, ok = stepMinutes(step, u); !ok {
			return 0, 0, 0, ErrDecoding
		}
	}
	total := time0%100 + minutes
	return date0, time0/100 + total/60, total % 60, nil
}

type validityDateClass struct{ computedLong }

func (validityDateClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (validityDateClass) long(h *Handle, a *accessor) (int64, error) {
	if a.argName(4) != defs.NoSym { // the end of the interval is coded
		var p [3]int64
		for i := range p {
			v, err := h.argKeyLong(a, 4+i)
			if err != nil {
				return 0, err
			}
			p[i] = v
		}
		return p[0]*10000 + p[1]*100 + p[2], nil
	}
	date, hour, _, err := h.validity(a)
	if err != nil {
		return 0, err
	}
	day := dateToJulian(date) + hour/24
	if hour%24 < 0 {
		day--
	}
	return julianToDate(day), nil
}

type validityTimeClass struct{ computedLong }

func (validityTimeClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (validityTimeClass) long(h *Handle, a *accessor) (int64, error) {
	if a.argName(4) != defs.NoSym {
		hour, err := h.argKeyLong(a, 4)
		if err != nil {
			return 0, err
		}
		minute, err := h.argKeyLong(a, 5)
		return hour*100 + minute, err
	}
	_, hour, minute, err := h.validity(a)
	if err != nil {
		return 0, err
	}
	hour %= 24
	if hour < 0 {
		hour += 24
	}
	return hour*100 + minute, nil
}

func (c validityTimeClass) str(h *Handle, a *accessor) (string, error) {
	v, err := c.long(h, a)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%04d", v), nil
}

// g1DateClass is the reference date of edition 1; 255 for the year or the day
// makes a climatological date such as "jan" or "jan-15".
// Arguments: century, year of century, month, day.
type g1DateClass struct{ computedLong }

func (g1DateClass) parts(h *Handle, a *accessor) (century, year, month, day int64, err error) {
	err = h.argLongs(a, &century, &year, &month, &day)
	return
}

func (c g1DateClass) long(h *Handle, a *accessor) (int64, error) {
	century, year, month, day, err := c.parts(h, a)
	if err != nil {
		return 0, err
	}
	if year == 255 && month >= 1 && month <= 12 {
		if day == 255 {
			return month, nil
		}
		return month*100 + day, nil
	}
	return ((century-1)*100+year)*10000 + month*100 + day, nil
}

var monthNames = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

func (c g1DateClass) str(h *Handle, a *accessor) (string, error) {
	century, year, month, day, err := c.parts(h, a)
	if err != nil {
		return "", err
	}
	if year == 255 && month >= 1 && month <= 12 {
		if day == 255 {
			return monthNames[month-1], nil
		}
		return fmt.Sprintf("%s-%02d", monthNames[month-1], day), nil
	}
	return strconv.FormatInt(((century-1)*100+year)*10000+month*100+day, 10), nil
}

// dayOfYearClass is yyyy-ddd in a calendar of months of 30 days.
type dayOfYearClass struct{ g1DateClass }

func (c dayOfYearClass) str(h *Handle, a *accessor) (string, error) {
	century, year, month, day, err := c.parts(h, a)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%04d-%03d", (century-1)*100+year, (month-1)*30+day), nil
}

// monthlyDateClass is the first day of the month; of a date that cannot be read
// ecCodes makes 1.
type monthlyDateClass struct{ computedLong }

func (monthlyDateClass) long(h *Handle, a *accessor) (int64, error) {
	d, err := h.argKeyLong(a, 0)
	if err != nil {
		d = 0
	}
	return d/100*100 + 1, nil
}

// verificationDateClass is the date to which a step in hours leads.
type verificationDateClass struct{ computedLong }

func (verificationDateClass) init(_ *Handle, a *accessor) error { a.flags |= defs.ReadOnly; return nil }

func (verificationDateClass) long(h *Handle, a *accessor) (int64, error) {
	var date, time, step int64
	if err := h.argLongs(a, &date, &time, &step); err != nil {
		return 0, err
	}
	return julianToDate((dateToJulian(date)*24 + time/100 + step) / 24), nil
}

// forecastMonthClass is the number of the month within a seasonal forecast.
type forecastMonthClass struct{ computedLong }

func forecastMonth(verification, base, day, hour int64) int64 {
	base /= 100
	m := (verification/100-base/100)*12 + verification%100 - base%100
	if day == 1 && hour == 0 {
		m++
	}
	return m
}

func (c forecastMonthClass) long(h *Handle, a *accessor) (int64, error) {
	edition, err := h.long("edition")
	if err != nil {
		return 0, err
	}
	if edition == 2 {
		return c.edition2(h)
	}
	var ver, base, day, hour, coded, check int64
	if err := h.argLongs(a, &ver, &base, &day, &hour, &coded, &check); err != nil {
		return 0, err
	}
	m := forecastMonth(ver, base, day, hour)
	if coded != 0 && coded != m {
		if check != 0 {
			return 0, ErrDecoding
		}
		return coded, nil
	}
	return m, nil
}

func (forecastMonthClass) edition2(h *Handle) (int64, error) {
	var v [9]int64
	for i, k := range [...]string{"year", "month", "day", "hour", "minute", "second", "dataDate", "forecastTime", "indicatorOfUnitOfTimeRange"} {
		x, err := h.long(k)
		if err != nil {
			return 0, err
		}
		v[i] = x
	}
	if v[8] != 1 {
		return 0, ErrDecoding
	}
	jd := datetimeToJulian(v[0], v[1], v[2], v[3], v[4], v[5]) + float64(v[7])*3600/86400
	y, m, _, _, _, _ := julianToDatetime(jd)
	return forecastMonth(y*100+m, v[6], v[2], v[3]), nil
}

// closestDateClass is the index of the forecast, among those used for a local
// time, that is nearest before the reference time.
type closestDateClass struct{ computedDouble }

func (c closestDateClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := c.double(h, a)
	return int64(v), err
}

func (closestDateClass) double(h *Handle, a *accessor) (float64, error) {
	var date, time, n int64
	if err := h.argLongs(a, &date, &time, &n); err != nil {
		return 0, err
	}
	ref := datetimeToJulian(date/10000, date/100%100, date%100, time/100, time%100/100, 0)
	var part [6][]int64
	for i := range part {
		v, err := h.getLongs(a.argName(3 + i))
		if err != nil {
			return 0, err
		}
		if int64(len(v)) != n || n <= 1 {
			return 0, ErrDecoding
		}
		part[i] = v
	}
	best, diff := -1, math.MaxFloat64
	for i := range part[0] {
		d := ref - datetimeToJulian(part[0][i], part[1][i], part[2][i], part[3][i], part[4][i], part[5][i])
		if d >= 0 && d < diff {
			best, diff = i, d
		}
	}
	if best < 0 {
		return 0, ErrDecoding
	}
	return float64(best), nil
}

// endOfMonthClass is the last moment of a month given as yyyymm: year, month,
// day, hour, minute and second.
type endOfMonthClass struct{ computedLong }

func (endOfMonthClass) native(*Handle, *accessor) Type        { return Double }
func (endOfMonthClass) count(*Handle, *accessor) (int, error) { return 6, nil }

func (endOfMonthClass) longs(h *Handle, a *accessor) ([]int64, error) {
	ym, err := h.argKeyLong(a, 0)
	if err != nil {
		return nil, err
	}
	year, month := ym/100, ym%100
	return []int64{year, month, daysInMonth(year, month), 24, 0, 0}, nil
}

func (c endOfMonthClass) long(h *Handle, a *accessor) (int64, error) { return single(c.longs(h, a)) }

func daysInMonth(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
