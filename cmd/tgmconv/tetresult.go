package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tgmconv/tgmconv/internal/safetext"
)

// count is the number of values that are shown, and of all.
func (q *tetQuery) count(r *tetResult) (shown, all int64) {
	all = int64(len(r.Data)) / r.DType.Size()
	if q.limit > 0 {
		return min(all, q.limit), all
	}
	return all, all
}

// writeTable writes a line a value, after the positions that it belongs to.
func (q *tetQuery) writeTable(cmd *cobra.Command, r *tetResult) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	title := r.op
	if title == "" {
		title = r.dataset.Name
	}
	columns := make([]tetColumn, len(r.axes))
	for i, axis := range r.axes {
		columns[i] = r.column(axis)
		fmt.Fprintf(out, "%-*s  ", columns[i].width, columns[i].name)
	}
	fmt.Fprintln(out, title)
	shown, all := q.count(r)
	at := make([]int64, len(r.Shape))
	var line []byte
	for i := range shown {
		line = line[:0]
		for axis, c := range columns {
			line = fmt.Appendf(line, "%-*s  ", c.width, c.text(at[axis]))
		}
		line = append(r.AppendText(line, i), '\n')
		if _, err := out.Write(line); err != nil {
			return written(err)
		}
		for axis := len(at) - 1; axis >= 0; axis-- {
			if at[axis]++; at[axis] < r.Shape[axis] {
				break
			}
			at[axis] = 0
		}
	}
	if shown < all {
		fmt.Fprintf(out, "(%d of %d values)\n", shown, all)
	}
	return written(out.Flush())
}

// A tetColumn is the axis of a table.
type tetColumn struct {
	name   string
	width  int
	labels []string
	start  int64
	step   int64
}

func (r *tetResult) column(axis int) tetColumn {
	g := r.ranges[axis]
	c := tetColumn{name: axisName(r.dataset, axis), labels: r.labels(axis), start: g.Start, step: g.Step}
	c.width = max(len(c.name), len(strconv.FormatInt(g.Stop-1, 10)))
	for _, label := range c.labels {
		c.width = max(c.width, len(label))
	}
	return c
}

// text is the label of a position of the result, or its number in the dataset.
func (c tetColumn) text(i int64) string {
	if c.labels != nil {
		return safetext.Line(c.labels[i])
	}
	return strconv.FormatInt(c.start+i*c.step, 10)
}

// writeJSON writes the result with what it was made from.
func (q *tetQuery) writeJSON(cmd *cobra.Command, r *tetResult) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	fmt.Fprint(out, "{\n")
	for _, f := range r.fields() {
		text, err := jsonText(f.value)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %q: %s,\n", f.key, text)
	}
	fmt.Fprint(out, `  "values": [`)
	shown, all := q.count(r)
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
			return written(err)
		}
	}
	fmt.Fprintf(out, "],\n  \"truncated\": %v\n}\n", shown < all)
	return written(out.Flush())
}

// A jsonField is a key of an object whose keys have an order.
type jsonField struct {
	key   string
	value any
}

// fields say what a result is.
func (r *tetResult) fields() []jsonField {
	dims, start, step := []string{}, []int64{}, []int64{}
	labels := map[string][]string{}
	for _, axis := range r.axes {
		name := axisName(r.dataset, axis)
		dims = append(dims, name)
		start, step = append(start, r.ranges[axis].Start), append(step, r.ranges[axis].Step)
		if list := r.labels(axis); list != nil {
			labels[name] = list
		}
	}
	fields := []jsonField{
		{"dataset", r.dataset.Name}, {"dtype", r.DType.String()}, {"dims", dims}, {"shape", append([]int64{}, r.Shape...)},
		{"start", start}, {"step", step}, {"labels", labels}, {"chunks", r.chunks}, {"memory_budget_bytes", r.budget},
	}
	if r.op != "" {
		fields = append(fields, jsonField{"reduce", r.op}, jsonField{"reduced_axes", r.reduced})
	}
	return fields
}

// jsonText is the JSON of a value, on one line.
func jsonText(value any) (string, error) {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}
