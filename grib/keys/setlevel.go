package keys

import (
	"fmt"
	"math"
	"strconv"
)

// setLevel sets the first fixed surface.
func setLevel(s *setter, h *Handle, e *Entry, value string) error {
	return s.surface(h, "First", value)
}

func setBottom(s *setter, h *Handle, e *Entry, value string) error {
	return s.surface(h, "Second", value)
}

// surface sets the scaled value of a fixed surface, with as few decimals as the value needs.
func (s *setter) surface(h *Handle, which, value string) error {
	if h.buf[7] == 1 {
		return ErrNoSetting
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("value %q is not a level", value)
	}
	const pressure = 100
	kind, err := h.Int("typeOf" + which + "FixedSurface")
	if err != nil {
		return err
	}
	if units, err := h.String("pressureUnits"); err == nil && units == "hPa" && kind == pressure {
		v *= 100
	}
	factor, err := h.Int("scaleFactorOf" + which + "FixedSurface")
	if err != nil {
		return err
	}
	if factor < 0 || factor > 9 {
		factor = 0 // missing, or so that the value need not fit
	}
	for ; factor < 9 && math.Abs(float64(v*math.Pow10(int(factor)))-math.Round(v*math.Pow10(int(factor)))) > 1e-6; factor++ {
	}
	scaled := math.Round(v * math.Pow10(int(factor)))
	if math.Abs(scaled) >= math.MaxInt32 {
		return ErrOutOfRange
	}
	return s.all("scaleFactorOf"+which+"FixedSurface", factor, "scaledValueOf"+which+"FixedSurface", int64(scaled))
}
