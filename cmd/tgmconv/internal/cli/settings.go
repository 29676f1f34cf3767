package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/option"
)

// Settings that several verbs have.

// DeclareOutput adds the setting of the output.
func DeclareOutput(s *option.Set, p *string, help string) { s.Text("output/o", p, help) }

// DeclareWhere adds the setting of clauses.
func DeclareWhere(s *option.Set, p *[]string, help string) { s.Each("where/w", p, help) }

// DeclareSkipBad adds the setting of verbs that can leave out bad inputs.
func DeclareSkipBad(s *option.Set, p *bool) {
	s.Bool("skip-bad", p, "name bad inputs and go on, instead of stopping; the exit code is 3")
}

// DeclareTempDir adds the setting of the folder of temporary files.
func DeclareTempDir(s *option.Set, p *string) {
	s.Text("temp-dir", p, "folder for temporary files; the output's own if not given")
}

// DeclareQuiet adds the settings of verbs that print a summary.
func DeclareQuiet(s *option.Set, quiet, json *bool) {
	s.Bool("quiet/q", quiet, "no progress, summary or warnings")
	DeclareSummary(s, json)
}

// DeclareSummary adds the setting of the form of the summary, for verbs that may write to standard output.
func DeclareSummary(s *option.Set, json *bool) {
	s.Bool("json/j", json, "print the summary as JSON (on standard error when the data go to standard output)")
}

// DeclareJSON adds the setting of verbs that answer.
func DeclareJSON(s *option.Set, p *bool) { s.Bool("json/j", p, "write JSON") }

// completeWords lets the shell complete a flag that takes one of a few words.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	// The only error is a flag that does not exist, or one registered twice: a mistake any use of
	// the command shows.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// OrList joins words: a, b or c.
func OrList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// AndList joins words: a, b and c.
func AndList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
