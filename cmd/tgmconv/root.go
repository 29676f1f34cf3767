package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// Exit codes of the command.
const (
	exitOK          = 0
	exitFailed      = 1   // the work could not be done
	exitUsage       = 2   // the command line is wrong
	exitSkipped     = 3   // the work was done, but without inputs that are bad
	exitChanged     = 65  // an input changed while it was read: EX_DATAERR of sysexits.h
	exitAgain       = 75  // a server does not answer, or another process holds a lock: EX_TEMPFAIL
	exitInterrupted = 130 // the user stopped it: 128 + SIGINT, as shells have it
)

// newRoot builds the command tree. Verbs are registered here and nowhere else.
func newRoot() *cobra.Command {
	return rootOf(slices.Concat(
		[]*cobra.Command{
			newConvert(), newConvertGRIB(), newConvertNetCDF(), newConvertZarr(), newConvertTet(),
			newToTet(), newToNetCDF(), newToGRIB(), newToZarr(), newRefs(),
		},
		viewingCommands(),
		[]*cobra.Command{newPlanning(), newWork(), newCommit()},
		[]*cobra.Command{newSet(), newCopy(), newMerge(), newSplit(), newReshuffle(), newCat(), newRepair(), newChecksum(), newWorker(), newVersion()},
		manCommands(),
	)...)
}

// rootOf builds the command tree of some verbs.
func rootOf(verbs ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "tgmconv [FILE...]",
		Short: "Convert GRIB and netCDF to Tensogram, look into it, and serve it as Zarr",
		Long: `tgmconv converts GRIB, netCDF, Zarr and .tet files to Tensogram (.tgm) and back. No value,
missing point or key is lost. It also serves these files to any Zarr v3 client, lists and
checks them, and draws maps. With files alone it prints their labelled dataset, as tgmconv
info --dataset does.

Exit codes of all commands:
    0  all went well
    1  the work failed
    2  the command line is wrong
    3  the work was done, but bad inputs were left out, and named
   65  an input changed while it was read: start again
   75  a server does not answer, or another process holds a lock: try again later
  130  interrupted`,
		Example: `  tgmconv forecast.grib2
  tgmconv convert forecast.grib2 forecast.tgm
  tgmconv ls forecast.tgm
  tgmconv serve forecast.tgm`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(filesOrNothing),
		RunE:          lookAtFiles,
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	// The flag is our own: that of cobra links text/template, for which the linker keeps the methods of all types.
	root.Flags().BoolP("version", "v", false, "version for tgmconv")
	root.SetFlagErrorFunc(wrongFlag)
	registerEverywhere(root)
	registerStorage(root)
	root.AddCommand(verbs...)
	root.SetGlobalNormalizationFunc(formerNames)
	completeKeys(root)
	plainTypes(root)
	groupCommands(root)
	refuseUnknownTopics(root)
	checkOutputNames(root)
	return root
}

// wrongFlag is the error for a flag that cmd does not have. If what comes before it names no command,
// that is the error.
func wrongFlag(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() {
		if unknown := unknownCommand(cmd, cmd.Flags().Args()); unknown != nil {
			err = unknown
		}
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		err = withNearFlag(cmd, unknown)
	}
	return &usageError{err}
}

// withNearFlag adds to the error for a flag that cmd does not have the verbs that have it, or else its own flags with
// names like it.
func withNearFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	name := err.GetSpecifiedName()
	if len(name) < 2 {
		return err
	}
	var verbs []string
	for _, c := range cmd.Root().Commands() {
		if c.Flags().Lookup(name) != nil && !c.Hidden {
			verbs = append(verbs, c.Name())
		}
	}
	if len(verbs) > 0 {
		return fmt.Errorf("%w: it is a flag of %s", err, strings.Join(verbs, ", "))
	}
	words := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			words.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	if near := words.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("%w, did you mean --%s?", err, strings.Join(near, " or --"))
	}
	return err
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

