package dataset

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/tgm"
)

// Print writes the dataset as xarray prints one: dimensions, coordinates, variables and attributes,
// a group after the other. Values of coordinates are read from fields; they are not printed if it is nil.
func (d *Dataset) Print(ctx context.Context, w io.Writer, fields Fields) error {
	out := bufio.NewWriter(w)
	p := printer{ctx: ctx, out: out, fields: fields, left: readCoordinates}
	for i, g := range d.Groups {
		if i > 0 {
			fmt.Fprintln(out)
		}
		p.listed = g.listedCoordinates()
		p.group(g)
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

// A printer prints a group.
type printer struct {
	ctx    context.Context
	out    *bufio.Writer
	fields Fields          // nil if no values are read
	left   int             // coordinates whose values are still read
	listed map[string]bool // coordinates that attributes of the group name
}

// readCoordinates is how many coordinates are read at most: each takes some requests, where files are far.
const readCoordinates = 256

// listedCoordinates are the names in the attributes coordinates of the variables, which are coordinates for xarray.
func (g *Group) listedCoordinates() map[string]bool {
	listed := make(map[string]bool)
	for _, v := range g.Variables {
		if text, ok := v.Attr(cf.AttrCoordinates).(string); ok {
			for _, name := range strings.Fields(text) {
				listed[name] = true
			}
		}
	}
	return listed
}

func (p *printer) group(g *Group) {
	out := p.out
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
	p.variables(g, "Coordinates:", true)
	p.variables(g, "Data variables:", false)
	if len(g.Attrs) > 0 {
		fmt.Fprintln(out, "Attributes:")
		for _, a := range g.Attrs {
			fmt.Fprintf(out, "    %-24s %v\n", a.Key+":", clean(fmt.Sprint(a.Value)))
		}
	}
}

// Shown returns the dimensions and the type as clients see them: of texts, and not of their bytes.
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

func (p *printer) variables(g *Group, title string, coordinates bool) {
	out := p.out
	fmt.Fprintln(out, title)
	n := 0
	for _, v := range g.Variables {
		isCoordinate := v.Coordinate || p.listed[v.Name]
		if isCoordinate != coordinates {
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
		fmt.Fprintf(out, "  %s %-24s %s%s%s\n", mark, clean(v.Name), clean(dims), kind, p.summary(v, isCoordinate))
	}
	if n == 0 {
		fmt.Fprintln(out, "    *empty*")
	}
}

// summary is the text after the type of a variable. For a coordinate that objects hold, it includes the
// values.
func (p *printer) summary(v *Variable, isCoordinate bool) string {
	text := v.Summary()
	if !isCoordinate || p.fields == nil || v.Computed() || len(v.Shape) > 1 || v.Text != NotText || v.Type().Size() == 0 || v.Type().IsComplex() {
		return text
	}
	if p.left--; p.left < 0 {
		return text
	}
	values, err := v.ends(p.ctx, p.fields)
	if err != nil || len(values) == 0 {
		return text // the reader of the values gets the error
	}
	units, _ := v.Attr(cf.AttrUnits).(string)
	calendar, _ := v.Attr(cf.AttrCalendar).(string)
	times, err := cf.ParseTimeUnits(units, calendar)
	if err != nil {
		return " " + v.wordsOf(values) + text
	}
	return " " + endsOf(values, func(x float64) string {
		if date, ok := times.Date(x); ok {
			return strings.TrimSuffix(date.String(), "Z")
		}
		return numberText(x)
	})
}

// ends reads the first and the last values.
func (v *Variable) ends(ctx context.Context, fields Fields) ([]float64, error) {
	a, err := v.Values(v.Array(ctx, fields, missingElement(v.DType)))
	if err != nil {
		return nil, err
	}
	info := a.Info()
	regions := []array.Region{info.Whole()}
	const end = shownValues + 1
	if len(info.Shape) == 1 && info.Shape[0] > 2*end {
		regions = []array.Region{{Start: []uint64{0}, Count: []uint64{end}}, {Start: []uint64{info.Shape[0] - end}, Count: []uint64{end}}}
	}
	var values []float64
	for _, r := range regions {
		data := make([]byte, r.Elements()*uint64(info.DType.Size()))
		if err := a.Read(ctx, r, data); err != nil {
			return nil, err
		}
		part, err := floats(&tgm.Array{Shape: r.Count, DType: info.DType, Data: data})
		if err != nil {
			return nil, err
		}
		values = append(values, part...)
	}
	return values, nil
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

// endsText is valuesText of many values; only the printed ones are computed.
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
func (v *Variable) wordsOf(values []float64) string { return endsOf(values, v.valueText) }

// endsOf prints the first and the last values, each as a text.
func endsOf(values []float64, text func(float64) string) string {
	var words []string
	for i, x := range values {
		if i >= shownValues && i < len(values)-shownValues {
			if i == shownValues {
				words = append(words, "...")
			}
			continue
		}
		words = append(words, text(x))
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
