package tetverbs

import (
	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetshow"
	"github.com/tgmconv/tgmconv/internal/option"
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
	return cli.Verb{
		Use:   "info [flags] FILE",
		Short: "Show the content of a .tet file: datasets, chunks, history",
		Long:  `Show the content of a .tet file. Flags choose the sections to show; without a flag the datasets are listed.`,
		Example: `  tgmconv tet info weather.tet
  tgmconv tet info --chunks -n 0 --dataset t2m weather.tet
  tgmconv tet info --json weather.tet | jq '.summary.datasets[].name'`,
		Words: oneFile,
		Options: func(s *option.Set) {
			s.Bool("json/j", &i.json, "write JSON: superblock, datasets, chunks, history, metadata")
			s.Bool("quiet/q", &i.quiet, "write one line")
			s.Bool("all", &i.all, "write all sections")
			s.Bool("layout", &i.sections.Layout, "write the superblock")
			s.Bool("execution", &i.sections.Execution, "write the memory budget")
			s.Bool("datasets", &i.sections.Datasets, "write the datasets")
			s.Bool("chunks", &i.sections.Chunks, "write the chunk index")
			s.Bool("history", &i.sections.History, "write the history")
			s.Bool("metadata", &i.metadata, "write the first labels along the axes of datasets")
			i.limit = 32
			s.Number("limit/n", &i.limit, "write at most n chunks; 0 writes all")
			s.Text("dataset", &i.filter.Dataset, "write only datasets whose name has this `TEXT` in it, upper or lower case")
			s.Text("grep", &i.filter.Grep, "write only datasets whose name, dtype or metadata have this `TEXT` in them")
		},
		Run: func(cmd *cobra.Command, args []string) error { return i.run(cmd, args[0]) },
	}.Command()
}

func (i *tetInfo) run(cmd *cobra.Command, name string) error {
	if i.limit < 0 {
		return cli.Usagef("tet info: -n %d, expected at least 0", i.limit)
	}
	f, err := openTet(cmd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	opts := tetshow.Options{Name: cli.Shown(name), Filter: i.filter, Sections: i.sections, Labels: i.metadata, Chunks: i.limit}
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
		return cli.InFile(name, err)
	}
	return nil
}
