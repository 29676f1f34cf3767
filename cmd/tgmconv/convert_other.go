package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
	for _, k := range convertKinds {
		names = append(names, strings.TrimPrefix(k.suffixes[0], "."))
	}
	return names
}

func (o *otherOutput) declare(s *option.Set) {
	names := convertNames()
	s.Add(option.Option{Name: "to", Value: &o.to, Words: names, Help: "format to write: " + orList(names) + "; if not given, the format of the output's name, or tgm"}, nil)
	s.Bool("force", &o.force, "take the last word for the output also where it exists, and replace it")
	o.change.Declare(s)
	o.change.DeclareType(s)
}

// positional returns the inputs of a command, whose last word may be its output: a name that says a format and does
// not exist, or a folder that ends in /. Then it is the value of the flag --output.
func (o *otherOutput) positional(cmd *cobra.Command, args []string) (inputs []string, err error) {
	last := len(args) - 1
	if last < 1 || cmd.Flags().Changed("output") {
		return args, nil
	}
	name := args[last]
	said := kindOf(name) != nil || o.to != ""
	if o.force || said && isNew(name) || strings.HasSuffix(name, "/") && !storage.IsRemote(name) {
		return args[:last], cmd.Flags().Set("output", name)
	}
	if kind := kindOf(name); kind == tensogramFiles || slices.Contains(convertKinds, kind) && kind != kindOf(args[0]) {
		return args, refuseExisting(name)
	}
	return args, nil
}

// kind is the format to write, of which the name of the output may say one.
func (o *otherOutput) kind(output string) (*fileKind, error) {
	said := kindOf(output)
	if o.to == "" {
		if said == nil {
			said = tensogramFiles
		}
		return said, nil
	}
	for _, k := range convertKinds {
		switch {
		case !slices.Contains(k.suffixes, "."+strings.ToLower(o.to)) && !strings.EqualFold(k.name, o.to):
		case said != nil && said != k:
			return nil, usagef("output %s: the name is one of %s, and --to is %s", output, said.name, o.to)
		default:
			return k, nil
		}
	}
	return nil, usagef("--to is %q, expected %s", o.to, orList(convertNames()))
}

// run writes another format by the verb for it, with the flags that were given to cmd. It is false for Tensogram,
// which cmd writes itself.
func (o *otherOutput) run(cmd *cobra.Command, inputs []string, output string) (bool, error) {
	kind, err := o.kind(output)
	switch {
	case err != nil:
		return false, err
	case kind == tensogramFiles:
		return false, nil
	case !slices.Contains(convertKinds, kind):
		return true, checkOutputName(cmd, output)
	case hasKeys(output):
		return true, usagef("output %s: names with [keys] are for Tensogram, and this one is to be %s", output, kind.name)
	}
	other := verbFor(cmd, kind.verb)
	if err := giveFlags(cmd, other, output, kind); err != nil {
		return true, err
	}
	if kind == parquetFiles {
		if err := other.Flags().Set("all", "true"); err != nil {
			return true, err
		}
	}
	return true, other.RunE(other, inputs)
}

// hasKeys reports whether the name of an output has keys in brackets.
func hasKeys(output string) bool {
	t, err := edit.ParseTemplate(output)
	return err == nil && len(t.Keys()) > 0
}

// giveFlags sets the flags of a command in another one, which writes a format.
func giveFlags(from, to *cobra.Command, output string, kind *fileKind) error {
	var err error
	from.Flags().Visit(func(f *pflag.Flag) {
		target := to.Flags().Lookup(f.Name)
		if target == nil {
			target = to.InheritedFlags().Lookup(f.Name)
		}
		switch {
		case err != nil, f.Name == "to", f.Name == "force", target == f: // one of all commands
		case target == nil && f.Name == "quiet": // the verb prints nothing but what it writes
		case target == nil && (f.Name == "dtype" || slices.Contains(changeNames(), f.Name)):
			err = usagef("--%s is not for %s", f.Name, kind.name)
		case target == nil:
			err = usagef("--%s is for Tensogram, and %s is to be %s (tgmconv %s --help lists the flags for it)", f.Name, shown(output), kind.name, kind.verb)
		default:
			err = setFlag(to.Flags(), target, f.Value)
		}
	})
	return err
}

// setFlag gives a flag the value of another one.
func setFlag(flags *pflag.FlagSet, flag *pflag.Flag, value pflag.Value) error {
	list, isList := value.(pflag.SliceValue)
	target, takesList := flag.Value.(pflag.SliceValue)
	if !isList || !takesList {
		return flags.Set(flag.Name, value.String())
	}
	flag.Changed = true
	return target.Replace(list.GetSlice())
}
