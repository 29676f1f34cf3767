package keys

import (
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Dates and times of day.

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

// g1DateClass is the reference date of edition 1. A year or day of 255 makes a
// climatological date such as "jan" or "jan-15". Arguments: century, year of
// century, month, day.
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
