package sidecar

import (
	"fmt"
	"strconv"
	"strings"
)

// parseInventory reads a line of wgrib2's form: number, offset, reference time, parameter, level,
// forecast time, more.
func parseInventory(line string) (Entry, error) {
	parts := strings.Split(line, ":")
	if len(parts) < 6 {
		return Entry{}, fmt.Errorf("%d fields between colons, expected at least 6", len(parts))
	}
	e := Entry{facts: make(map[string]string)}
	number, _, _ := strings.Cut(parts[0], ".") // of the message, then of the field in it
	var err error
	if e.number, err = strconv.Atoi(number); err != nil || e.number < 1 {
		return e, fmt.Errorf("the number of the message is %q", parts[0])
	}
	if e.Offset, err = strconv.ParseInt(parts[1], 10, 64); err != nil || e.Offset < 0 {
		return e, fmt.Errorf("the offset is %q, expected a number of bytes", parts[1])
	}
	e.reference(parts[2])
	e.params = parameters[parts[3]]
	if e.params == nil && strings.HasPrefix(parts[3], "var ") {
		e.params = numbered(parts[3])
	}
	e.surface(parts[4])
	return e, nil
}

// reference reads d=YYYYMMDDHH, minutes and seconds may follow.
func (e *Entry) reference(text string) {
	text, ok := strings.CutPrefix(text, "d=")
	if _, err := strconv.ParseUint(text, 10, 64); !ok || err != nil || len(text) < 10 {
		return
	}
	e.facts["dataDate"] = text[:8]
	hours, _ := strconv.Atoi(text[8:10]) // digits, as the whole is a number
	minutes := 0
	if len(text) >= 12 {
		minutes, _ = strconv.Atoi(text[10:12])
	}
	e.facts["dataTime"] = strconv.Itoa(100*hours + minutes)
}

// surface reads the level, where it is of a kind that is known.
func (e *Entry) surface(text string) {
	const pressure, aboveGround, aboveSea = 100, 103, 102
	if kind, ok := surfaces[text]; ok {
		e.level = &surface{kind: kind}
		e.facts["level"] = "0"
		return
	}
	number, unit, _ := strings.Cut(text, " ")
	if kind, ok := layers[unit]; ok {
		e.level = &surface{kind: kind}
		return
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return
	}
	whole := value == float64(int64(value)) && value >= 1 && value < 1e6
	switch unit {
	case "mb":
		e.level = &surface{kind: pressure}
	case "m above ground":
		e.level = &surface{aboveGround, value, true}
	case "m above mean sea level":
		e.level = &surface{aboveSea, value, true}
	default:
		return
	}
	if whole {
		e.facts["level"] = strconv.FormatInt(int64(value), 10)
	}
}

// surfaces are the levels without a value, by their names in wgrib2, with the code of WMO or NCEP.
var surfaces = map[string]int64{
	"surface": 1, "0C isotherm": 4, "max wind": 6, "tropopause": 7, "entire atmosphere": 10, "mean sea level": 101,
	"entire atmosphere (considered as a single layer)": 200, "planetary boundary layer": 220,
}

// layers are units that only one kind of level has, with its code.
var layers = map[string]int64{
	"sigma level": 104, "sigma layer": 104, "m below ground": 106, "mb above ground": 108, "hybrid level": 105,
}

// numbered reads the form of a parameter without a name: "var discipline=0 master_table=2
// parmcat=1 parm=7" with more in between.
func numbered(text string) []triple {
	var t triple
	for i, key := range []string{"discipline=", "parmcat=", "parm="} {
		_, rest, ok := strings.Cut(text, " "+key)
		if !ok {
			return nil
		}
		digits, _, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil
		}
		t[i] = n
	}
	return []triple{t}
}

