package tonetcdf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/dataset"
)

// A cfVariable is a variable of a dataset as a CF file has it.
type cfVariable struct {
	of    *dataset.Variable
	name  string
	dims  []string
	attrs []dataset.Attribute

	bounded bool // bounds, or with bounds: CF had no int64 for these before 1.9
}

func (c *cfVariable) attr(key string) string {
	for _, a := range c.attrs {
		if a.Key == key {
			text, _ := a.Value.(string)
			return text
		}
	}
	return ""
}

// set sets an attribute in its place, or takes it away if the value is empty.
func (c *cfVariable) set(key, value string) {
	i := slices.IndexFunc(c.attrs, func(a dataset.Attribute) bool { return a.Key == key })
	switch {
	case i >= 0 && value == "":
		c.attrs = slices.Delete(c.attrs, i, i+1)
	case i >= 0:
		c.attrs[i].Value = value
	case value != "":
		c.attrs = append(c.attrs, dataset.Attribute{Key: key, Value: value})
	}
}

// cfVariables makes the variables of a group fit the conventions: names of letters, digits and
// underscores, bounds that belong to a coordinate, units that UDUNITS knows, standard names that go
// with them.
func cfVariables(vars []*dataset.Variable) []*cfVariable {
	list := make([]*cfVariable, len(vars))
	renamed := make(map[string]string, len(vars))
	taken := make(map[string]bool, len(vars))
	for i, v := range vars {
		list[i] = &cfVariable{of: v, dims: slices.Clone(v.Dims), attrs: slices.Clone(v.Attrs)}
		name := cf.VariableName(v.Name)
		for n := 1; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", cf.VariableName(v.Name), n)
		}
		taken[name] = true
		list[i].name, renamed[v.Name] = name, name
	}
	analysed := allZero(vars)
	for _, c := range list {
		c.rename(renamed)
		c.fixUnits()
		c.fixLevels()
		c.describe()
		if analysed && c.attr(cf.AttrStandardName) == "forecast_reference_time" {
			c.set(cf.AttrStandardName, "time") // the time of validity has it as well
		}
		c.addMetadata()
	}
	return linkBounds(list)
}

// asTheyAre are variables with the names and attributes that they had in a file.
func asTheyAre(vars []*dataset.Variable) []*cfVariable {
	list := make([]*cfVariable, len(vars))
	for i, v := range vars {
		list[i] = &cfVariable{of: v, name: v.Name, dims: slices.Clone(v.Dims), attrs: slices.Clone(v.Attrs)}
	}
	return list
}

// allZero reports whether the steps of all fields are 0.
func allZero(vars []*dataset.Variable) bool {
	for _, v := range vars {
		if v.Attr(cf.AttrStandardName) != "forecast_period" {
			continue
		}
		data, err := v.Data()
		if err != nil || slices.ContainsFunc(data, func(b byte) bool { return b != 0 }) {
			return false
		}
	}
	return true
}

// fixLevels leaves out standard names of levels that need an absent formula. It also leaves out a formula
// without the pressure of the surface.
func (c *cfVariable) fixLevels() {
	if strings.Contains(c.attr(cf.AttrFormulaTerms), "ps: ") {
		return
	}
	c.set(cf.AttrFormulaTerms, "")
	switch c.attr(cf.AttrStandardName) {
	case "atmosphere_hybrid_sigma_pressure_coordinate":
		c.set(cf.AttrStandardName, "model_level_number")
	case "atmosphere_sigma_coordinate":
		c.set(cf.AttrStandardName, "")
	}
}

// describe gives variables and levels without a long name one made of their names. Levels whose
// direction is not known are no vertical axis in the sense of CF, which are pressures or have a
// direction.
func (c *cfVariable) describe() {
	level := c.attr(cf.AttrAxis) == "Z"
	if units := c.attr(cf.AttrUnits); level && c.attr(cf.AttrPositive) == "" && units != "Pa" && units != "hPa" {
		c.set(cf.AttrAxis, "")
		if units == "" {
			c.set(cf.AttrUnits, "1")
		}
	}
	if (level || !c.of.Coordinate) && c.attr(cf.AttrLongName) == "" && c.attr(cf.AttrStandardName) == "" {
		c.set(cf.AttrLongName, c.of.Name)
	}
}

// addMetadata adds the attribute that CF-1.11 requires for units with several meanings.
func (c *cfVariable) addMetadata() {
	units := c.attr(cf.AttrUnits)
	switch {
	case strings.Contains(units, " since "):
		c.set("units_metadata", "leap_seconds: none")
	case strings.Contains(c.attr(cf.AttrStandardName), "temperature") && (units == "K" || units == "degC"):
		c.set("units_metadata", "temperature: on_scale")
	}
}

