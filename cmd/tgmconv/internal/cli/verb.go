package cli

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/internal/option"
)

// A Verb is a command as a value: its words, its settings and its work. The settings are declared beside the libraries
// that they configure; flags, completion and checks are made of them here.
type Verb struct {
	Use, Short, Long, Example string
	Words                     cobra.PositionalArgs // expected beside flags; at least one input if nil
	Options                   func(*option.Set)
	InOrder                   bool // whether the help lists the flags as they are declared, not by their names
	Foreign                   []ForeignFlag
	OneOf                     []string // settings of which one at most is given
	Run                       func(cmd *cobra.Command, args []string) error
}

// Command makes the command that users call.
func (v Verb) Command() *cobra.Command {
	if v.Words == nil {
		v.Words = AtLeastOneInput
	}
	set := new(option.Set)
	if v.Options != nil {
		v.Options(set)
	}
	cmd := &cobra.Command{Use: v.Use, Short: v.Short, Long: v.Long, Example: v.Example, Args: UsageArgs(v.Words)}
	cmd.Flags().SortFlags = !v.InOrder
	AddOptions(cmd, set)
	addForeignFlags(cmd, v.Foreign)
	if v.OneOf != nil {
		cmd.MarkFlagsMutuallyExclusive(v.OneOf...)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := rejectForeign(cmd, v.Foreign); err != nil {
			return err
		}
		if err := ValidOptions(cmd, set); err != nil {
			return err
		}
		return v.Run(cmd, args)
	}
	return cmd
}

// AddOptions makes flags of settings, except for flags that the command already has.
func AddOptions(cmd *cobra.Command, set *option.Set) {
	for _, o := range set.Options {
		if cmd.Flags().Lookup(o.Name) != nil {
			continue
		}
		addFlag(cmd.Flags(), o)
		if o.Words != nil {
			completeWords(cmd, o.Name, o.Words)
		}
	}
}

// addFlag makes a flag of a setting.
func addFlag(f *pflag.FlagSet, o *option.Option) {
	switch p := o.Value.(type) {
	case *bool:
		f.BoolVarP(p, o.Name, o.Letter, *p, o.Help)
	case *int:
		f.IntVarP(p, o.Name, o.Letter, *p, o.Help)
	case *int64:
		f.Int64VarP(p, o.Name, o.Letter, *p, o.Help)
	case *float64:
		f.Float64VarP(p, o.Name, o.Letter, *p, o.Help)
	case *string:
		f.StringVarP(p, o.Name, o.Letter, *p, o.Help)
	case *[]string:
		f.StringSliceVarP(p, o.Name, o.Letter, *p, o.Help)
	case *time.Duration:
		f.DurationVarP(p, o.Name, o.Letter, *p, o.Help)
	case *map[string]string:
		f.StringToStringVarP(p, o.Name, o.Letter, *p, o.Help)
		f.Lookup(o.Name).DefValue = ""
	case *[]float64:
		f.Float64SliceVarP(p, o.Name, o.Letter, *p, o.Help)
		f.Lookup(o.Name).DefValue = strings.Trim(strings.ReplaceAll(fmt.Sprint(*p), " ", ","), "[]")
	case *option.Texts:
		f.StringArrayVarP((*[]string)(p), o.Name, o.Letter, *p, o.Help)
	case option.Value:
		f.VarP(p, o.Name, o.Letter, o.Help)
	}
	annotate(f.Lookup(o.Name), o)
	f.Lookup(o.Name).NoOptDefVal = cmp.Or(o.Bare, f.Lookup(o.Name).NoOptDefVal)
}

// ValidOptions makes the checks of settings, whose errors are about the command line.
func ValidOptions(cmd *cobra.Command, set *option.Set) error {
	for _, o := range set.Options {
		o.Given = cmd.Flags().Changed(o.Name)
		if v := os.Getenv(o.Env); o.Env != "" && v != "" && !o.Given {
			if err := cmd.Flags().Lookup(o.Name).Value.Set(v); err != nil {
				return Usagef("%s is %q, expected true or false", o.Env, v)
			}
		}
	}
	if err := set.Validate(); err != nil {
		return Misused(err)
	}
	return nil
}

// annotate keeps the words and the range of a setting with its flag.
func annotate(f *pflag.Flag, o *option.Option) {
	if o.Words == nil && o.From == 0 && o.To == 0 {
		return // most have neither, and each command makes the flags of all verbs
	}
	f.Annotations = make(map[string][]string)
	if o.Words != nil {
		f.Annotations[AnnotatedWords] = o.Words
	}
	if o.From != 0 || o.To != 0 {
		f.Annotations[AnnotatedFrom] = []string{strconv.Itoa(o.From)}
	}
	if o.To != 0 {
		f.Annotations[AnnotatedTo] = []string{strconv.Itoa(o.To)}
	}
}

// Annotations of a flag, which hold the parts of its declaration that a flag has no field for.
const (
	AnnotatedWords = "words"
	AnnotatedFrom  = "from"
	AnnotatedTo    = "to"
)
