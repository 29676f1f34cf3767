package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/worker"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

func newWorker() *cobra.Command {
	return cli.Verb{
		Use:   "worker",
		Short: "Give labelled datasets to the program that started tgmconv, such as Python",
		Long: `Give labelled datasets to the program that started tgmconv, over standard input and output, until the input ends.
The package tgmconv of Python is such a program. docs/reference/worker.md has the protocol: requests and answers are
lines of JSON, elements are written to files that the other program maps.`,
		Words: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) error {
			cli.LimitMemory(2 * cli.SoftMemory)
			cli.CollectServing()
			return worker.Serve(cmd.Context(), cmd.InOrStdin(), os.Stdout, worker.Options{
				Open: func(ctx context.Context, words []string) (*worker.Dataset, error) {
					return openForWorker(cmd, ctx, words)
				},
				Explain: func(err error) (string, int) {
					if usage := (*cli.UsageError)(nil); errors.As(err, &usage) {
						return err.Error(), cli.ExitUsage
					}
					return cli.Describe(err), cli.FailureOf(err)
				},
			})
		},
	}.Command()
}

// openForWorker opens the labelled dataset of the flags and inputs that words are.
func openForWorker(cmd *cobra.Command, ctx context.Context, words []string) (*worker.Dataset, error) {
	var d cli.DatasetFlags
	var clauses []string
	dtype := "auto"
	open := &cobra.Command{Use: cmd.Use}
	// Each dataset has its own client: a client reports a file that was replaced since it opened it as changed.
	shared := cli.ClientOf(cmd)
	open.SetContext(cli.Session{Client: &unpack.Client{MaxBytes: shared.MaxBytes, Client: &storage.Client{
		Header: shared.Header, External: shared.External, ExternalFrom: shared.ExternalFrom, Sources: new(storage.Sources),
	}}}.In(ctx))
	open.SetErr(cmd.ErrOrStderr())
	flags := new(option.Set)
	d.DeclareLabels(flags)
	d.DeclareIndex(flags)
	cli.DeclareWhere(flags, &clauses, "")
	flags.Word("dtype", &dtype, []string{"auto", "source", "float32"}, "")
	cli.AddOptions(open, flags)
	if err := open.ParseFlags(words); err != nil {
		return nil, cli.Misused(err)
	}
	if err := cli.ValidOptions(open, flags); err != nil {
		return nil, err
	}
	names := open.Flags().Args()
	if len(names) == 0 {
		return nil, cli.Usagef("expected an input")
	}
	where, err := cli.ParseWhere(clauses)
	if err != nil {
		return nil, err
	}
	opts, err := d.ArchiveOptions(open, names)
	if err != nil {
		return nil, err
	}
	opts.MaxArray = cli.MaxArrayOf(cmd)
	a, err := looking.OpenWhere(open, names, where, opts)
	if err != nil {
		return nil, err
	}
	set := worker.NewDataset(a.Set, a, dtype == "float32" || dtype == "auto" && ofGRIB(a.Set), a.Close)
	for _, line := range a.Bad {
		set.Notes = append(set.Notes, "skipped: "+line)
	}
	set.Notes = append(set.Notes, cli.NotesOf(a)...)
	return set, nil
}

// ofGRIB reports whether all data of a dataset are fields of GRIB, which cfgrib gives as float32.
func ofGRIB(set *dataset.Dataset) bool {
	for _, g := range set.Groups {
		for _, v := range g.Variables {
			if !v.Coordinate && v.Attr("GRIB_shortName") == nil {
				return false
			}
		}
	}
	return true
}
