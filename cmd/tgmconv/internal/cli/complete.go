package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/inventory"
	"github.com/tgmconv/tgmconv/mapping"
)

// completionTime is how long a shell is kept waiting.
const completionTime = 2 * time.Second

// completeKeys lets the shell complete --where: the keys that the files of the command line have,
// and after = their values; and --keys.
func completeKeys(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		completeKeys(cmd)
	}
	for flag, complete := range map[string]cobra.CompletionFunc{"where": whereCompletions, "keys": keyCompletions} {
		if root.Flags().Lookup(flag) == nil {
			continue
		}
		if err := root.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // a flag that was registered twice, which any use of the command shows
		}
	}
}

// keyCompletions completes the last of several keys joined by commas.
func keyCompletions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var found []cobra.Completion
	for key := range presentKeys(cmd, args, inventory.UsualKeys()) {
		found = append(found, before+key)
	}
	return completions(found, typed)
}

func whereCompletions(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	partial := mapping.ParsePartialClause(typed)
	var found []cobra.Completion
	if partial.Key == "" {
		for key := range presentKeys(cmd, args, inventory.UsualKeys()) {
			found = append(found, partial.Prefix+key+"=")
		}
		return completions(found, typed)
	}
	for value := range presentKeys(cmd, args, []string{partial.Key})[partial.Key] {
		found = append(found, partial.Prefix+value)
	}
	return completions(found, typed)
}

// completions are the texts that begin with the typed word, in order.
func completions(texts []cobra.Completion, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	texts = slices.DeleteFunc(texts, func(c string) bool { return !strings.HasPrefix(c, typed) })
	slices.Sort(texts)
	return texts, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// presentKeys are the keys that the files of the command line have, with their values.
func presentKeys(cmd *cobra.Command, names, keys []string) inventory.Found {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	return inventory.Of(ctx, names, keys, inventory.Options{Client: ClientOf(cmd)})
}