// parameters are NCEP's abbreviations with discipline, category and number: of the tables of WMO,
// and of NCEP's own where numbers from 192 on were in use before WMO had one. A name that is not
// here excludes nothing.
var parameters = map[string][]triple{
	"TMP": {{0, 0, 0}}, "VTMP": {{0, 0, 1}}, "POT": {{0, 0, 2}}, "EPOT": {{0, 0, 3}}, "TMAX": {{0, 0, 4}}, "TMIN": {{0, 0, 5}},
	"DPT": {{0, 0, 6}}, "DEPR": {{0, 0, 7}}, "LAPR": {{0, 0, 8}}, "LHTFL": {{0, 0, 10}}, "SHTFL": {{0, 0, 11}}, "APTMP": {{0, 0, 21}},
	"SPFH": {{0, 1, 0}}, "RH": {{0, 1, 1}}, "MIXR": {{0, 1, 2}}, "PWAT": {{0, 1, 3}}, "PRATE": {{0, 1, 7}}, "APCP": {{0, 1, 8}},
	"NCPCP": {{0, 1, 9}}, "ACPCP": {{0, 1, 10}}, "SNOD": {{0, 1, 11}}, "WEASD": {{0, 1, 13}}, "CLWMR": {{0, 1, 22}}, "ICMR": {{0, 1, 23}},
	"RWMR": {{0, 1, 24}}, "SNMR": {{0, 1, 25}}, "GRLE": {{0, 1, 32}}, "CPOFP": {{0, 1, 39}},
	"CRAIN": {{0, 1, 33}, {0, 1, 192}}, "CFRZR": {{0, 1, 34}, {0, 1, 193}}, "CICEP": {{0, 1, 35}, {0, 1, 194}}, "CSNOW": {{0, 1, 36}, {0, 1, 195}},
	"CPRAT": {{0, 1, 37}, {0, 1, 196}},
	"WDIR":  {{0, 2, 0}}, "WIND": {{0, 2, 1}}, "UGRD": {{0, 2, 2}}, "VGRD": {{0, 2, 3}}, "STRM": {{0, 2, 4}}, "VPOT": {{0, 2, 5}},
	"VVEL": {{0, 2, 8}}, "DZDT": {{0, 2, 9}}, "ABSV": {{0, 2, 10}}, "ABSD": {{0, 2, 11}}, "RELV": {{0, 2, 12}}, "RELD": {{0, 2, 13}},
	"UFLX": {{0, 2, 17}}, "VFLX": {{0, 2, 18}}, "GUST": {{0, 2, 22}}, "VWSH": {{0, 2, 25}, {0, 2, 192}},
	"PRES": {{0, 3, 0}}, "PRMSL": {{0, 3, 1}}, "PTEND": {{0, 3, 2}}, "ICAHT": {{0, 3, 3}}, "GP": {{0, 3, 4}}, "HGT": {{0, 3, 5}},
	"DIST": {{0, 3, 6}}, "DEN": {{0, 3, 10}}, "THICK": {{0, 3, 12}}, "MSLET": {{0, 3, 192}}, "HPBL": {{0, 3, 18}, {0, 3, 196}},
	"DSWRF": {{0, 4, 7}, {0, 4, 192}}, "USWRF": {{0, 4, 8}, {0, 4, 193}}, "DLWRF": {{0, 5, 3}, {0, 5, 192}}, "ULWRF": {{0, 5, 4}, {0, 5, 193}},
	"TCDC": {{0, 6, 1}}, "LCDC": {{0, 6, 3}}, "MCDC": {{0, 6, 4}}, "HCDC": {{0, 6, 5}},
	"CAPE": {{0, 7, 6}}, "CIN": {{0, 7, 7}}, "HLCY": {{0, 7, 8}}, "TOZNE": {{0, 14, 0}}, "O3MR": {{0, 14, 1}, {0, 14, 192}}, "VIS": {{0, 19, 0}},
	"VRATE": {{0, 2, 224}}, "CWAT": {{0, 6, 6}}, "CWORK": {{0, 6, 193}}, "REFD": {{0, 16, 195}}, "REFC": {{0, 16, 196}}, "PEVPR": {{0, 1, 200}},
	"LFTX": {{0, 7, 10}, {0, 7, 192}}, "4LFTX": {{0, 7, 193}}, "5WAVH": {{0, 3, 197}}, "PLPL": {{0, 3, 200}}, "HINDEX": {{2, 4, 2}},
	"USTM": {{0, 2, 27}, {0, 2, 194}}, "VSTM": {{0, 2, 28}, {0, 2, 195}}, "TSOIL": {{2, 0, 2}, {2, 3, 18}}, "SOILW": {{2, 0, 192}, {2, 0, 25}},
	"LAND": {{2, 0, 0}}, "ICEC": {{10, 2, 0}}, "ICETK": {{10, 2, 1}}, "WTMP": {{10, 3, 0}}, "HTSGW": {{10, 0, 3}},
}
