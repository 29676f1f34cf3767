package converting

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/mapping"
)

// tetSplits are the values of --split-by. The variable of convert, which takes netCDF as well, is a
// dataset.
var tetSplits = map[string]fromtet.Split{
	"file": fromtet.SplitFile, "dataset": fromtet.SplitDataset, "variable": fromtet.SplitDataset, "chunk": fromtet.SplitChunk,
}

// NewConvertTet is the verb for Tetration's .tet files.
func NewConvertTet() *cobra.Command {
	var c Conversion
	splitBy := "file"
	var clauses []string
	return cli.Verb{
		Use:   "convert-tet [flags] FILE... [OUT.tgm]",
		Short: "Convert .tet files to Tensogram",
		Long: `Convert the chunked tensor files of Tetration to Tensogram: datasets with their dimensions, attributes, labels
and history. Labels that are numbers or times become coordinates. Inputs are files, folders, http(s), s3, gs and az addresses, and - for
standard input.`,
		Example: `  tgmconv convert-tet -o weather.tgm weather.tet
  tgmconv convert-tet --split-by chunk -o chunks.tgm weather.tet`,
		Words: c.Batch.inputArgs,
		Options: func(s *option.Set) {
			c.declare(s)
			s.Add(option.Option{Name: "split-by", Value: &splitBy, Words: []string{"file", "dataset", "chunk"}, Help: "one message for each file, dataset or chunk"}, nil)
			cli.DeclareWhere(s, &clauses, "only datasets that match KEY=VALUE[/VALUE...], KEY!=VALUE, KEY>VALUE, … (tgmconv ls --help has all forms)")
		},
		InOrder: true,
		Run: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, args, func(_ context.Context, inputs []importers.Input, client *unpack.Client, _ *findings) (importers.Source, error) {
				opts, err := tetOptions(splitBy, clauses)
				if err != nil {
					return nil, err
				}
				opts.Opener, opts.MaxArray = client, cli.MaxArrayOf(cmd)
				return fromtet.New(inputs, opts), nil
			})
		},
	}.Command()
}

// tetOptions checks the flags and makes the options of .tet sources of them.
func tetOptions(splitBy string, clauses []string) (opts fromtet.Options, err error) {
	var ok bool
	if opts.Split, ok = tetSplits[splitBy]; !ok {
		return opts, cli.Usagef("--split-by is %q, expected file, dataset or chunk for .tet files", splitBy)
	}
	if opts.Where, err = mapping.ParseClauses(clauses); err != nil {
		return opts, cli.Usagef("--where %w", err)
	}
	return opts, nil
}
