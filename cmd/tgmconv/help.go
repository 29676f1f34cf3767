package main

import (
	"bytes"
	"io"
	"slices"
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

// commandGroups are the verbs as the help lists them.
var commandGroups = []struct {
	id, title string
	verbs     []string
}{
	{"look", "Look into files:", []string{"info", "ls", "dump", "get", "stats", "values", "plot", "validate"}},
	{"convert", "Convert:", []string{"convert", "convert-grib", "convert-netcdf", "convert-zarr", "convert-tet", "to-netcdf", "to-grib", "to-zarr", "to-tet"}},
	{"serve", "Serve:", []string{"serve", "refs"}},
	{"edit", "Edit Tensogram files:", []string{"copy", "cat", "merge", "split", "set", "reshuffle", "repair", "checksum"}},
	{"formats", "Work with one format, as its own tools do:", []string{"grib", "netcdf", "tet"}},
	{"about", "About this program:", []string{"doctor", "version"}},
}

// groupCommands sorts the verbs of the help into groups.
func groupCommands(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.verbs, cmd.Name()) {
				cmd.GroupID = g.id
			}
		}
	}
	last := commandGroups[len(commandGroups)-1].id
	root.SetHelpCommandGroupID(last)
	root.SetCompletionCommandGroupID(last)
}
