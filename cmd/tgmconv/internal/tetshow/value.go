package tetshow

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/internal/tetquery"
)

// count is the number of values that are shown, and of all.
func count(r *tetquery.Value, limit int64) (shown, all int64) {
	all = int64(len(r.Data)) / r.DType.Size()
	if limit > 0 {
		return min(all, limit), all
	}
	return all, all
}

// Table writes a line for each value, which begins with the position of the value. It writes at most limit lines if
// limit is not 0. It returns the error of writing to out.
func Table(out *bufio.Writer, r *tetquery.Value, limit int64) error {
	title := r.Op
	if title == "" {
		title = r.Dataset.Name
	}
	columns := make([]column, len(r.Axes))
	for i, axis := range r.Axes {
		columns[i] = columnOf(r, axis)
		fmt.Fprintf(out, "%-*s  ", columns[i].width, columns[i].name)
	}
	fmt.Fprintln(out, title)
	shown, all := count(r, limit)
	at := make([]int64, len(r.Shape))
	var line []byte
	for i := range shown {
		line = line[:0]
		for axis, c := range columns {
			line = fmt.Appendf(line, "%-*s  ", c.width, c.text(at[axis]))
		}
		line = append(r.AppendText(line, i), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
		nd.Next(at, r.Shape)
	}
	if shown < all {
		fmt.Fprintf(out, "(%d of %d values)\n", shown, all)
	}
	return nil
}

// A column is the axis of a table.
type column struct {
	name   string
	width  int
	labels []string
	start  int64
	step   int64
}

func columnOf(r *tetquery.Value, axis int) column {
	g := r.Ranges[axis]
	c := column{name: r.AxisName(axis), labels: r.Labels(axis), start: g.Start, step: g.Step}
	c.width = max(len(c.name), len(strconv.FormatInt(g.Stop-1, 10)))
	for _, label := range c.labels {
		c.width = max(c.width, len(label))
	}
	return c
}

// text is the label of a position of the result, or its number in the dataset.
func (c column) text(i int64) string {
	if c.labels != nil {
		return safetext.Line(c.labels[i])
	}
	return strconv.FormatInt(c.start+i*c.step, 10)
}

// JSON writes the values with their query, at most limit if that is not 0.
func JSON(out *bufio.Writer, r *tetquery.Value, limit int64) error {
	fmt.Fprint(out, "{\n")
	for _, f := range valueFields(r) {
		text, err := jsonText(f.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %q: %s,\n", f.key, text)
	}
	fmt.Fprint(out, `  "values": [`)
	shown, all := count(r, limit)
	var text []byte
	for i := range shown {
		if text = text[:0]; i > 0 {
			text = append(text, ", "...)
		}
		n := len(text)
		text = r.AppendText(text, i)
		if c := text[len(text)-1]; c < '0' || c > '9' { // NaN, +Inf, -Inf: JSON has no number for them
			text = append(text[:n], "null"...)
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "],\n  \"truncated\": %v\n}\n", shown < all)
	return nil
}

// valueFields describe a result.
func valueFields(r *tetquery.Value) []field {
	dims, start, step := []string{}, []int64{}, []int64{}
	labels := map[string][]string{}
	for _, axis := range r.Axes {
		name := r.AxisName(axis)
		dims = append(dims, name)
		start, step = append(start, r.Ranges[axis].Start), append(step, r.Ranges[axis].Step)
		if list := r.Labels(axis); list != nil {
			labels[name] = list
		}
	}
	fields := []field{
		{"dataset", r.Dataset.Name}, {"dtype", r.DType.String()}, {"dims", dims}, {"shape", append([]int64{}, r.Shape...)},
		{"start", start}, {"step", step}, {"labels", labels}, {"chunks", r.Chunks}, {"memory_budget_bytes", r.Budget},
	}
	if r.Op != "" {
		fields = append(fields, field{"reduce", r.Op}, field{"reduced_axes", r.Reduced})
	}
	return fields
}
