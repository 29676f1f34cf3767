package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

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

// A verb is a command by its name.
type verb struct {
	name    string
	command func() *cobra.Command
}

// verbs are registered here and nowhere else.
var verbs = append([]verb{
	{"convert", converting.NewConvert},
	{"convert-grib", converting.NewConvertGRIB},
	{"convert-netcdf", converting.NewConvertNetCDF},
	{"convert-zarr", converting.NewConvertZarr},
	{"convert-tet", converting.NewConvertTet},
	{"to-tet", converting.NewToTet},
	{"to-netcdf", converting.NewToNetCDF},
	{"to-grib", converting.NewToGRIB},
	{"to-zarr", converting.NewToZarr},
	{"refs", converting.NewRefs},
	{"info", looking.NewInfo},
	{"ls", looking.NewLs},
	{"dump", looking.NewDump},
	{"get", looking.NewGet},
	{"validate", looking.NewValidate},
	{"stats", looking.NewStats},
	{"values", looking.NewValues},
	{"extract", looking.NewExtract},
	{"plot", looking.NewPlot},
	{"index", looking.NewIndex},
	{"serve", serving.NewServe},
	{"view", serving.NewView},
	{"plan", planning.NewPlanning},
	{"work", planning.NewWork},
	{"commit", planning.NewCommit},
	{"set", editing.NewSet},
	{"copy", editing.NewCopy},
	{"merge", editing.NewMerge},
	{"split", editing.NewSplit},
	{"reshuffle", editing.NewReshuffle},
	{"cat", editing.NewCat},
	{"repair", editing.NewRepair},
	{"checksum", editing.NewChecksum},
	{"grib", gribverbs.NewGRIB},
	{"netcdf", netcdfverbs.NewNetCDF},
	{"tet", tetverbs.NewTet},
	{"doctor", newDoctor},
	{"worker", newWorker},
	{"schema", newSchema},
	{"version", cli.NewVersion},
}, manVerbs...)

// newRoot builds the command tree.
func newRoot() *cobra.Command {
	root, _ := newRootFor(nil)
	return root
}

// newRootFor builds the part of the command tree that a command line needs, and returns what adds the rest. To make
// the flags of all verbs takes as long as a sixth of a short command.
func newRootFor(args []string) (root *cobra.Command, addVerbs func()) {
	isAsked := func(v verb) bool { return len(args) > 0 && args[0] == v.name }
	if !slices.ContainsFunc(verbs, isAsked) && !slices.Equal(args, []string{"--version"}) {
		isAsked = func(verb) bool { return true }
	}
	var asked []*cobra.Command
	var others []verb
	for _, v := range verbs {
		if isAsked(v) {
			asked = append(asked, v.command())
		} else {
			others = append(others, v)
		}
	}
	root = cli.RootOf(asked...)
	root.Args, root.RunE = cli.UsageArgs(filesOrNothing), lookAtFiles
	return root, sync.OnceFunc(func() {
		for _, v := range others {
			cli.AddVerbs(root, v.command())
		}
	})
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

// report prints the error on standard error, and returns the exit code.
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
