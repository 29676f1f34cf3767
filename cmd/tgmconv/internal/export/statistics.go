package export

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// StatisticsColumns are the columns of a table of statistics.
var StatisticsColumns = []terminal.Column{
	{Title: "name"}, {Title: "labels"}, {Title: "count", Right: true}, {Title: "missing", Right: true}, {Title: "min", Right: true},
	{Title: "max", Right: true}, {Title: "mean", Right: true}, {Title: "area mean", Right: true}, {Title: "std", Right: true}, {Title: "median", Right: true}, {Title: mapping.KeyUnits},
}

// StatisticsCells are the texts of a field in these columns.
func StatisticsCells(field *look.Field, s *look.Statistics) []string {
	return []string{
		safetext.Line(field.Name), safetext.Line(field.Labels()), strconv.Itoa(s.Count), strconv.Itoa(s.Missing), Number(s.Min),
		Number(s.Max), Number(s.Mean), Number(s.AreaMean), Number(s.Std), Number(s.Median), safetext.Line(field.Units),
	}
}

// Number is a number with 6 digits, "" if there is none.
func Number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// histogramWidth is the length of the longest bar.
const histogramWidth = 50

// WriteStatistics writes the statistics of a field with its histogram, for people.
func WriteStatistics(out io.Writer, p terminal.Palette, field *look.Field, s *look.Statistics) {
	title := safetext.Line(field.Name)
	if labels := safetext.Line(field.Labels()); labels != "" {
		title += ", " + labels
	}
	fmt.Fprintln(out, p.Title(look.WithUnits(title, safetext.Line(field.Units))))
	fmt.Fprintf(out, "count %d, missing %d", s.Count, s.Missing)
	if s.Infinite > 0 {
		fmt.Fprintf(out, ", infinite %d", s.Infinite)
	}
	if s.Histogram == nil {
		fmt.Fprintln(out)
		return
	}
	area := Number(s.AreaMean)
	if s.NoAreaMean != "" {
		area = "not known (" + safetext.Line(s.NoAreaMean) + ")"
	}
	fmt.Fprintf(out, ", min %s, max %s, mean %s, std %s\n", Number(s.Min), Number(s.Max), Number(s.Mean), Number(s.Std))
	fmt.Fprintf(out, "area mean %s\n", area)
	var quantiles []string
	for _, q := range s.Quantiles {
		quantiles = append(quantiles, fmt.Sprintf("%s%% %s", Number(100*q.P), Number(q.Value)))
	}
	fmt.Fprintln(out, "quantiles "+strings.Join(quantiles, ", "))
	writeHistogram(out, p, s.Histogram)
}

// eighths are bars of 1 to 8 eighths of a character.
var eighths = []rune("▏▎▍▌▋▊▉█")

func writeHistogram(out io.Writer, p terminal.Palette, h *look.Histogram) {
	most := 0.0
	for _, n := range h.Counts {
		most = max(most, n)
	}
	for i, n := range h.Counts {
		length := int(math.Round(8 * histogramWidth * n / most))
		if n > 0 {
			length = max(length, 1)
		}
		bar := strings.Repeat("█", length/8)
		if rest := length % 8; rest > 0 {
			bar += string(eighths[rest-1])
		}
		fmt.Fprintf(out, "%12s  %s %.0f\n", Number(h.Edges[i]), p.Bar(bar), n)
	}
	if len(h.Edges) > 2 {
		fmt.Fprintf(out, "%12s\n", Number(h.Edges[len(h.Edges)-1]))
	}
}

// StatisticsJSON are the statistics of a field.
func StatisticsJSON(field *look.Field, s *look.Statistics) map[string]any {
	object := Document(field)
	object["count"], object["missing"], object["infinite"] = s.Count, s.Missing, s.Infinite
	if s.NoAreaMean != "" {
		object["no_area_mean"] = s.NoAreaMean
	}
	if s.Histogram == nil {
		return object
	}
	object["area_mean"] = nil
	if !math.IsNaN(s.AreaMean) {
		object["area_mean"] = s.AreaMean
	}
	object["min"], object["max"], object["mean"], object["std"], object["median"] = s.Min, s.Max, s.Mean, s.Std, s.Median
	quantiles := make([]any, len(s.Quantiles))
	for i, q := range s.Quantiles {
		quantiles[i] = map[string]any{"p": q.P, "value": q.Value}
	}
	object["quantiles"] = quantiles
	object["histogram"] = map[string]any{"edges": floatList(s.Histogram.Edges), "counts": floatList(s.Histogram.Counts)}
	return object
}

func floatList(values []float64) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}
