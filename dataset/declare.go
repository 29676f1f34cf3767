package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/mapping"
)

// Words for the choices, in the order of their constants.
var (
	nameWords      = []string{"cfgrib", "earthkit", mapping.KeyCF, "short"}
	timeWords      = []string{"forecast", "valid"}
	duplicateWords = []string{"last", "first", "error"}
)

// String returns the word for a style of names.
func (n Names) String() string { return nameWords[n] }

// String returns the word for a choice of dimensions.
func (t Time) String() string { return timeWords[t] }

// String returns the word for a choice among fields.
func (d Duplicates) String() string { return duplicateWords[d] }

// DeclareNames adds the settings of names and dimensions.
func (o *Options) DeclareNames(s *option.Set) {
	option.Choice(s, "names", &o.Names, nameWords, "names of dimensions and variables: cfgrib (t2m, time, step), short (2t), earthkit or cf")
	option.Choice(s, "time", &o.Time, timeWords, "dimensions of time: forecast (time and step) or valid (valid_time)")
}

// Declare adds the settings of labels: DeclareNames, and which combinations are there.
func (o *Options) Declare(s *option.Set) {
	o.DeclareNames(s)
	option.Choice(s, "duplicates", &o.Duplicates, duplicateWords, "which of several fields at one position is shown: last, first, or error")
	o.MinFill = leastFilled
	s.Add(option.Option{Name: "min-fill", Value: &o.MinFill, Help: "split a variable if less than this part of all combinations of its labels exists"}, func() error {
		if o.MinFill <= 0 || o.MinFill > 1 {
			return fmt.Errorf("is %v, expected a number above 0, at most 1", o.MinFill)
		}
		return nil
	})
}

// Declare adds the settings that choose a part of a dataset, and names.
func (c *Change) Declare(s *option.Set) {
	var chosen, renames []string
	var area string
	s.Each("sel", &chosen, "choose by labels, such as time=2020-01-02,level=500/850,lat=40:60,lon=-10:20 (repeatable)")
	s.Text("bbox", &area, "crop to an area in degrees: NORTH/WEST/SOUTH/EAST, such as 60/-10/40/20")
	if !s.Has("variable") {
		s.List("variable", &c.Variables, "only these variables, with their coordinates (joined by commas)")
	}
	s.List("drop", &c.Drop, "leave out these variables (joined by commas)")
	s.List("rename", &renames, "give variables and dimensions other names: OLD=NEW (joined by commas)")
	s.Check(func() (err error) {
		if c.Select, err = ParseSelectors(chosen); err != nil {
			return fmt.Errorf("--sel %w", err)
		}
		if area != "" {
			box, err := parseArea(area)
			if err != nil {
				return err
			}
			c.Select = append(c.Select, box...)
		}
		c.Rename, err = parseRenames(renames)
		return err
	})
}

// DeclareType adds the setting of the type of values.
func (c *Change) DeclareType(s *option.Set) {
	const source, single = "source", "float32"
	chosen := source
	s.Word("dtype", &chosen, []string{source, single}, "type of float64 variables: source, or float32")
	s.Check(func() error {
		c.Single = chosen == single
		return nil
	})
}

// String is empty for no change, and tells others apart.
func (c *Change) String() string {
	narrow := ""
	if c.Single {
		narrow = "|float32"
	}
	if all := *c; all.only().IsZero() {
		return narrow
	}
	var chosen, renamed []string
	for _, s := range c.Select {
		chosen = append(chosen, s.String())
	}
	for _, r := range c.Rename {
		renamed = append(renamed, r[0]+"="+r[1])
	}
	parts := [][]string{chosen, nil, c.Variables, c.Drop, renamed}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = strings.Join(p, ",")
	}
	return strings.Join(texts, "|") + narrow
}

// only is the change without the change of types.
func (c Change) only() *Change {
	c.Single = false
	return &c
}

// parseRenames reads OLD=NEW.
func parseRenames(texts []string) (list [][2]string, err error) {
	for _, text := range texts {
		old, name, ok := strings.Cut(text, "=")
		if old, name = strings.TrimSpace(old), strings.TrimSpace(name); !ok || old == "" || name == "" || strings.Contains(name, "/") {
			return nil, fmt.Errorf("--rename is %q, expected OLD=NEW", text)
		}
		list = append(list, [2]string{old, name})
	}
	return list, nil
}

// parseArea reads NORTH/WEST/SOUTH/EAST.
func parseArea(text string) ([]Selector, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ',' })
	var numbers [4]float64
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || i >= len(numbers) {
			return nil, fmt.Errorf("--bbox is %q, expected NORTH/WEST/SOUTH/EAST in degrees", text)
		}
		numbers[i] = v
	}
	north, south := numbers[0], numbers[2]
	if len(parts) != len(numbers) || !(south >= -90 && south <= north && north <= 90) {
		return nil, fmt.Errorf("--bbox is %q, expected NORTH/WEST/SOUTH/EAST in degrees, such as 60/-10/40/20", text)
	}
	span := func(from, to string) []string { return []string{strings.TrimSpace(from) + ":" + strings.TrimSpace(to)} }
	return []Selector{{Key: "lat", Items: span(parts[2], parts[0])}, {Key: "lon", Items: span(parts[1], parts[3])}}, nil
}
