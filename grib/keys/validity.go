package keys

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

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
