package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainTypes has the help of every verb name the types of flags in words that are no names of Go.
func plainTypes(root *cobra.Command) {
	words := strings.NewReplacer( // of one length, which keeps the columns
		" stringArray ", " strings     ",
		" stringToString ", " KEY=VALUE,...  ",
		" float64Slice ", " floats       ",
	)
	usage := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		var text bytes.Buffer
		out := cmd.OutOrStderr()
		cmd.SetOut(&text)
		err := usage(cmd)
		cmd.SetOut(out)
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, words.Replace(text.String()))
		return err
	})
}

// dropFormat takes the name of the format from the usage of flags, for verbs that have only one.
func dropFormat(cmd *cobra.Command, format string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.TrimPrefix(f.Usage, format+": ") })
}

// hint says where a user whose command line was wrong finds what there is.
func hint(cmd *cobra.Command) string {
	if cmd.HasSubCommands() {
		return cmd.CommandPath() + " --help lists the commands"
	}
	return cmd.CommandPath() + " --help lists the flags"
}
