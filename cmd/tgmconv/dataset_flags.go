package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
)

// datasetFlags are the flags that say how a dataset is made of files.
type datasetFlags struct {
	names, time, duplicates, index string
	minFill                        float64
	changeFlags
}

func (d *datasetFlags) register(cmd *cobra.Command) {
	d.registerLabels(cmd)
	cmd.Flags().StringVar(&d.index, "index", "auto", "where the index of what is in the files lies: auto, beside, cache or none")
	completeWords(cmd, "index", []string{"auto", "beside", "cache", "none"})
}

// registerLabels adds the flags that choose labels and names. No index is used without the others.
func (d *datasetFlags) registerLabels(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&d.names, "names", "cfgrib", "names of dimensions and variables: cfgrib (t2m, time, step), short (2t), earthkit or cf")
	flags.StringVar(&d.time, "time", "forecast", "dimensions of time: forecast (time and step) or valid (valid_time)")
	flags.StringVar(&d.duplicates, "duplicates", "last", "which of several fields at one position is shown: last, first, or error")
	missingFlag(cmd)
	flags.Float64Var(&d.minFill, "min-fill", 0.1, "split variables of which a smaller part of all combinations is there")
	completeWords(cmd, "names", nameStyles)
	completeWords(cmd, "time", timeDims)
	completeWords(cmd, "duplicates", duplicateChoices)
	d.changeFlags.register(cmd)
}

// labelFlags are the names of what registerLabels adds.
func labelFlags() []string {
	return append([]string{"names", "time", "duplicates", "min-fill", missingName}, changeFlagNames()...)
}

// refuseFlags returns an error if one of the flags was given that has no effect. Why goes on after
// its name.
func refuseFlags(cmd *cobra.Command, names []string, why string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usagef("%s: --%s %s", cmd.Name(), name, why)
		}
	}
	return nil
}

// The values of flags, in the order of the constants of package dataset.
var (
	nameStyles       = []string{"cfgrib", "earthkit", "cf", "short"}
	timeDims         = []string{"forecast", "valid"}
	duplicateChoices = []string{"last", "first", "error"}
)

// choice finds a value among names in their order.
func choice[T ~int](flag, value string, names []string) (T, error) {
	for i, name := range names {
		if value == name {
			return T(i), nil
		}
	}
	return 0, usagef("--%s is %q, expected %s", flag, value, strings.Join(names, ", "))
}

// options are the options of an archive.
func (d *datasetFlags) options(cmd *cobra.Command, names []string) (opts archive.Options, err error) {
	if opts.Dataset.Names, err = choice[dataset.Names]("names", d.names, nameStyles); err != nil {
		return opts, err
	}
	if opts.Dataset.Time, err = choice[dataset.Time]("time", d.time, timeDims); err != nil {
		return opts, err
	}
	if opts.Dataset.Duplicates, err = choice[dataset.Duplicates]("duplicates", d.duplicates, duplicateChoices); err != nil {
		return opts, err
	}
	if d.minFill <= 0 || d.minFill > 1 {
		return opts, usagef("--min-fill is %v, expected a number above 0, at most 1", d.minFill)
	}
	opts.Dataset.MinFill = d.minFill
	if opts.Dataset.Change, err = d.change(); err != nil {
		return opts, err
	}
	opts.Dataset.Unpack = true
	opts.Index = archive.IndexNone
	if d.index != "" {
		if opts.Index, err = archive.ParseIndexMode(d.index); err != nil {
			return opts, usagef("--index: %v", err)
		}
	}
	opts.Client, opts.MaxArray, opts.Missing = clientOf(cmd), maxArrayOf(cmd), missingOf(cmd)
	opts.Warn = func(text string) { warn(cmd, text) }
	opts.Dataset.AlwaysTime = archive.Grows(names)
	return opts, nil
}
