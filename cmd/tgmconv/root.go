package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/editing"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/gribverbs"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/netcdfverbs"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/planning"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/serving"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetverbs"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// newRoot builds the command tree. Verbs are registered here and nowhere else.
func newRoot() *cobra.Command {
	root := cli.RootOf(append(
		[]*cobra.Command{
			converting.NewConvert(), converting.NewConvertGRIB(), converting.NewConvertNetCDF(), converting.NewConvertZarr(), converting.NewConvertTet(),
			converting.NewToTet(), converting.NewToNetCDF(), converting.NewToGRIB(), converting.NewToZarr(), converting.NewRefs(),
			looking.NewInfo(), looking.NewLs(), looking.NewDump(), looking.NewGet(), looking.NewValidate(),
			looking.NewStats(), looking.NewValues(), looking.NewExtract(), looking.NewPlot(), looking.NewIndex(),
			serving.NewServe(), serving.NewView(),
			planning.NewPlanning(), planning.NewWork(), planning.NewCommit(),
			editing.NewSet(), editing.NewCopy(), editing.NewMerge(), editing.NewSplit(),
			editing.NewReshuffle(), editing.NewCat(), editing.NewRepair(), editing.NewChecksum(),
			gribverbs.NewGRIB(), netcdfverbs.NewNetCDF(), tetverbs.NewTet(),
			newDoctor(), newWorker(), newSchema(), cli.NewVersion(),
		},
		manCommands()...)...)
	root.Args, root.RunE = cli.UsageArgs(filesOrNothing), lookAtFiles
	return root
}

// filesOrNothing expects the arguments of the root command to be names of files.
func filesOrNothing(cmd *cobra.Command, args []string) error {
	for _, name := range args {
		file, _, _ := strings.Cut(name, unpack.Separator)
		switch {
		case name == storage.Stdin, storage.IsRemote(name), strings.ContainsAny(name, "*?"), !cli.IsNew(file):
		case strings.ContainsAny(name, "./"):
			return fmt.Errorf("%s: no such file or directory", name)
		default:
			return cli.UnknownCommand(cmd, []string{name})
		}
	}
	return nil
}

// lookAtFiles prints the labelled dataset of files; without files, the help, or the version with --version.
func lookAtFiles(cmd *cobra.Command, files []string) error {
	if asked, err := cmd.Flags().GetBool("version"); asked || err != nil {
		return errors.Join(err, cli.PrintVersion(cmd, nil))
	}
	if len(files) == 0 {
		return cmd.Help()
	}
	info := cli.VerbFor(cmd, "info")
	if err := info.Flags().Set("dataset", "true"); err != nil {
		return err
	}
	return info.RunE(info, files)
}

// run executes the command line args and returns the exit code; errors are reported on stderr.
func run(ctx context.Context, root *cobra.Command, args []string, stderr io.Writer) int {
	root.SetArgs(args)
	client := unpack.NewClient(&storage.Client{Sources: sourcesOf(ctx)})
	defer client.Close()
	bar := terminal.NewProgress(stderr)
	defer bar.End()
	client.OnRead = bar.Read
	if s, ok := stderr.(*terminal.Messages); ok {
		s.Before(bar.End)
	}
	out := terminal.NewAnswer(root.OutOrStdout(), bar.End)
	root.SetOut(out)
	s := cli.SessionOf(ctx)
	s.Progress, s.Client = bar, client
	cmd, err := root.ExecuteContextC(s.In(ctx))
	err = cli.WithChange(err, client.Sources)
	if spent := new(cli.SpentError); err != nil && errors.As(context.Cause(cmd.Context()), &spent) {
		err = spent
	}
	if err == nil {
		return cli.ExitOK
	}
	code := report(ctx, cmd, err, stderr)
	if code == cli.ExitSkipped {
		return code // the answer is there
	}
	cli.ReportJSON(cmd, out, stderr, err, code)
	return code
}

// sourcesKey is the key of the sources in the context of a command, if they are watched.
type sourcesKey struct{}

func sourcesOf(ctx context.Context) *storage.Sources {
	if s, ok := ctx.Value(sourcesKey{}).(*storage.Sources); ok {
		return s
	}
	return new(storage.Sources)
}

// report says on standard error what went wrong, and returns the exit code.
func report(ctx context.Context, cmd *cobra.Command, err error, stderr io.Writer) int {
	var usage *cli.UsageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "tgmconv: %v\n", err)
		fmt.Fprintf(stderr, "tgmconv: hint: %s\n", cli.Hint(cmd))
		return cli.ExitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		fmt.Fprintln(stderr, "tgmconv: interrupted")
		return cli.ExitInterrupted
	}
	var silent *cli.ReportedError
	if !errors.As(err, &silent) {
		fmt.Fprintf(stderr, "tgmconv: %s\n", strings.ReplaceAll(cli.Describe(err), "\n", "\n  ")) // a name cannot begin a line
	}
	if errors.Is(err, cli.ErrSkipped) {
		return cli.ExitSkipped
	}
	if coded := (*cli.CodeError)(nil); errors.As(err, &coded) {
		return coded.Code
	}
	return cli.FailureOf(err)
}
