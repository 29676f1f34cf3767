package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
)

// changeFlags are the flags that say which part of a labelled dataset is shown, and under which names.
type changeFlags struct {
	sel, drop, variables, renames []string
	bbox                          string
	dtype                         string
}

// register adds the flags, without --variable where a command has one of its own.
func (f *changeFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.sel, "sel", nil, "choose by labels, such as time=2020-01-02,level=500/850,lat=40:60,lon=-10:20 (repeatable)")
	flags.StringVar(&f.bbox, "bbox", "", "crop to an area in degrees: NORTH/WEST/SOUTH/EAST, such as 60/-10/40/20")
	if flags.Lookup("variable") == nil {
		flags.StringSliceVar(&f.variables, "variable", nil, "only these variables, with their coordinates (joined by commas)")
	}
	flags.StringSliceVar(&f.drop, "drop", nil, "leave out these variables (joined by commas)")
	flags.StringSliceVar(&f.renames, "rename", nil, "give variables and dimensions other names: OLD=NEW (joined by commas)")
}

// registerType adds the flag that says of which type values are shown.
func (f *changeFlags) registerType(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dtype, "dtype", dtypeSource, "type of float64 variables: source, or float32")
	completeWords(cmd, "dtype", []string{dtypeSource, dtypeSingle})
}

// The values of --dtype.
const (
	dtypeSource = "source"
	dtypeSingle = "float32"
)

// changeFlagNames are the names of what register adds.
func changeFlagNames() []string { return []string{"sel", "bbox", "variable", "drop", "rename"} }

// change is what the flags ask for.
func (f *changeFlags) change() (c dataset.Change, err error) {
	if c.Select, err = dataset.ParseSelectors(f.sel); err != nil {
		return c, usagef("--sel %w", err)
	}
	if f.bbox != "" {
		area, err := parseArea(f.bbox)
		if err != nil {
			return c, err
		}
		c.Select = append(c.Select, area...)
	}
	c.Variables, c.Drop = f.variables, f.drop
	if f.dtype != "" {
		if err := oneOf("dtype", f.dtype, []string{dtypeSource, dtypeSingle}); err != nil {
			return c, err
		}
		c.Single = f.dtype == dtypeSingle
	}
	for _, text := range f.renames {
		old, name, ok := strings.Cut(text, "=")
		if old, name = strings.TrimSpace(old), strings.TrimSpace(name); !ok || old == "" || name == "" || strings.Contains(name, "/") {
			return c, usagef("--rename is %q, expected OLD=NEW", text)
		}
		c.Rename = append(c.Rename, [2]string{old, name})
	}
	return c, nil
}

// parseArea reads the value of --bbox.
func parseArea(text string) ([]dataset.Selector, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ',' })
	var numbers [4]float64
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || i >= len(numbers) {
			return nil, usagef("--bbox is %q, expected NORTH/WEST/SOUTH/EAST in degrees", text)
		}
		numbers[i] = v
	}
	north, south := numbers[0], numbers[2]
	if len(parts) != len(numbers) || !(south >= -90 && south <= north && north <= 90) {
		return nil, usagef("--bbox is %q, expected NORTH/WEST/SOUTH/EAST in degrees, such as 60/-10/40/20", text)
	}
	span := func(from, to string) []string { return []string{strings.TrimSpace(from) + ":" + strings.TrimSpace(to)} }
	return []dataset.Selector{{Key: "lat", Items: span(parts[2], parts[0])}, {Key: "lon", Items: span(parts[1], parts[3])}}, nil
}

// String tells flags apart that make other datasets of the same inputs.
func (f *changeFlags) String() string {
	narrow := ""
	if f.dtype == dtypeSingle {
		narrow = "|" + f.dtype
	}
	if len(f.sel)+len(f.bbox)+len(f.variables)+len(f.drop)+len(f.renames) == 0 {
		return narrow
	}
	return strings.Join([]string{strings.Join(f.sel, ","), f.bbox, strings.Join(f.variables, ","), strings.Join(f.drop, ","), strings.Join(f.renames, ",")}, "|") + narrow
}
