package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// RootOf builds the command tree of some verbs.
func RootOf(verbs ...*cobra.Command) *cobra.Command {
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
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	// The flag is our own: the flag of cobra links text/template, for which the linker keeps the methods of all types.
	root.Flags().BoolP("version", "v", false, "version for tgmconv")
	root.SetFlagErrorFunc(wrongFlag)
	registerEverywhere(root)
	registerStorage(root)
	root.SetGlobalNormalizationFunc(formerNames)
	plainTypes(root)
	addGroups(root)
	AddVerbs(root, verbs...)
	refuseUnknownTopics(root)
	return root
}

// AddVerbs adds verbs to a command tree.
func AddVerbs(root *cobra.Command, verbs ...*cobra.Command) {
	root.AddCommand(verbs...)
	for _, cmd := range verbs {
		completeKeys(cmd)
		cmd.GroupID = groupOf(cmd.Name())
		checkOutputNames(cmd)
	}
}

// WholeTree returns the root of a command, with all verbs, also those that the command line does not name.
func WholeTree(cmd *cobra.Command) *cobra.Command {
	if add := SessionOf(cmd.Context()).AddVerbs; add != nil {
		add()
	}
	return cmd.Root()
}

// wrongFlag is the error for a flag that cmd does not have, or for a word before it that names no command.
func wrongFlag(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() {
		if unknown := UnknownCommand(cmd, cmd.Flags().Args()); unknown != nil {
			err = unknown
		}
	}
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		err = withNearFlag(cmd, unknown)
	}
	return Misused(err)
}

// withNearFlag adds to the error for a flag that cmd does not have the verbs that have it, or else its own flags with
// names like it.
func withNearFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	name := err.GetSpecifiedName()
	if len(name) < 2 {
		return err
	}
	var verbs []string
	for _, c := range WholeTree(cmd).Commands() {
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

// refuseUnknownTopics lets help and completion fail for unknown topics.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = UsageArgs(func(_ *cobra.Command, args []string) error {
				_, err := VerbNamed(root, args)
				return err
			})
		case "completion":
			cmd.Args = UsageArgs(UnknownCommand)
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// RunWithin runs a command line as if in a process of its own, and returns its standard output. Its standard error
// goes to messages.
func RunWithin(ctx context.Context, root *cobra.Command, words []string, messages io.Writer) ([]byte, error) {
	client := unpack.NewClient(&storage.Client{Sources: new(storage.Sources)})
	defer client.Close()
	s := SessionOf(ctx)
	s.Client, s.Progress = client, new(terminal.Progress)
	ctx = WithSpending(s.In(ctx))
	defer spendingOver(ctx)
	var answer bytes.Buffer
	root.SetArgs(words)
	root.SetOut(&answer)
	root.SetErr(messages)
	root.SetIn(new(bytes.Reader))
	_, err := root.ExecuteContextC(ctx)
	err = WithChange(err, client.Sources)
	if spent := new(SpentError); err != nil && errors.As(context.Cause(ctx), &spent) {
		err = spent
	}
	return answer.Bytes(), err
}

// WordsOf are the flags of a command, without some, as words, in a form that does not depend on how
// they were typed.
func WordsOf(cmd *cobra.Command, without []string) (words []string, err error) {
	words = []string{}
	add := func(name, value string) { words = append(words, "--"+name+"="+value) }
	for variable, flag := range map[string]string{"TENSOGRAM_ALLOW_NAN": "allow-nan", "TENSOGRAM_ALLOW_INF": "allow-inf"} {
		if v := os.Getenv(variable); v != "" && cmd.LocalFlags().Lookup(flag) != nil && !cmd.Flags().Changed(flag) {
			if err := cmd.Flags().Set(flag, v); err != nil {
				return nil, Usagef("%s is %q, expected true or false", variable, v)
			}
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(without, f.Name) {
			return
		}
		list, isList := f.Value.(pflag.SliceValue)
		switch {
		case f.Value.Type() == "stringToString":
			table, tableErr := cmd.Flags().GetStringToString(f.Name)
			err = errors.Join(err, tableErr)
			for key, value := range table {
				add(f.Name, key+"="+value)
			}
		case isList:
			for _, value := range list.GetSlice() {
				add(f.Name, value)
			}
		default:
			add(f.Name, f.Value.String())
		}
	})
	slices.SortStableFunc(words, func(a, b string) int {
		a, _, _ = strings.Cut(a, "=")
		b, _, _ = strings.Cut(b, "=")
		return strings.Compare(a, b)
	})
	return words, err
}

// VerbNamed finds a verb by its words, such as grib ls.
func VerbNamed(root *cobra.Command, words []string) (*cobra.Command, error) {
	at := root
	for _, name := range words {
		verbs := at.Commands()
		i := slices.IndexFunc(verbs, func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) })
		if i < 0 {
			return nil, UnknownCommand(at, []string{name})
		}
		at = verbs[i]
	}
	return at, nil
}

// VerbFor is the verb of a name, to be run in place of cmd.
func VerbFor(cmd *cobra.Command, name string) *cobra.Command {
	verbs := WholeTree(cmd).Commands()
	other := verbs[slices.IndexFunc(verbs, func(c *cobra.Command) bool { return c.Name() == name })]
	other.SetContext(cmd.Context())
	return other
}
