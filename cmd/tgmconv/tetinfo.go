package main

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetshow"
)

// tetInfo are the flags of tet info.
type tetInfo struct {
	json, quiet, all, metadata bool
	limit                      int64
	filter                     tetshow.Filter
	sections                   tetshow.Sections
}

func newTetInfo() *cobra.Command {
	var i tetInfo
	cmd := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Show what a .tet file holds: datasets, chunks, history",
		Long:  `Show what a .tet file holds. Flags choose the sections to show; without any the datasets are listed.`,
		Example: `  tgmconv tet info weather.tet
  tgmconv tet info --chunks -n 0 --dataset t2m weather.tet
  tgmconv tet info --json weather.tet | jq '.summary.datasets[].name'`,
		Args: usageArgs(oneFile),
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVarP(&i.json, "json", "j", false, "write JSON: superblock, datasets, chunks, history, metadata")
	f.BoolVarP(&i.quiet, "quiet", "q", false, "write one line")
	f.BoolVar(&i.all, "all", false, "write all sections")
	f.BoolVar(&i.sections.Layout, "layout", false, "write the superblock")
	f.BoolVar(&i.sections.Execution, "execution", false, "write the memory budget")
	f.BoolVar(&i.sections.Datasets, "datasets", false, "write the datasets")
	f.BoolVar(&i.sections.Chunks, "chunks", false, "write the chunk index")
	f.BoolVar(&i.sections.History, "history", false, "write the history")
	f.BoolVar(&i.metadata, "metadata", false, "write the first labels along the axes of datasets")
	f.Int64VarP(&i.limit, "limit", "n", 32, "write at most n chunks; 0 writes all")
	f.StringVar(&i.filter.Dataset, "dataset", "", "write only datasets whose name has this `TEXT` in it, upper or lower case")
	f.StringVar(&i.filter.Grep, "grep", "", "write only datasets whose name, dtype or metadata have this `TEXT` in them")
	return cmd
}

func (i *tetInfo) run(cmd *cobra.Command, name string) error {
	if i.limit < 0 {
		return usagef("tet info: -n %d, expected at least 0", i.limit)
	}
	f, err := openTet(cmd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	opts := tetshow.Options{Name: shown(name), Filter: i.filter, Sections: i.sections, Labels: i.metadata, Chunks: i.limit}
	if i.all {
		opts.Sections = tetshow.All()
	}
	v := tetshow.NewView(f.File, opts)
	write := v.Text
	switch {
	case i.json:
		write = v.JSON
	case i.quiet:
		write = v.Line
	}
	if err := answered(cmd, write); err != nil {
		return inFile(name, err)
	}
	return nil
}
