package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	where     []string
	changes   changeFlags
	quantiles []float64
	histogram bool
	bins      int
	slices    bool
	json      bool
}

func newStats() *cobra.Command {
	var f statsFlags
	return verb{
		use:   "stats [flags] FILE...",
		short: "Describe the values of fields: count, missing, min, max, mean, area mean, deviation, quantiles, histogram",
		long: `Describe the values of fields, one field a line: the number of values and of missing ones, minimum, maximum,
mean, area mean, standard deviation (of the whole population) and median. The mean has each value once; the
area mean has each as often as the area of its cell. --histogram draws their distribution and lists
quantiles. Fields are read on all cores, a few at a time.

` + anyInputHelp,
		example: `  tgmconv stats forecast.grib2
  tgmconv stats --histogram -w shortName=2t forecast.grib2
  tgmconv stats --quantiles 0.1,0.9 --json t2m.nc
  tgmconv stats --slices -w name=t2m t2m.nc`,
		options: func(s *option.Set) {
			declareMissing(s)
			declareWhere(s, &f.where, "describe only what fulfils the clause KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
			f.changes.Declare(s)
			f.quantiles = look.DefaultQuantiles()
			s.Number("quantiles", &f.quantiles, "quantiles from 0 to 1, joined by commas")
			s.Bool("histogram", &f.histogram, "draw a histogram of each field")
			f.bins = look.DefaultBins
			s.Int("bins", &f.bins, 1, maxBins, "bins of the histogram")
			s.Bool("slices", &f.slices, "describe each horizontal slice of netCDF variables on its own")
			declareJSON(s, &f.json)
		},
		run: f.run,
	}.command()
}

// maxBins is more than a terminal has lines.
const maxBins = 10000

func (f *statsFlags) run(cmd *cobra.Command, names []string) error {
	for _, p := range f.quantiles {
		if !(p >= 0 && p <= 1) {
			return usagef("--quantiles has %v, expected 0 to 1", p)
		}
	}
	chosen, err := chooseFields(cmd, names, f.where, &f.changes, look.Options{Slices: f.slices, Coordinates: len(f.where) > 0})
	if err != nil {
		return err
	}
	defer chosen.Close()
	if err := checkFields(cmd, chosen); err != nil {
		return err
	}
	if err := checkWork(cmd, chosen.Archive, look.AreaWork(chosen.fields)); err != nil {
		return err
	}
	results := look.Each(cmd.Context(), chosen.fields, func(ctx context.Context, field *look.Field) (*look.Statistics, error) {
		return field.Describe(ctx, f.quantiles, f.bins)
	})
	print := f.table
	switch {
	case f.json:
		print = f.writeJSON
	case f.histogram:
		print = f.histograms
	}
	err = print(cmd, func(yield func(*look.Field, *look.Statistics) error) error {
		for r := range results {
			switch {
			case cmd.Context().Err() != nil:
				return cmd.Context().Err()
			case r.Err != nil:
				chosen.bad = append(chosen.bad, errorText(r.Err))
				continue
			}
			if err := yield(r.Field, r.Value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return chosen.finish(cmd)
}

// eachStatistics calls its argument for each field.
type eachStatistics func(func(*look.Field, *look.Statistics) error) error

func (f *statsFlags) table(cmd *cobra.Command, each eachStatistics) error {
	t := newTable([]tableColumn{
		{title: "name"}, {title: "labels"}, {title: "count", right: true}, {title: "missing", right: true}, {title: "min", right: true},
		{title: "max", right: true}, {title: "mean", right: true}, {title: "area mean", right: true}, {title: "std", right: true}, {title: "median", right: true}, {title: "units"},
	})
	var unknown reasons
	err := each(func(field *look.Field, s *look.Statistics) error {
		unknown.add(s.NoAreaMean)
		t.add([]string{
			safetext.Line(field.Name), safetext.Line(field.Labels()), strconv.Itoa(s.Count), strconv.Itoa(s.Missing), numberText(s.Min),
			numberText(s.Max), numberText(s.Mean), numberText(s.AreaMean), numberText(s.Std), numberText(s.Median), safetext.Line(field.Units),
		})
		return nil
	})
	w, colours := coloured(cmd)
	out := bufio.NewWriter(w)
	t.write(out, colours)
	if flushErr := out.Flush(); flushErr != nil {
		return written(flushErr)
	}
	unknown.print(cmd.ErrOrStderr())
	return err
}

// reasons counts why fields have no area mean, in the order in which they were met.
type reasons struct {
	order  []string
	fields map[string]int
}

func (r *reasons) add(reason string) {
	if reason == "" {
		return
	}
	if r.fields == nil {
		r.fields = make(map[string]int)
	}
	if r.fields[reason]++; r.fields[reason] == 1 {
		r.order = append(r.order, reason)
	}
}

func (r *reasons) print(w io.Writer) {
	for _, reason := range r.order {
		fmt.Fprintf(w, "tgmconv: the area mean of %s is not known: %s\n", count(r.fields[reason], "field"), safetext.Line(reason))
	}
}

// numberText is a number with 6 digits, "" if there is none.
func numberText(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// histogramWidth is the length of the longest bar.
const histogramWidth = 50

func (f *statsFlags) histograms(cmd *cobra.Command, each eachStatistics) error {
	w, colours := coloured(cmd)
	first := true
	return each(func(field *look.Field, s *look.Statistics) error {
		out := bufio.NewWriter(w)
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		writeStatistics(out, colours, field, s)
		return written(out.Flush())
	})
}

func writeStatistics(out io.Writer, p palette, field *look.Field, s *look.Statistics) {
	title := safetext.Line(field.Name)
	if labels := safetext.Line(field.Labels()); labels != "" {
		title += ", " + labels
	}
	fmt.Fprintln(out, p.title(look.WithUnits(title, safetext.Line(field.Units))))
	fmt.Fprintf(out, "count %d, missing %d", s.Count, s.Missing)
	if s.Infinite > 0 {
		fmt.Fprintf(out, ", infinite %d", s.Infinite)
	}
	if s.Histogram == nil {
		fmt.Fprintln(out)
		return
	}
	area := numberText(s.AreaMean)
	if s.NoAreaMean != "" {
		area = "not known (" + safetext.Line(s.NoAreaMean) + ")"
	}
	fmt.Fprintf(out, ", min %s, max %s, mean %s, std %s\n", numberText(s.Min), numberText(s.Max), numberText(s.Mean), numberText(s.Std))
	fmt.Fprintf(out, "area mean %s\n", area)
	var quantiles []string
	for _, q := range s.Quantiles {
		quantiles = append(quantiles, fmt.Sprintf("%s%% %s", numberText(100*q.P), numberText(q.Value)))
	}
	fmt.Fprintln(out, "quantiles "+strings.Join(quantiles, ", "))
	writeHistogram(out, p, s.Histogram)
}

// eighths are bars of 1 to 8 eighths of a character.
var eighths = []rune("▏▎▍▌▋▊▉█")

func writeHistogram(out io.Writer, p palette, h *look.Histogram) {
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
		fmt.Fprintf(out, "%12s  %s %.0f\n", numberText(h.Edges[i]), p.paint(cyan, bar), n)
	}
	if len(h.Edges) > 2 {
		fmt.Fprintf(out, "%12s\n", numberText(h.Edges[len(h.Edges)-1]))
	}
}

func (f *statsFlags) writeJSON(cmd *cobra.Command, each eachStatistics) error {
	list := newJSONList(cmd.OutOrStdout(), "")
	err := each(func(field *look.Field, s *look.Statistics) error { return list.add(statisticsJSON(field, s)) })
	return list.finish(err)
}

func statisticsJSON(field *look.Field, s *look.Statistics) map[string]any {
	object := export.Document(field)
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
