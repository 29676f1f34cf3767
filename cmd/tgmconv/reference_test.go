package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
)

//go:generate go test -run TestReference -update .

var updateReference = flag.Bool("update", false, "rewrite the pages of docs/reference that list flags")

// TestReference holds that docs/reference has a current page of each group of verbs. With -update it writes the pages.
func TestReference(t *testing.T) {
	root := newRoot()
	for _, g := range cli.CommandGroups {
		path := filepath.Join("..", "..", "docs", "reference", "verbs-"+g.Id+".md")
		page := referencePage(root, strings.TrimSuffix(g.Title, ":"), g.Verbs)
		if *updateReference {
			if err := os.WriteFile(path, page, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, page) {
			t.Errorf("%s is not what the declarations of flags give: run go generate ./cmd/tgmconv (%v)", path, err)
		}
	}
}

// referencePage returns the page of a group of verbs, in Markdown.
func referencePage(root *cobra.Command, title string, verbs []string) []byte {
	var page bytes.Buffer
	fmt.Fprintf(&page, "# %s\n\n<!-- Made by go generate ./cmd/tgmconv of the declarations of flags. -->\n\n", title)
	fmt.Fprintf(&page, "Flags that all verbs have are listed [once](verbs-about.md#flags-of-all-verbs).\n")
	for _, name := range verbs {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			panic(err)
		}
		writeReference(&page, cmd)
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				writeReference(&page, sub)
			}
		}
	}
	if slices.Contains(verbs, "version") {
		fmt.Fprintf(&page, "\n## Flags of all verbs\n\n")
		writeFlags(&page, root.PersistentFlags())
	}
	return page.Bytes()
}

// writeReference writes the section of a verb: its help with the flags as tables.
func writeReference(page *bytes.Buffer, cmd *cobra.Command) {
	fmt.Fprintf(page, "\n## %s\n\n%s.\n\n```text\n%s\n```\n", strings.TrimPrefix(cmd.CommandPath(), "tgmconv "), escaped(cmd.Short), cmd.UseLine())
	if cmd.Long != "" {
		fmt.Fprintf(page, "\n```text\n%s\n```\n", strings.TrimSpace(cmd.Long))
	}
	if cmd.Example != "" {
		fmt.Fprintf(page, "\nExamples:\n\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(cmd.Example), "\n  ", "\n"))
	}
	rest := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	rest.SortFlags = false
	grouped := make(map[string]bool)
	for _, g := range cli.FlagGroups {
		for _, name := range g.Flags {
			grouped[name] = true
		}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] && f.Name != "help" {
			rest.AddFlag(f)
		}
	})
	if rest.HasAvailableFlags() {
		page.WriteString("\n")
		writeFlags(page, rest)
	}
	for _, g := range cli.FlagGroups {
		set := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.Flags {
			if f := cmd.LocalFlags().Lookup(name); f != nil && cmd.InheritedFlags().Lookup(name) == nil {
				set.AddFlag(f)
			}
		}
		if set.HasAvailableFlags() {
			fmt.Fprintf(page, "\n%s:\n\n", g.Title)
			writeFlags(page, set)
		}
	}
}

// writeFlags writes a table of flags.
func writeFlags(page *bytes.Buffer, flags *pflag.FlagSet) {
	page.WriteString("| flag | default | meaning |\n|---|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		value = strings.NewReplacer("stringArray", "strings", "stringToString", "KEY=VALUE,...", "float64Slice", "floats").Replace(value)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		fallback := ""
		if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
			fallback = "`" + f.DefValue + "`"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s |\n", name, fallback, escaped(usage))
	})
}

// escaped returns a text that Markdown shows as it is, also in a table.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "[", `\[`, "\n", " ").Replace(text)
}
