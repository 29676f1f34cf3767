package togrib

import (
	"strconv"
	"strings"
)

// times sets the step.
func (b *builder) times() error {
	units := b.stepUnits()
	if r := b.text("stepRange"); r != "" && strings.Contains(r, "-") {
		from, to, _ := strings.Cut(r, "-")
		return b.set("stepRange", withUnit(from, units)+"-"+withUnit(to, units))
	}
	step := b.text("endStep", "step")
	if _, l := b.entry.Own(); l.Step.Known {
		step, units = strconv.FormatInt(l.Step.Value, 10), l.StepUnits
	}
	if step == "" {
		return nil
	}
	if code, ok := unitCodes[units]; ok && b.edition == 2 && units != "h" && b.knows("forecastTime") && !b.knows("lengthOfTimeRange") {
		for _, key := range []string{"indicatorOfUnitForForecastTime", "indicatorOfUnitOfTimeRange"} {
			if b.knows(key) {
				if err := b.set(key, code); err != nil {
					return err
				}
				return b.set("forecastTime", strings.TrimRight(step, "smhD"))
			}
		}
	}
	return b.set("endStep", withUnit(step, units))
}

// unitCodes are code table 4.4 by the names of ecCodes' stepUnits.
var unitCodes = map[string]string{"s": "13", "m": "0", "h": "1", "D": "2", "M": "3", "Y": "4", "3h": "10", "6h": "11", "12h": "12"}

// stepUnits returns the unit of steps.
func (b *builder) stepUnits() string {
	codes := map[string]string{"0": "m", "1": "h", "2": "D", "13": "s"}
	v := b.text("stepUnits")
	if name, ok := codes[v]; ok {
		return name
	}
	return v
}

func withUnit(step, unit string) string {
	if strings.TrimRight(step, "smhD") != step {
		return step
	}
	return step + unit
}
