package converting

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

// otherOutput are the flags by which convert writes another format than Tensogram.
type otherOutput struct {
	to     string
	force  bool
	change dataset.Change // for the verbs of other formats
}

// convertNames are the values of --to: the first suffix of each format. The others, and its name, work as well.
func convertNames() (names []string) {
	for _, k := range cli.ConvertKinds {
		names = append(names, strings.TrimPrefix(k.Suffixes[0], "."))
	}
	return names
}

func (o *otherOutput) declare(s *option.Set) {
	names := convertNames()
	s.Add(option.Option{Name: "to", Value: &o.to, Words: names, Help: "format to write: " + cli.OrList(names) + "; if not given, the format of the output's name, or tgm"}, nil)
	s.Bool("force", &o.force, "take the last word for the output even if it exists, and replace it")
	o.change.Declare(s)
	o.change.DeclareType(s)
}

// Positional returns the inputs of a command, whose last word may be its output: a name that says a format and does
// not exist, or a folder that ends in /. Then it is the value of the flag --output.
func (o *otherOutput) Positional(cmd *cobra.Command, args []string) (inputs []string, err error) {
	last := len(args) - 1
	if last < 1 || cmd.Flags().Changed("output") {
		return args, nil
	}
	name := args[last]
	said := cli.KindOf(name) != nil || o.to != ""
	if o.force || said && cli.IsNew(name) || strings.HasSuffix(name, "/") && !storage.IsRemote(name) {
		return args[:last], cmd.Flags().Set("output", name)
	}
	if kind := cli.KindOf(name); kind == cli.TensogramFiles || slices.Contains(cli.ConvertKinds, kind) && kind != cli.KindOf(args[0]) {
		return args, cli.RefuseExisting(name)
	}
	return args, nil
}

// Kind is the format to write, which the name of the output may choose.
func (o *otherOutput) Kind(output string) (*cli.FileKind, error) {
	said := cli.KindOf(output)
	if o.to == "" {
		if said == nil {
			said = cli.TensogramFiles
		}
		return said, nil
	}
	for _, k := range cli.ConvertKinds {
		switch {
		case !slices.Contains(k.Suffixes, "."+strings.ToLower(o.to)) && !strings.EqualFold(k.Name, o.to):
		case said != nil && said != k:
			return nil, cli.Usagef("output %s: the name is one of %s, and --to is %s", output, said.Name, o.to)
		default:
			return k, nil
		}
	}
	return nil, cli.Usagef("--to is %q, expected %s", o.to, cli.OrList(convertNames()))
}

// Run writes another format by the verb for it, with the flags that were given to cmd. It is false for Tensogram,
// which cmd writes itself.
func (o *otherOutput) Run(cmd *cobra.Command, inputs []string, output string) (bool, error) {
	kind, err := o.Kind(output)
	switch {
	case err != nil:
		return false, err
	case kind == cli.TensogramFiles:
		return false, nil
	case !slices.Contains(cli.ConvertKinds, kind):
		return true, cli.CheckOutputName(cmd, output)
	case HasKeys(output):
		return true, cli.Usagef("output %s: names with [keys] are for Tensogram, and this one is to be %s", output, kind.Name)
	}
	other := cli.VerbFor(cmd, kind.Verb)
	if err := giveFlags(cmd, other, output, kind); err != nil {
		return true, err
	}
	if kind == cli.ParquetFiles {
		if err := other.Flags().Set("all", "true"); err != nil {
			return true, err
		}
	}
	return true, other.RunE(other, inputs)
}

// HasKeys reports whether the name of an output has keys in brackets.
func HasKeys(output string) bool {
	t, err := edit.ParseTemplate(output)
	return err == nil && len(t.Keys()) > 0
}

// giveFlags copies the flags of a command to another command, which writes a format.
func giveFlags(from, to *cobra.Command, output string, kind *cli.FileKind) error {
	var err error
	from.Flags().Visit(func(f *pflag.Flag) {
		target := to.Flags().Lookup(f.Name)
		if target == nil {
			target = to.InheritedFlags().Lookup(f.Name)
		}
		switch {
		case err != nil, f.Name == "to", f.Name == "force", target == f: // one of all commands
		case target == nil && f.Name == "quiet": // the verb prints nothing but what it writes
		case target == nil && (f.Name == "dtype" || slices.Contains(cli.ChangeNames(), f.Name)):
			err = cli.Usagef("--%s is not for %s", f.Name, kind.Name)
		case target == nil:
			err = cli.Usagef("--%s is for Tensogram, and %s is to be %s (tgmconv %s --help lists the flags for it)", f.Name, cli.Shown(output), kind.Name, kind.Verb)
		default:
			err = setFlag(to.Flags(), target, f.Value)
		}
	})
	return err
}

// setFlag gives a flag the value of another flag.
func setFlag(flags *pflag.FlagSet, flag *pflag.Flag, value pflag.Value) error {
	list, isList := value.(pflag.SliceValue)
	target, takesList := flag.Value.(pflag.SliceValue)
	if !isList || !takesList {
		return flags.Set(flag.Name, value.String())
	}
	flag.Changed = true
	return target.Replace(list.GetSlice())
}
