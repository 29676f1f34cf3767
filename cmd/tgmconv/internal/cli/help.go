package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tgmconv/tgmconv/mapping"
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
		others, show := groupedFlags(cmd)
		err := usage(cmd)
		show()
		cmd.SetOut(out)
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, words.Replace(withGroups(text.String(), others)))
		return err
	})
}

// FlagGroups are the flags that the help lists after the common flags.
var FlagGroups = []struct {
	Title string
	Flags []string
}{
	{"Choose what is taken", []string{
		"where", "sel", "bbox", "variable", "drop", "rename", "group", "index", "slice", "lat", "lon", "names", "time", "view", "duplicates", "min-fill",
	}},
	{"How values are stored", []string{
		"encoding", "bits", "filter", "compression", "compression-level", "stage-param", "pack", "packing", "format", "deflate", "zstd", "shuffle", "chunks",
		"codec", "dtype", "split", "split-by", "group-by", "coordinates", mapping.KeyCF,
	}},
	{"For experts", []string{
		"allow-nan", "allow-inf", "nan-mask-method", "pos-inf-mask-method", "neg-inf-mask-method", "small-mask-threshold", "reproducible", "stream",
		"temp-dir", "threads", "repeat-metadata", "all-keys", "no-sections", "keep-data", MaxPointsFlag, MaxMemoryFlag, maxArrayFlag, maxUnpackedFlag, maxWorkFlag,
		"skip-hashes", "header", externalFlag,
	}},
}

// groupedFlags hides the flags of groups until show is called, and returns their lists. Short lists of flags are not
// divided; the limits of all verbs are among those for experts everywhere.
func groupedFlags(cmd *cobra.Command) (lists string, show func()) {
	var hidden []*pflag.Flag
	own := 0
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			own++
		}
	})
	for i, g := range FlagGroups {
		set := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.Flags {
			f, inherited := cmd.LocalFlags().Lookup(name), cmd.InheritedFlags().Lookup(name)
			switch {
			case f != nil && (own > shortList || i == len(FlagGroups)-1):
			case inherited != nil && i == len(FlagGroups)-1:
				f = inherited
			default:
				continue
			}
			if !f.Hidden {
				set.AddFlag(f)
				hidden = append(hidden, f)
			}
		}
		if text := set.FlagUsages(); text != "" {
			lists += "\n" + g.Title + ":\n" + text
		}
	}
	for _, f := range hidden {
		f.Hidden = true
	}
	return lists, func() {
		for _, f := range hidden {
			f.Hidden = false
		}
	}
}

// shortList is how many flags of its own a verb has whose help lists them without groups.
const shortList = 8

// withGroups adds lists of flags to a usage, after its own flags.
func withGroups(usage, lists string) string {
	before, rest := usage, ""
	if i := strings.Index(usage, "\nGlobal Flags:\n"); i >= 0 {
		before, rest = usage[:i], usage[i:]
		if after := strings.TrimPrefix(rest, "\nGlobal Flags:\n"); strings.TrimSpace(after) == "" || strings.HasPrefix(after, "\n") {
			rest = after // all of them are in the lists
		}
	} else if i := strings.LastIndex(usage, "\nUse \""); i >= 0 {
		before, rest = usage[:i], usage[i:]
	}
	return before + lists + rest
}

// CommandGroups are the verbs as the help lists them.
var CommandGroups = []struct {
	Id, Title string
	Verbs     []string
}{
	{"look", "Look into files:", []string{"info", "ls", "dump", "get", "stats", "values", "extract", "index", "plot", "view", "validate"}},
	{"convert", "Convert:", []string{"convert", "convert-grib", "convert-netcdf", "convert-zarr", "convert-tet", "to-netcdf", "to-grib", "to-zarr", "to-tet"}},
	{"plan", "Convert on many machines:", []string{"plan", "work", "commit"}},
	{"serve", "Serve:", []string{"serve", "refs"}},
	{"edit", "Edit Tensogram files:", []string{"copy", "cat", "merge", "split", "set", "reshuffle", "repair", "checksum"}},
	{"formats", "Work with one format, as its own tools do:", []string{"grib", "netcdf", "tet"}},
	{"about", "About this program:", []string{"doctor", "schema", "version", "worker"}},
}

// addGroups has the help list verbs in groups.
func addGroups(root *cobra.Command) {
	for _, g := range CommandGroups {
		root.AddGroup(&cobra.Group{ID: g.Id, Title: g.Title})
	}
	last := CommandGroups[len(CommandGroups)-1].Id
	root.SetHelpCommandGroupID(last)
	root.SetCompletionCommandGroupID(last)
}

// groupOf is the group of a verb, "" if it is in none.
func groupOf(verb string) string {
	for _, g := range CommandGroups {
		if slices.Contains(g.Verbs, verb) {
			return g.Id
		}
	}
	return ""
}