// registerEverywhere lets every verb take the flags that the reference's command takes with every
// verb, before or after it. The converting verbs have their own, which do something.
func registerEverywhere(root *cobra.Command) {
	f := root.PersistentFlags()
	for _, name := range []string{"threads", "small-mask-threshold"} {
		f.Int(name, 0, "")
		f.Lookup(name).Hidden = true
	}
	for _, name := range []string{"allow-nan", "allow-inf"} {
		f.Bool(name, true, "")
		f.Lookup(name).Hidden = true
	}
	for _, name := range []string{"nan-mask-method", "pos-inf-mask-method", "neg-inf-mask-method"} {
		f.String(name, "", "")
		f.Lookup(name).Hidden = true
	}
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

// withChange returns the error of a command one of whose sources has changed while it was read: what
// it has answered, or the error that it returned, may be of a mixture.
func withChange(err error, sources *storage.Sources) error {
	changed := sources.Check()
	switch {
	case changed == nil, errors.As(err, new(*usageError)), errors.Is(err, context.Canceled), errors.Is(err, storage.ErrChanged):
		return err
	case err == nil, errors.As(err, new(*reportedError)):
		return changed
	}
	return fmt.Errorf("%w (%s)", changed, describe(err))
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

// failureOf is the exit code of an error that is no mistake of the user.
func failureOf(err error) int {
	var changed interface{ FileChanged() bool }
	switch {
	case errors.Is(err, storage.ErrChanged), errors.As(err, &changed) && changed.FileChanged():
		return exitChanged
	case storage.IsTemporary(err):
		return exitAgain
	}
	return exitFailed
}

// usageError marks an error in the command line itself: exit code 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef is an error in the command line.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// reportedError fails the command without another line of output: the verb has already said what is
// wrong.
type reportedError struct{ err error }

func (e *reportedError) Error() string { return e.err.Error() }
func (e *reportedError) Unwrap() error { return e.err }

// errSkipped ends a command that has done its work, but had to leave out inputs that are bad. The
// verb has listed them.
var errSkipped = &reportedError{errors.New("inputs were skipped")}

// doneWithout returns errSkipped if there are inputs that a command left out.
func doneWithout(skipped int) error {
	if skipped > 0 {
		return errSkipped
	}
	return nil
}

// usageArgs makes the error of an argument check a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{err}
		}
		return nil
	}
}

// atLeastOneInput asks for input files, in the words of a user who forgot them.
func atLeastOneInput(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("%s: no input file given (- reads standard input)", verbName(cmd))
	}
	first := slices.Index(args, storage.Stdin)
	if first >= 0 && slices.Contains(args[first+1:], storage.Stdin) {
		return usagef("%s: standard input is named twice, and can be read once", verbName(cmd))
	}
	return nil
}

// verbName is the name of a command, as it is typed after that of the program.
func verbName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// nearVerbs are the verbs that somebody may mean who types a word: those that do what the word says, or have a name
// like it.
func nearVerbs(cmd *cobra.Command, word string) []string {
	if verbs := otherWords[strings.ToLower(word)]; verbs != nil && !cmd.HasParent() {
		return verbs
	}
	cmd.SuggestionsMinimumDistance = 2
	if len(word) < 5 {
		cmd.SuggestionsMinimumDistance = 1 // two letters of a short word make any other of it
	}
	return cmd.SuggestionsFor(word)
}

// unknownCommand refuses arguments of the root command, proposing the nearest verb.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := nearVerbs(cmd, args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q, did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// refuseUnknownTopics lets help and completion fail for what there is none of.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = usageArgs(func(_ *cobra.Command, args []string) error {
				at := root
				for _, name := range args {
					i := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) })
					if i < 0 {
						return unknownCommand(at, []string{name})
					}
					at = at.Commands()[i]
				}
				return nil
			})
		case "completion":
			cmd.Args = usageArgs(unknownCommand)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// describe puts the file first in errors of the operating system, as all our errors have it.
func describe(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && err == error(path) {
		return fmt.Sprintf("%s: %s: %v", path.Path, path.Op, path.Err)
	}
	return errorText(err)
}
