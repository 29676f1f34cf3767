package dataset

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/cf"
)

// Print writes the dataset as xarray prints one: dimensions, coordinates, variables and attributes,
// a group after the other.
func (d *Dataset) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, g := range d.Groups {
		if i > 0 {
			fmt.Fprintln(out)
		}
		g.print(out)
	}
	for _, line := range d.Report.Splits() {
		fmt.Fprintf(out, "\n%s\n", line)
	}
	if line := d.Report.Apart(); line != "" {
		fmt.Fprintf(out, "\n%s\n", clean(line))
	}
	for _, line := range d.Report.Notes() {
		fmt.Fprintf(out, "\n%s\n", clean(line))
	}
	if n := d.Report.Duplicates(); n > 0 {
		fmt.Fprintf(out, "\n%d objects are hidden by others at the same position\n", n)
	}
	return out.Flush()
}

func (g *Group) print(out *bufio.Writer) {
	name := "/" + g.Name
	var dims []string
	seen := make(map[string]bool)
	for _, v := range g.Variables {
		shown, _ := v.Shown()
		for i, dim := range shown {
			if !seen[dim] {
				seen[dim] = true
				dims = append(dims, fmt.Sprintf("%s: %d", dim, v.Shape[i]))
			}
		}
	}
	fmt.Fprintf(out, "Group %s\nDimensions:  (%s)\n", name, strings.Join(dims, ", "))
	g.printVariables(out, "Coordinates:", true)
	g.printVariables(out, "Data variables:", false)
	if len(g.Attrs) > 0 {
		fmt.Fprintln(out, "Attributes:")
		for _, a := range g.Attrs {
			fmt.Fprintf(out, "    %-24s %v\n", a.Key+":", clean(fmt.Sprint(a.Value)))
		}
	}
}

// Shown returns the dimensions and the type as clients see them: for texts, those of the texts and
// not of their bytes.
func (v *Variable) Shown() (dims []string, kind string) {
	last := len(v.Dims) - 1
	switch {
	case v.Text == NotText || last < 0:
		return v.Dims, v.Type().String()
	case v.Text == TextCharacters:
		return v.Dims, "S1"
	case v.Text == TextBytes:
		return v.Dims[:last], fmt.Sprintf("S%d", v.Shape[last])
	}
	return v.Dims[:last], "string"
}

func (g *Group) printVariables(out *bufio.Writer, title string, coordinates bool) {
	fmt.Fprintln(out, title)
	n := 0
	for _, v := range g.Variables {
		if v.Coordinate != coordinates {
			continue
		}
		n++
		mark := " "
		if dims := v.shownDims(); len(dims) == 1 && dims[0] == v.Name {
			mark = "*"
		}
		shown, kind := v.Shown()
		dims := ""
		if len(shown) > 0 {
			dims = "(" + strings.Join(shown, ", ") + ") "
		}
		fmt.Fprintf(out, "  %s %-24s %s%s%s\n", mark, clean(v.Name), clean(dims), kind, v.Summary())
	}
	if n == 0 {
		fmt.Fprintln(out, "    *empty*")
	}
}

// Summary returns a short description for a line of a listing: the values of a coordinate, the
// units of another variable.
func (v *Variable) Summary() string {
	if v.Computed() && len(v.Dims) < 2 && v.Name != crsName {
		if text, err := v.valuesText(); err == nil {
			return " " + text
		}
	}
	text := ""
	if units, ok := v.Attr(cf.AttrUnits).(string); ok {
		text = " [" + clean(units) + "]"
	}
	holes := 0
	for _, ref := range v.refs {
		if ref < 0 {
			holes++
		}
	}
	if holes > 0 {
		text += fmt.Sprintf(" (%d of %d fields)", len(v.refs)-holes, len(v.refs))
	}
	return text
}

// shownValues is the number of values at each end of a coordinate that are printed.
const shownValues = 3

func (v *Variable) valuesText() (string, error) {
	if v.RegionShape() != nil {
		return v.endsText()
	}
	data, err := v.Data()
	if err != nil {
		return "", err
	}
	values, err := floats(v.array(data))
	if err != nil {
		return "", err
	}
	return v.wordsOf(values), nil
}

// endsText is valuesText of many values, of which only those that are printed are computed.
func (v *Variable) endsText() (string, error) {
	var ends []float64
	for _, start := range []uint64{0, v.Shape[0] - shownValues - 1} {
		data, err := v.Region([]uint64{start}, []uint64{shownValues + 1})
		if err != nil {
			return "", err
		}
		values, err := floats(v.array(data))
		if err != nil {
			return "", err
		}
		ends = append(ends, values...)
	}
	return v.wordsOf(ends), nil
}

// wordsOf prints the first and the last values.
func (v *Variable) wordsOf(values []float64) string {
	var words []string
	for i, x := range values {
		if i >= shownValues && i < len(values)-shownValues {
			if i == shownValues {
				words = append(words, "...")
			}
			continue
		}
		words = append(words, v.valueText(x))
	}
	return strings.Join(words, " ")
}

func (v *Variable) valueText(x float64) string {
	units, _ := v.Attr(cf.AttrUnits).(string)
	switch {
	case strings.HasPrefix(units, "seconds since 1970"):
		return time.Unix(int64(x), 0).UTC().Format("2006-01-02T15:04:05")
	case v.Attr("dtype") == "timedelta64[ns]":
		return durationText(x)
	}
	return numberText(x)
}

// clean makes one line of a text from a file, without control characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// String returns the name, dimensions and type of the variable: "t2m (latitude, longitude) float64".
func (v *Variable) String() string {
	dims, kind := v.Shown()
	return fmt.Sprintf("%s (%s) %s", v.Name, strings.Join(dims, ", "), kind)
}
