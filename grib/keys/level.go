package keys

import (
	"fmt"
	"strconv"
)

// Level returns level, topLevel or bottomLevel in the unit of typeOfLevel, with the fraction that
// the message has. The float of ecCodes, and so [Handle.Float], cuts pressures of edition 2 to
// whole hectopascals, and has pressures of layers in pascals once a key below 1 hPa was asked
// for.
func (h *Handle) Level(key string) (float64, error) {
	const pressure, none = 100, 255
	which := "First"
	if second, err := h.Int("typeOfSecondFixedSurface"); key == "bottomLevel" && err == nil && second != none {
		which = "Second"
	}
	if kind, err := h.Int("typeOf" + which + "FixedSurface"); err != nil || kind != pressure {
		return h.Float(key)
	}
	if kind, err := h.String("typeOfLevel"); err != nil || kind != "isobaricInhPa" && kind != "isobaricLayer" {
		return h.Float(key)
	}
	factor, err := h.Int("scaleFactorOf" + which + "FixedSurface")
	value, err2 := h.Int("scaledValueOf" + which + "FixedSurface")
	if err != nil || err2 != nil || factor == Missing || value == Missing {
		return h.Float(key)
	}
	// As a decimal number, so that it is rounded once.
	return strconv.ParseFloat(fmt.Sprintf("%de%d", value, -factor-2), 64)
}
