package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
)

// datasetFlags are the flags that say how a dataset is made of files.
type datasetFlags struct {
	dataset.Options
	index string
}

// declareIndex adds the setting of the index. No index is used without it.
func (d *datasetFlags) declareIndex(s *option.Set) {
	d.index = "auto"
	s.Add(option.Option{Name: "index", Value: &d.index, Words: []string{"auto", "beside", "cache", "none"},
		Help: "where the index of what is in the files lies: auto, beside, cache or none"}, nil)
}

// declareLabels adds the settings of labels and names.
func (d *datasetFlags) declareLabels(s *option.Set) {
	d.Declare(s)
	declareMissing(s)
	d.Change.Declare(s)
}

// labelFlags are the names of what declareLabels adds.
func labelFlags() []string {
	return append([]string{"names", "time", "duplicates", "min-fill", missingName}, changeNames()...)
}

// changeNames are the names of the settings of [dataset.Change].
func changeNames() []string { return []string{"sel", "bbox", "variable", "drop", "rename"} }

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

// archiveOptions are the options of an archive.
func (d *datasetFlags) archiveOptions(cmd *cobra.Command, names []string) (opts archive.Options, err error) {
	opts.Index = archive.IndexNone
	if d.index != "" {
		if opts.Index, err = archive.ParseIndexMode(d.index); err != nil {
			return opts, usagef("--index: %v", err)
		}
	}
	opts.Dataset = d.Options
	opts.Dataset.Unpack = true
	opts.Dataset.AlwaysTime = archive.Grows(names)
	opts.Client, opts.MaxArray, opts.Missing = clientOf(cmd), maxArrayOf(cmd), missingOf(cmd)
	opts.Warn = func(text string) { warn(cmd, text) }
	return opts, nil
}

// String tells flags apart that make other datasets of the same inputs.
func (d *datasetFlags) String() string {
	return fmt.Sprint(d.Names, " ", d.Time, " ", d.Duplicates, " ", d.MinFill)
}
