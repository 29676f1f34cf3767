package plot

import (
	"iter"

	"github.com/tgmconv/tgmconv/look"
)

// A measure is a multiple of the first unit of its kind, from an offset on.
type measure struct {
	kind           string
	factor, offset float64
}

const gravity = 9.80665

// units are the units that [Panel.Convert] knows, by the names in files and the names that people
// use.
var units = map[string]measure{
	"K": {"temperature", 1, 0}, "degC": {"temperature", 1, 273.15}, "°C": {"temperature", 1, 273.15}, "C": {"temperature", 1, 273.15},
	"Celsius": {"temperature", 1, 273.15}, "degF": {"temperature", 5.0 / 9, 459.67 * 5 / 9}, "°F": {"temperature", 5.0 / 9, 459.67 * 5 / 9},
	"Pa": {"pressure", 1, 0}, "hPa": {"pressure", 100, 0}, "mbar": {"pressure", 100, 0}, "millibar": {"pressure", 100, 0}, "kPa": {"pressure", 1000, 0},
	"m s-1": {"speed", 1, 0}, "m/s": {"speed", 1, 0}, "kt": {"speed", 1852.0 / 3600, 0}, "knots": {"speed", 1852.0 / 3600, 0}, "km/h": {"speed", 1 / 3.6, 0},
	"km h-1": {"speed", 1 / 3.6, 0},
	"m":      {"length", 1, 0}, "gpm": {"length", 1, 0}, "mm": {"length", 0.001, 0}, "cm": {"length", 0.01, 0}, "dam": {"length", 10, 0}, "gpdam": {"length", 10, 0},
	"km": {"length", 1000, 0}, "m2 s-2": {"length", 1 / gravity, 0}, "m of water equivalent": {"length", 1, 0},
	"kg m-2":  {"length", 0.001, 0},
	"kg kg-1": {"ratio", 1, 0}, "g kg-1": {"ratio", 0.001, 0}, "g/kg": {"ratio", 0.001, 0}, "1": {"ratio", 1, 0}, "%": {"ratio", 0.01, 0}, "(0 - 1)": {"ratio", 1, 0},
}

// Units lists units that [Panel.Convert] converts to.
func Units() []string {
	return []string{"degC", "degF", "K", "hPa", "Pa", "kt", "km/h", "m/s", "mm", "cm", "m", "dam", "km", "g/kg", "%"}
}

// shownUnits writes units as people do.
func shownUnits(text string) string {
	switch text {
	case "degC", "C", "Celsius":
		return "°C"
	case "degF":
		return "°F"
	}
	return look.UnitsText(text)
}

// conversion finds the conversion of values to the first of some units that measures the same
// quantity, and the name of this unit; nil if there is none.
func conversion(text string, wanted []string) (convert func([]float64) []float64, name string) {
	from, known := units[look.UnitsText(text)]
	if text == "1" {
		from, known = units[text]
	}
	for _, name := range wanted {
		to := units[name]
		if !known || to.kind != from.kind {
			continue
		}
		return func(values []float64) []float64 {
			list := make([]float64, len(values))
			for i, v := range values {
				list[i] = (float64(v*from.factor) + from.offset - to.offset) / to.factor
			}
			return list
		}, shownUnits(name)
	}
	return nil, ""
}

// Convert changes the values to the first of some units that measures the same, if there is one.
func (p *Panel) Convert(wanted []string) {
	if p.North != nil {
		p.North.Convert(wanted)
	}
	convert, name := conversion(p.Units, wanted)
	if convert == nil {
		return
	}
	p.Values, p.Units = convert(p.Values), name
	read := p.runs
	if read == nil {
		return
	}
	p.runs = func() iter.Seq2[look.Run, error] {
		return func(yield func(look.Run, error) bool) {
			for r, err := range read() {
				r.Values = convert(r.Values)
				if !yield(r, err) {
					return
				}
			}
		}
	}
}
