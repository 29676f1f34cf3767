package tonetcdf

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/cf"
)

// plainUnits are units of ecCodes that UDUNITS does not know, or knows as something else.
var plainUnits = map[string]string{
	"Numeric": "1", "numeric": "1", "dimensionless": "1", "(0 - 1)": "1", "0-1": "1", "0to1": "1", "(-1 to 1)": "1", "-": "1",
	"Proportion": "1", "proportion": "1", "Fraction": "1", "Index": "1", "No Unit": "1", "~": "1",
	"Degree true": "degree", "degree true": "degree", "deg": "degree", "Degree": "degree", "deg C": "degC", "degrees C": "degC", "C": "degC",
	"Degree E": "degrees_east", "deg E": "degrees_east", "Degree N": "degrees_north", "deg N": "degrees_north",
	"m of water equivalent": "m", "m of water equivalent s**-1": "m s**-1", "gpm": "m", "psu": "1e-3", "DU": "Dobson",
	"mb": "hPa", "w m-2": "W m-2", "kgm-2": "kg m-2", "m2s-2": "m2 s-2", "10-9 K m2 kg-1 s-1": "1e-9 K m2 kg-1 s-1",
}

// aUnit is a unit that UDUNITS knows, with an exponent.
var aUnit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(1|1e-?[0-9]+|%|m|cm|mm|km|dam|kg|g|mg|s|h|hour|day|d|K|degC|W|J|N|Pa|hPa|Bq|sr|mol|Hz|rad|radian|radians|degree|degrees|degrees_east|degrees_north|dBZ|ppm|ppb|Dobson|bounds)((\*\*)?-?[0-9]+)?$`)
})

// knownUnits reports whether UDUNITS knows units.
func knownUnits(units string) bool {
	words := strings.Fields(units)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !aUnit().MatchString(w) })
}

// standardUnits are the units of standard names that ecCodes gives to parameters of other units
// too.
var standardUnits = map[string][]string{
	"air_pressure_at_mean_sea_level": {"Pa", "hPa"},
	"air_temperature":                {"K", "degC"},
	"eastward_wind":                  {"m s-1"}, "northward_wind": {"m s-1"},
	"atmosphere_mass_content_of_ozone":                        {"kg m-2"},
	"lwe_thickness_of_atmosphere_mass_content_of_water_vapor": {"m"},
	"lwe_thickness_of_convective_precipitation_amount":        {"m"},
	"lwe_thickness_of_surface_snow_amount":                    {"m"},
	"lwe_thickness_of_water_evaporation_amount":               {"m"},
	"surface_downward_eastward_stress":                        {"Pa", "N m-2"},
	"surface_downward_northward_stress":                       {"Pa", "N m-2"},
	"kinetic_energy_dissipation_in_atmosphere_boundary_layer": {"W m-2"},
	"surface_downwelling_shortwave_flux_in_air":               {"W m-2"},
	"surface_net_downward_longwave_flux_assuming_clear_sky":   {"W m-2"},
	"surface_net_downward_shortwave_flux":                     {"W m-2"},
	"surface_net_downward_shortwave_flux_assuming_clear_sky":  {"W m-2"},
	"surface_net_upward_longwave_flux":                        {"W m-2"},
	"surface_upward_latent_heat_flux":                         {"W m-2"},
	"surface_upward_sensible_heat_flux":                       {"W m-2"},
	"toa_net_upward_shortwave_flux":                           {"W m-2"},
	"toa_outgoing_longwave_flux":                              {"W m-2"},
}

// integrals are the standard names that have one of their integral over time: of joules and newton
// seconds.
var integrals = []string{
	"surface_downward_eastward_stress", "surface_downward_northward_stress", "surface_downwelling_shortwave_flux_in_air",
	"surface_net_downward_shortwave_flux", "toa_outgoing_longwave_flux",
}

// standardNames are the names in the table of standard names that replace others.
var standardNames = map[string]string{
	"atmosphere_relative_vorticity": "atmosphere_upward_relative_vorticity",
	"heat_flux_correction":          "heat_flux_into_sea_water_due_to_flux_adjustment",
	// Not in the table.
	"unknown": "", "atmosphere_mass_content_of_nitrogen_dioxide": "",
}

// fixUnits makes units such that UDUNITS knows them, and leaves out a standard name of other units.
// The unit of the source stays in GRIB_units.
func (c *cfVariable) fixUnits() {
	source := c.attr(cf.AttrUnits)
	if source == "" || strings.Contains(source, " since ") || source == "seconds" {
		return
	}
	units := source
	if plain := plainUnits[source]; plain != "" {
		units = plain
	}
	known := knownUnits(units)
	if !known {
		units = "1"
	}
	if units != source {
		c.set(cf.AttrUnits, units)
		c.set("GRIB_units", source)
	}
	name := c.attr(cf.AttrStandardName)
	if other, ok := standardNames[name]; ok {
		name = other
	}
	short := strings.ReplaceAll(units, "**", "")
	if allowed := standardUnits[name]; allowed != nil && !slices.Contains(allowed, short) {
		if slices.Contains(integrals, name) && (short == "J m-2" || short == "N m-2 s") {
			name = "integral_wrt_time_of_" + name
		} else {
			name = ""
		}
	}
	if !known {
		name = ""
	}
	c.set(cf.AttrStandardName, name)
}
