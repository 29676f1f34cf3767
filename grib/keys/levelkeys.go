package keys

import "github.com/tgmconv/tgmconv/grib/keys/internal/defs"

// g2LevelClass is the value of a fixed surface.
// Arguments: type of surface, scale factor, scaled value, pressure units.
type g2LevelClass struct{ computedLong }

func (c g2LevelClass) init(_ *Handle, a *accessor) error {
	a.flags |= defs.CopyIfChangingEdition
	return nil
}

func (c g2LevelClass) double(h *Handle, a *accessor) (float64, error) {
	var typ, scale, value int64
	if err := h.argLongs(a, &typ, &scale, &value); err != nil {
		return 0, err
	}
	units, err := h.getString(a.argName(3))
	if err != nil {
		return 0, err
	}
	if value == Missing {
		return 0, nil
	}
	v := float64(value)
	if scale != Missing {
		if typ == 109 { // potential vorticity
			status, err := h.long("productionStatusOfProcessedData")
			if err == nil && (status == 4 || status == 5) { // TIGGE
				scale -= 6
			} else {
				scale -= 9
			}
		}
		for ; scale < 0 && v != 0; scale++ {
			v *= 10
		}
		for ; scale > 0 && v != 0; scale-- {
			v /= 10
		}
	}
	if typ == 100 && units == "hPa" {
		x := int64(v / 100)
		if scale == 0 && x == 0 {
			// Less than 1 hPa is shown in Pa from now on.
			if err := h.setString("pressureUnits", "Pa"); err != nil {
				return 0, err
			}
		} else {
			v = float64(x)
		}
	}
	return v, nil
}

func (c g2LevelClass) long(h *Handle, a *accessor) (int64, error) {
	v, err := c.double(h, a)
	return truncate(v + 0.5), err
}

func (g2LevelClass) missing(h *Handle, a *accessor) bool {
	s, _ := h.isMissing(a.argName(1))
	v, _ := h.isMissing(a.argName(2))
	return s || v
}
