package looking

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	where     []string
	changes   dataset.Change
	quantiles []float64
	histogram bool
	bins      int
	slices    bool
	json      bool
}

// NewStats returns the verb stats.
func NewStats() *cobra.Command {
	var f statsFlags
	return cli.Verb{
		Use:   "stats [flags] FILE...",
		Short: "Describe the values of fields: count, missing, min, max, mean, area mean, deviation, quantiles, histogram",
		Long: `Describe the values of fields, one field per line: number of values, missing values, minimum, maximum, mean, area
mean, standard deviation (of the whole population) and median. The mean counts each value once; the area mean weights
each value by the area of its cell. --histogram draws the distribution and lists quantiles.

` + anyInputHelp,
		Example: `  tgmconv stats forecast.grib2
  tgmconv stats --histogram -w shortName=2t forecast.grib2
  tgmconv stats --quantiles 0.1,0.9 --json t2m.nc
  tgmconv stats --slices -w name=t2m t2m.nc`,
		Options: func(s *option.Set) {
			cli.DeclareMissing(s)
			cli.DeclareWhere(s, &f.where, "describe only fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
			f.changes.Declare(s)
			f.quantiles = look.DefaultQuantiles()
			s.Number("quantiles", &f.quantiles, "quantiles from 0 to 1, joined by commas")
			s.Bool("histogram", &f.histogram, "draw a histogram of each field")
			f.bins = look.DefaultBins
			s.Int("bins", &f.bins, 1, maxBins, "bins of the histogram")
			s.Bool("slices", &f.slices, "describe each horizontal slice of netCDF variables on its own")
			cli.DeclareJSON(s, &f.json)
		},
		Run: f.run,
	}.Command()
}

// maxBins is the largest number of bins, more than the lines of a terminal.
const maxBins = 10000

func (f *statsFlags) run(cmd *cobra.Command, names []string) error {
	for _, p := range f.quantiles {
		if !(p >= 0 && p <= 1) {
			return cli.Usagef("--quantiles has %v, expected 0 to 1", p)
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
	if err := cli.CheckWork(cmd, chosen.Archive, look.AreaWork(chosen.fields)); err != nil {
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
				chosen.bad = append(chosen.bad, cli.ErrorText(r.Err))
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
	t := terminal.NewTable(export.StatisticsColumns)
	var unknown reasons
	err := each(func(field *look.Field, s *look.Statistics) error {
		unknown.add(s.NoAreaMean)
		t.Add(export.StatisticsCells(field, s))
		return nil
	})
	w, colours := terminal.Coloured(cmd.OutOrStdout())
	out := bufio.NewWriter(w)
	t.Write(out, colours)
	if flushErr := out.Flush(); flushErr != nil {
		return cli.Written(flushErr)
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
		fmt.Fprintf(w, "tgmconv: the area mean of %s is not known: %s\n", cli.Count(r.fields[reason], "field"), safetext.Line(reason))
	}
}

func (f *statsFlags) histograms(cmd *cobra.Command, each eachStatistics) error {
	w, colours := terminal.Coloured(cmd.OutOrStdout())
	first := true
	return each(func(field *look.Field, s *look.Statistics) error {
		out := bufio.NewWriter(w)
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		export.WriteStatistics(out, colours, field, s)
		return cli.Written(out.Flush())
	})
}

func (f *statsFlags) writeJSON(cmd *cobra.Command, each eachStatistics) error {
	list := cli.NewJSONList(cmd.OutOrStdout(), "")
	err := each(func(field *look.Field, s *look.Statistics) error { return list.Add(export.StatisticsJSON(field, s)) })
	return list.Finish(err)
}
