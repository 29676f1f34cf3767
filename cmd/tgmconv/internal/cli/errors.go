package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/storage"
)

// Exit codes of the command.
const (
	ExitOK          = 0
	ExitFailed      = 1   // the work could not be done
	ExitUsage       = 2   // the command line is wrong
	ExitSkipped     = 3   // the work was done, but without inputs that are bad
	ExitChanged     = 65  // an input changed while it was read: EX_DATAERR of sysexits.h
	ExitAgain       = 75  // a server does not answer, or another process holds a lock: EX_TEMPFAIL
	ExitInterrupted = 130 // the user stopped it: 128 + SIGINT, as shells have it
)

// UsageError marks an error in the command line itself: exit code 2.
type UsageError struct{ err error }

func (e *UsageError) Error() string { return e.err.Error() }

func (e *UsageError) Unwrap() error { return e.err }

// Misused marks an error as one of the command line.
func Misused(err error) error { return &UsageError{err} }

// Usagef is an error in the command line.
func Usagef(format string, args ...any) error { return Misused(fmt.Errorf(format, args...)) }

// ReportedError fails the command without another line of output: the verb has already said what is
// wrong.
type ReportedError struct{ err error }

func (e *ReportedError) Error() string { return e.err.Error() }

func (e *ReportedError) Unwrap() error { return e.err }

// Reported marks an error as one that the user has been told.
func Reported(err error) error { return &ReportedError{err} }

// ErrSkipped ends a command that has done its work, but had to leave out inputs that are bad. The
// verb has listed them.
var ErrSkipped = Reported(errors.New("inputs were skipped"))

// DoneWithout returns ErrSkipped if a command left out inputs.
func DoneWithout(skipped int) error {
	if skipped > 0 {
		return ErrSkipped
	}
	return nil
}

// WithChange returns the error of a command with a source that changed while it was read: the
// answer or error of the command may come from a mixture of old and new bytes.
func WithChange(err error, sources *storage.Sources) error {
	changed := sources.Check()
	switch {
	case changed == nil, errors.As(err, new(*UsageError)), errors.Is(err, context.Canceled), errors.Is(err, storage.ErrChanged):
		return err
	case err == nil, errors.As(err, new(*ReportedError)):
		return changed
	}
	return fmt.Errorf("%w (%s)", changed, Describe(err))
}

// FailureOf is the exit code of an error that is no mistake of the user.
func FailureOf(err error) int {
	var changed interface{ FileChanged() bool }
	switch {
	case errors.Is(err, storage.ErrChanged), errors.As(err, &changed) && changed.FileChanged():
		return ExitChanged
	case storage.IsTemporary(err):
		return ExitAgain
	}
	return ExitFailed
}

// UsageArgs makes the error of an argument check a usage error.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Misused(err)
		}
		return nil
	}
}

// AtLeastOneInput asks for input files, in the words of a user who forgot them.
func AtLeastOneInput(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Usagef("%s: no input file given (- reads standard input)", VerbName(cmd))
	}
	first := slices.Index(args, storage.Stdin)
	if first >= 0 && slices.Contains(args[first+1:], storage.Stdin) {
		return Usagef("%s: standard input is named twice, and can be read once", VerbName(cmd))
	}
	return nil
}

// VerbName is the name of a command, as it is typed after the name of the program.
func VerbName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// nearVerbs are the verbs that a user may mean by a word: verbs that do the work of the word, or
// have a similar name.
func nearVerbs(cmd *cobra.Command, word string) []string {
	if verbs := otherWords[strings.ToLower(word)]; verbs != nil && !cmd.HasParent() {
		return verbs
	}
	cmd.SuggestionsMinimumDistance = 2
	if len(word) < 5 {
		cmd.SuggestionsMinimumDistance = 1 // two letters could change a short word into any other
	}
	return cmd.SuggestionsFor(word)
}

