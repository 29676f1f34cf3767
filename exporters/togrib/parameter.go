package togrib

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// A parameter is one of ecCodes' database, with how the values of a file become values in its unit.
type parameter struct {
	mars.Param
	scale, offset float64
}

// parameterOf returns the parameter of a netCDF variable. It is the parameter that cfgrib or ecCodes noted in
// its attributes, else a parameter with its standard name and a unit that its values can have. Settings come
// before both.
func (s *Slicer) parameterOf(f *look.Field) (*parameter, error) {
	standardName, _ := f.Attributes[cf.AttrStandardName].(string)
	standardName = strings.TrimSpace(standardName)
	candidates, err := s.candidates(f, standardName)
	switch {
	case err != nil:
		return nil, err
	case len(candidates) == 0 && standardName == "":
		return nil, errors.New("the variable has no standard name: set paramId or shortName, and the centre of a parameter that is local")
	case len(candidates) == 0:
		return nil, fmt.Errorf("%q is the standard name of no GRIB parameter: set paramId or shortName, and the centre of a parameter that is local", standardName)
	}
	var best *parameter
	for _, p := range candidates {
		scale, offset, ok := conversion(f.Units, p.Units)
		if !ok {
			continue
		}
		q := &parameter{p, scale, offset}
		if best == nil || compareParameters(f, q, best) < 0 {
			best = q
		}
	}
	if best == nil {
		return nil, fmt.Errorf("units are %q, expected the units of %s: %q", f.Units, candidates[0].Name, candidates[0].Units)
	}
	return best, nil
}

// candidates returns the parameters that a variable may be of.
func (s *Slicer) candidates(f *look.Field, standardName string) ([]mars.Param, error) {
	id, ok := mapping.Int(f.Attributes["GRIB_paramId"])
	source := "GRIB_paramId"
	if text := s.set["paramId"]; text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		id, ok, source = n, err == nil, "paramId"
	} else if name := s.set["shortName"]; name != "" {
		return s.called(name)
	}
	if ok && id > 0 {
		p, known := mars.LookupParam(int(id))
		if !known {
			return nil, fmt.Errorf("%s is %d, which is not known", source, id)
		}
		return []mars.Param{p}, nil
	}
	names := [3]string{standardName, f.Name, f.LongName}
	list, known := s.named[names]
	if !known {
		list = named(f, standardName)
		s.named[names] = list
	}
	return list, nil
}

// called returns the parameters with a short name.
func (s *Slicer) called(shortName string) ([]mars.Param, error) {
	names := [3]string{2: shortName}
	list, known := s.named[names]
	if !known {
		for _, p := range mars.Params() {
			if p.ShortName == shortName {
				list = append(list, p)
			}
		}
		s.named[names] = list
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("shortName is %q, which is not known", shortName)
	}
	return list, nil
}

// named returns the parameters with a standard name. For a variable without, they are the parameters with its
// name and long name.
func named(f *look.Field, standardName string) []mars.Param {
	var list []mars.Param
	for _, p := range mars.Params() {
		if standardName != "" && p.CFName == standardName ||
			(standardName == "" || standardName == "unknown") && sameName(f, &p) && strings.EqualFold(f.LongName, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// sameName reports whether a variable has the short name of a parameter. The name may be changed to begin
// with a letter: t2m is 2t.
func sameName(f *look.Field, p *mars.Param) bool {
	name := strings.ToLower(path.Base(f.Name))
	short := strings.ToLower(p.ShortName)
	if short == "" || name == short {
		return short != ""
	}
	letters := strings.TrimLeft(short, "0123456789")
	digits := short[:len(short)-len(letters)]
	return digits != "" && (name == letters+digits || name == letters+digits+"m")
}

// compareParameters orders parameters of one standard name: a negative result means that a suits
// the variable better than b.
func compareParameters(f *look.Field, a, b *parameter) int {
	rank := func(p *parameter) []int {
		height := strings.TrimRight(p.ShortName, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
		atHeight := f.LevelType == "heightAboveGround" && f.Level.Known && height == fmt.Sprint(f.Level.Value)
		return []int{
			no(sameName(f, &p.Param)), no(atHeight), no(height == "" || atHeight), no(p.scale == 1 && p.offset == 0),
			no(p.ID < 1000), len(p.ShortName), p.ID,
		}
	}
	return slices.CompareFunc(rank(a), rank(b), cmp.Compare[int])
}

func no(yes bool) int {
	if yes {
		return 0
	}
	return 1
}

// conversions are how values in the unit before the arrow become values in the unit after it.
var conversions = map[[2]string][2]float64{
	{"hpa", "pa"}: {100, 0}, {"mbar", "pa"}: {100, 0}, {"degc", "k"}: {1, 273.15}, {"k", "degc"}: {1, -273.15},
	{"%", "1"}: {0.01, 0}, {"1", "%"}: {100, 0}, {"mm", "m"}: {0.001, 0}, {"cm", "m"}: {0.01, 0}, {"km", "m"}: {1000, 0},
	{"1", "kg kg-1"}: {1, 0}, {"mm", "kg m-2"}: {1, 0}, {"m", "kg m-2"}: {1000, 0}, {"kg m-2", "m"}: {0.001, 0}, {"g kg-1", "kg kg-1"}: {0.001, 0},
}

// conversion returns how values in the unit of a file become values in the unit of a parameter.
func conversion(from, to string) (scale, offset float64, ok bool) {
	from, to = plainUnit(from), plainUnit(to)
	if from == to || from == "1" && strings.HasPrefix(to, "(code table") {
		return 1, 0, from != ""
	}
	c, ok := conversions[[2]string{from, to}]
	return c[0], c[1], ok
}

// unitNames are other names of units.
var unitNames = map[string]string{
	"(0 - 1)": "1", "0-1": "1", "proportion": "1", "fraction": "1", "percent": "%", "gpm": "m", "m of water equivalent": "m", "metre": "m",
	"metres": "m", "meter": "m", "meters": "m", "celsius": "degc", "c": "degc", "deg c": "degc", "deg_c": "degc", "degree_celsius": "degc",
	"degrees_celsius": "degc", "degreec": "degc", "kelvin": "k", "degk": "k", "pascal": "pa", "mb": "mbar", "millibar": "mbar", "millibars": "mbar",
	"millimeter": "mm", "millimetre": "mm", "m/s": "m s-1", "kg/kg": "kg kg-1", "g/kg": "g kg-1", "w/m2": "w m-2", "j/m2": "j m-2", "pa/s": "pa s-1",
	"1/s": "s-1", "kg/m2": "kg m-2", "m2/s2": "m2 s-2",
}

// plainUnit returns a unit in one spelling.
func plainUnit(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.NewReplacer("**", "", "^", "").Replace(text)
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), ".", " ")
	if name, ok := unitNames[text]; ok {
		return name
	}
	return text
}
