package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
)

// DatasetFlags are the flags that say how a dataset is made of files.
type DatasetFlags struct {
	dataset.Options
	index string
}

// DeclareIndex adds the setting of the index. No index is used without it.
func (d *DatasetFlags) DeclareIndex(s *option.Set) {
	d.index = "auto"
	s.Add(option.Option{Name: "index", Value: &d.index, Words: []string{"auto", "beside", "cache", "none"},
		Help: "where the index of the files lies: auto, beside, cache or none"}, nil)
}

// DeclareLabels adds the settings of labels and names.
func (d *DatasetFlags) DeclareLabels(s *option.Set) {
	d.Declare(s)
	DeclareMissing(s)
	d.Change.Declare(s)
}

// LabelFlags are the names of the settings that DeclareLabels adds.
func LabelFlags() []string {
	return append([]string{"names", "time", "duplicates", "min-fill", MissingName}, ChangeNames()...)
}

// ChangeNames are the names of the settings of [dataset.Change].
func ChangeNames() []string { return []string{"sel", "bbox", "variable", "drop", "rename"} }

// RefuseFlags returns an error if one of the flags was given that has no effect. Why goes on after
// its name.
func RefuseFlags(cmd *cobra.Command, names []string, why string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return Usagef("%s: --%s %s", cmd.Name(), name, why)
		}
	}
	return nil
}

// ArchiveOptions are the options of an archive.
func (d *DatasetFlags) ArchiveOptions(cmd *cobra.Command, names []string) (opts archive.Options, err error) {
	opts.Index = archive.IndexNone
	if d.index != "" {
		if opts.Index, err = archive.ParseIndexMode(d.index); err != nil {
			return opts, Usagef("--index: %v", err)
		}
	}
	opts.Dataset = d.Options
	opts.Dataset.Unpack = true
	opts.Dataset.AlwaysTime = archive.Grows(names)
	opts.Client, opts.MaxArray, opts.Missing = ClientOf(cmd), MaxArrayOf(cmd), MissingOf(cmd)
	opts.Warn = func(text string) { Warn(cmd, text) }
	return opts, nil
}

// String tells flags apart that make other datasets of the same inputs.
func (d *DatasetFlags) String() string {
	return fmt.Sprint(d.Names, " ", d.Time, " ", d.Duplicates, " ", d.MinFill)
}