// otherWords are the names that other programs have for the work of verbs.
var otherWords = map[string][]string{
	"average": {"stats"}, "max": {"stats"}, "mean": {"stats"}, "min": {"stats"}, "statistics": {"stats"}, "summary": {"stats", "info"},
	"compare": {"grib compare"}, "diff": {"grib compare"}, "grib_compare": {"grib compare"},
	"count": {"info", "grib count"}, "describe": {"info"}, "head": {"ls"}, "header": {"info", "dump"}, "list": {"ls"}, "open": {"info", "view"},
	"print": {"dump"}, "show": {"info", "view"}, "size": {"info"}, "sinfo": {"info"},
	"crop": {"convert --bbox"}, "rename": {"convert --rename"}, "select": {"convert --sel"}, "sellonlatbox": {"convert --bbox"},
	"sel": {"convert --sel"}, "subset": {"convert --sel"}, "extract-points": {"extract"},
	"map": {"plot", "view"}, "draw": {"plot"}, "image": {"plot"}, "png": {"plot"},
	"nearest": {"values", "extract"}, "point": {"values", "extract"}, "points": {"extract"}, "series": {"extract"}, "timeseries": {"extract"},
	"concat": {"cat", "merge"}, "join": {"merge", "cat"}, "check": {"validate"}, "verify": {"validate"}, "delete": {"copy -w"}, "filter": {"copy -w"},
	"csv": {"values", "extract"}, "nc": {"to-netcdf"}, "netcdf4": {"to-netcdf"}, "to-nc": {"to-netcdf"}, "tonetcdf": {"to-netcdf"},
	"to-tgm": {"convert"}, "import": {"convert"}, "export": {"convert"}, "kerchunk": {"refs"}, "virtualizarr": {"refs"},
	"grib_copy": {"grib copy"}, "grib_count": {"grib count"}, "grib_dump": {"grib dump"}, "grib_get": {"grib get"}, "grib_ls": {"grib ls"},
	"grib_set": {"set", "to-grib --set"}, "grib_to_netcdf": {"to-netcdf"}, "nccopy": {"to-netcdf"}, "ncdump": {"netcdf dump"},
}

// UnknownCommand refuses arguments of the root command, proposing the nearest verb.
func UnknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := nearVerbs(cmd, args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q, did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// Describe puts the file first in errors of the operating system, as all our errors have it.
func Describe(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) && err == error(path) {
		return fmt.Sprintf("%s: %s: %v", path.Path, path.Op, path.Err)
	}
	return ErrorText(err)
}

// Hint names the help for a user whose command line was wrong.
func Hint(cmd *cobra.Command) string {
	if cmd.HasSubCommands() {
		return cmd.CommandPath() + " --help lists the commands"
	}
	return cmd.CommandPath() + " --help lists the flags"
}

// WithCode gives an error the exit code of the command.
func WithCode(code int, err error) error { return &CodeError{code, err} }

// A CodeError ends the command with an exit code.
type CodeError struct {
	Code int
	err  error
}

func (e *CodeError) Error() string { return e.err.Error() }

func (e *CodeError) Unwrap() error { return e.err }

type fileError struct {
	name string
	err  error
}

// Error names the file once, and no package: the user knows the command, not its parts.
func (e *fileError) Error() string {
	text := fault.Detail(e.err)
	var path *fs.PathError
	if errors.As(e.err, &path) && e.err == error(path) {
		text = path.Err.Error()
	}
	if strings.HasPrefix(text, e.name+": ") {
		return text // from those who opened it
	}
	return e.name + ": " + text
}

// Unwrap returns the cause.
func (e *fileError) Unwrap() error { return e.err }

// InFile puts the file's name before its error. An error of writing, for which the file is not to
// blame, stays unchanged.
func InFile(name string, err error) error {
	if output, ok := errors.AsType[*storage.WriteError](err); ok {
		return output
	}
	return &fileError{storage.Display(name), err}
}

// OutputError marks a failure to write the answer: no other file can do better.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return "writing the output: " + e.Err.Error() }

func (e *OutputError) Unwrap() error { return e.Err }

// Written turns the error of writing the answer into an OutputError.
func Written(err error) error {
	if err == nil {
		return nil
	}
	return &OutputError{err}
}

// OtherFormat names a known format other than Tensogram. It is empty for unknown formats and empty files.
func OtherFormat(found importers.Format) string {
	switch {
	case found == importers.FormatUnknown, found == importers.FormatEmpty, found == importers.FormatTensogram:
		return ""
	case found.Unpack() != "":
		return fmt.Sprintf("a file compressed with %s, expected Tensogram messages (unpack it first, with %s)", found, found.Unpack())
	}
	list := ""
	if found.IsSource() {
		list = "; tgmconv ls lists what is here"
	}
	return fmt.Sprintf("a %s file, expected Tensogram messages (tgmconv convert makes them%s)", found, list)
}