// rename uses the names that variables have in the file.
func (c *cfVariable) rename(renamed map[string]string) {
	for i, dim := range c.dims {
		if name := renamed[dim]; name != "" {
			c.dims[i] = name
		} else {
			c.dims[i] = cf.VariableName(dim)
		}
	}
	for i, a := range c.attrs {
		text, ok := a.Value.(string)
		if !ok || !cf.NamesVariables(a.Key) && a.Key != cf.AttrCellMethods {
			continue
		}
		words := strings.Split(text, " ")
		for k, word := range words {
			plain := strings.TrimSuffix(word, ":")
			if name := renamed[plain]; name != "" {
				words[k] = name + word[len(plain):]
			}
		}
		c.attrs[i].Value = strings.Join(words, " ")
	}
}

// linkBounds gives the bounds of windows to the coordinates that they belong to. A second window
// along the same steps gets a coordinate of its own.
func linkBounds(list []*cfVariable) []*cfVariable {
	byName := make(map[string]*cfVariable, len(list))
	for _, c := range list {
		byName[c.name] = c
	}
	owner := make(map[string]*cfVariable) // of bounds that coordinates attributes name
	var made []*cfVariable
	for _, c := range list {
		words := strings.Fields(c.attr(cf.AttrCoordinates))
		kept := words[:0]
		for _, word := range words {
			b := byName[word]
			axis, window, ok := strings.Cut(word, "_bounds")
			if b == nil || !ok || byName[axis] == nil || !slices.Contains(b.dims, "bounds") {
				kept = append(kept, word)
				continue
			}
			x := owner[word]
			if x == nil {
				if x = byName[axis]; x.attr(cf.AttrBounds) != "" {
					x = x.copyAs(axis+window, byName)
					made = append(made, x)
				}
				x.set(cf.AttrBounds, word)
				x.bounded, b.bounded = true, true
				b.set(cf.AttrUnits, "") // the coordinate has them
				b.set("dtype", "")
				owner[word] = x
			}
			if x.name != axis {
				kept = slices.DeleteFunc(kept, func(w string) bool { return w == axis })
				kept = append(kept, x.name)
				if !slices.Contains(c.dims, axis) {
					c.set(cf.AttrCellMethods, strings.ReplaceAll(c.attr(cf.AttrCellMethods), axis+":", x.name+":"))
				}
			}
		}
		c.set(cf.AttrCoordinates, strings.Join(kept, " "))
	}
	for _, c := range list {
		c.methods(byName)
		c.nameMethods(byName)
	}
	return append(list, made...)
}

// copyAs is the coordinate under another name.
func (c *cfVariable) copyAs(name string, byName map[string]*cfVariable) *cfVariable {
	unique := name
	for n := 1; byName[unique] != nil; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	x := &cfVariable{of: c.of, name: unique, dims: c.dims, attrs: slices.Clone(c.attrs)}
	x.set(cf.AttrAxis, "")
	byName[unique] = x
	return x
}

// methods notes for a field of instants that the bounds of its steps mean nothing for it.
func (c *cfVariable) methods(byName map[string]*cfVariable) {
	if c.of.Coordinate || c.attr(cf.AttrCellMethods) != "" {
		return
	}
	for _, name := range slices.Concat(c.dims, strings.Fields(c.attr(cf.AttrCoordinates))) {
		x := byName[name]
		if x == nil || x.attr(cf.AttrBounds) == "" {
			continue
		}
		if standard := x.attr(cf.AttrStandardName); standard == "forecast_period" || standard == "time" {
			c.set(cf.AttrCellMethods, name+": point")
			return
		}
	}
}

// nameMethods calls scalar coordinates in cell_methods by their standard names: CF allows both, the
// checker cfchecks knows dimensions and standard names only.
func (c *cfVariable) nameMethods(byName map[string]*cfVariable) {
	words := strings.Fields(c.attr(cf.AttrCellMethods))
	names := strings.Fields(c.attr(cf.AttrCoordinates))
	standard := func(name string) string {
		if x := byName[name]; x != nil {
			return x.attr(cf.AttrStandardName)
		}
		return ""
	}
	for i, word := range words {
		name, isName := strings.CutSuffix(word, ":")
		of := standard(name)
		if !isName || of == "" || slices.Contains(c.dims, name) || !slices.Contains(names, name) {
			continue
		}
		alike := func(other string) bool { return other != name && standard(other) == of }
		if !slices.ContainsFunc(names, alike) && !slices.ContainsFunc(c.dims, alike) {
			words[i] = of + ":"
		}
	}
	if len(words) > 0 {
		c.set(cf.AttrCellMethods, strings.Join(words, " "))
	}
}
