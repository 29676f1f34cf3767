package keys

import (
	"math"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// monthlyDateClass is the first day of the month. For an unreadable date it is
// 1, as in ecCodes.
type monthlyDateClass struct{ computedLong }

func (monthlyDateClass) long(h *Handle, a *accessor) (int64, error) {
	d, err := h.argKeyLong(a, 0)
	if err != nil {
		d = 0
	}
	return d/100*100 + 1, nil
}

// verificationDateClass is the date that a step in hours leads to.
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

// closestDateClass is the index of the forecast that is nearest before the
// reference time. It is among the forecasts used for a local time.
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

func (endOfMonthClass) native(*Handle, *accessor) Type { return Double }

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
