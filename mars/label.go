package mars

import (
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
)

// unknownUnits are the units of parameters that have none in the database.
const unknownUnits = "~"

// LabelOf returns the label of a field. Names and units that the entry lacks come from the parameter's entry in
// the database.
func LabelOf(e mapping.Entry) mapping.Label {
	l := e.Label()
	l.Name = e.Name(ShortName)
	p, ok := paramOf(e)
	if !ok {
		return l
	}
	if l.LongName == "" {
		l.LongName = p.Name
	}
	if l.StandardName == "" {
		l.StandardName = p.CFName
	}
	if l.Units == "" {
		l.Units = p.units()
	}
	return l
}

// UnitsOf returns the units of the label of a field.
func UnitsOf(e mapping.Entry) string {
	units := e.Units()
	if units == "" {
		p, _ := paramOf(e)
		units = p.units()
	}
	return units
}

// Described returns the entry of the database for a parameter, under the keys of base[i]. These are units, long_name and,
// if any, standard_name. It is empty for a number that the database does not have.
func Described(id int64) map[string]string {
	p, ok := LookupParam(int(id))
	if !ok || id != int64(p.ID) {
		return nil
	}
	said := make(map[string]string, 3)
	for key, text := range map[string]string{mapping.KeyUnits: p.units(), mapping.KeyLongName: p.Name, mapping.KeyStandardName: p.CFName} {
		if text != "" {
			said[key] = text
		}
	}
	return said
}

// units are the units of a parameter, "" if the database has none.
func (p *Param) units() string {
	if p.Units == unknownUnits {
		return ""
	}
	return p.Units
}

// paramOf is the parameter of a field in the database.
func paramOf(e mapping.Entry) (Param, bool) {
	id, ok := ParamOf(e)
	if !ok {
		return Param{}, false
	}
	return LookupParam(int(id))
}

// ParamName returns the long name that the database has for the parameter of a field, "" if it has none.
func ParamName(e mapping.Entry) string {
	p, _ := paramOf(e)
	return p.Name
}

// ParamOf returns the number of a field's parameter in the database. ECMWF's tables of edition 1, written as
// 130.128 in MARS, are part of these numbers; another centre's parameter has another name.
func ParamOf(e mapping.Entry) (int64, bool) {
	v := e.MARS()["param"]
	if id, ok := e.Lookup("paramId"); ok {
		v = id
	}
	text, ok := v.(string)
	if !ok {
		return mapping.Int(v)
	}
	number, table, inTable := strings.Cut(text, ".")
	id, err := strconv.ParseInt(number, 10, 64)
	if !inTable || err != nil {
		return id, err == nil
	}
	t, err := strconv.ParseInt(table, 10, 32)
	if t != 128 {
		id += 1000 * t
	}
	p, ok := LookupParam(int(id))
	return id, err == nil && ok && p.ShortName == e.Name(nil)
}

// KnownOf returns the labels of an object that its metadata give.
func KnownOf(e mapping.Entry) mapping.Known {
	k := mapping.Known{Entry: e, Label: func() mapping.Label { return LabelOf(e) }}
	if e.MARS() != nil {
		NameParam(&k, func() mapping.Entry { return e })
	}
	return k
}

// NameParam lets k know an object by the names of its parameter. The metadata that described returns
// have its number.
func NameParam(k *mapping.Known, described func() mapping.Entry) {
	k.Parameter = func() string { return ParamName(described()) }
	k.Variable = func() string { id, _ := ParamOf(described()); return VarName(id) }
}
