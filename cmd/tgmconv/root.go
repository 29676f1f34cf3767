package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// newRoot builds the command tree. Verbs are registered here and nowhere else.
func newRoot() *cobra.Command {
	root := rootOf(slices.Concat(
		[]*cobra.Command{
			newConvert(), newConvertGRIB(), newConvertNetCDF(), newConvertZarr(), newConvertTet(),
			newToTet(), newToNetCDF(), newToGRIB(), newToZarr(), newRefs(),
			newInfo(), newLs(), newDump(), newGet(), newValidate(), newServe(), newGRIB(), newNetCDF(), newTet(), newStats(), newValues(), newExtract(), newIndex(), newPlot(), newDoctor(), newView(),
			newPlanning(), newWork(), newCommit(),
			newSet(), newCopy(), newMerge(), newSplit(), newReshuffle(), newCat(), newRepair(), newChecksum(), newWorker(), newSchema(), newVersion(),
		},
		manCommands(),
	)...)
	root.Args, root.RunE = usageArgs(filesOrNothing), lookAtFiles
	return root
}

// filesOrNothing expects the arguments of the root command to be names of files.
func filesOrNothing(cmd *cobra.Command, args []string) error {
	for _, name := range args {
		file, _, _ := strings.Cut(name, unpack.Separator)
		switch {
		case name == storage.Stdin, storage.IsRemote(name), strings.ContainsAny(name, "*?"), !isNew(file):
		case strings.ContainsAny(name, "./"):
			return fmt.Errorf("%s: no such file or directory", name)
		default:
			return unknownCommand(cmd, []string{name})
		}
	}
	return nil
}

// lookAtFiles prints the labelled dataset of files; without files, the help, or the version with --version.
func lookAtFiles(cmd *cobra.Command, files []string) error {
	if asked, err := cmd.Flags().GetBool("version"); asked || err != nil {
		return errors.Join(err, printVersion(cmd, nil))
	}
	if len(files) == 0 {
		return cmd.Help()
	}
	info := verbFor(cmd, "info")
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
	s := sessionOf(ctx)
	s.progress, s.client = bar, client
	cmd, err := root.ExecuteContextC(s.in(ctx))
	err = withChange(err, client.Sources)
	if spent := new(spentError); err != nil && errors.As(context.Cause(cmd.Context()), &spent) {
		err = spent
	}
	if err == nil {
		return exitOK
	}
	code := report(ctx, cmd, err, stderr)
	if code == exitSkipped {
		return code // the answer is there
	}
	reportJSON(cmd, out, stderr, err, code)
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
	var usage *usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "tgmconv: %v\n", err)
		fmt.Fprintf(stderr, "tgmconv: hint: %s\n", hint(cmd))
		return exitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		fmt.Fprintln(stderr, "tgmconv: interrupted")
		return exitInterrupted
	}
	var silent *reportedError
	if !errors.As(err, &silent) {
		fmt.Fprintf(stderr, "tgmconv: %s\n", strings.ReplaceAll(describe(err), "\n", "\n  ")) // a name cannot begin a line
	}
	if errors.Is(err, errSkipped) {
		return exitSkipped
	}
	if coded := (*codeError)(nil); errors.As(err, &coded) {
		return coded.code
	}
	return failureOf(err)
}
