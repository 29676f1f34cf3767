package mars

import "testing"

// The names are ecCodes 2.50's cfName of messages with parameter 0.20.2 and the constituent.
func TestConstituentCFName(t *testing.T) {
	for _, c := range []struct {
		param, constituent int64
		want               string
	}{
		{402000, 0, "mass_fraction_of_ozone_in_air"},
		{402000, 4, "mass_fraction_of_carbon_monoxide_in_air"},
		{402000, 11, "mass_fraction_of_nitrogen_monoxide_in_air"},
		{402000, 7, ""},
		{401000, 4, ""},
	} {
		if got := ConstituentCFName(c.param, c.constituent); got != c.want {
			t.Errorf("parameter %d, constituent %d: %q, expected %q", c.param, c.constituent, got, c.want)
		}
	}
}
