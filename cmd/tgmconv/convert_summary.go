package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
)

// reportOf is the report of a conversion.
func (c *conversion) reportOf(r *importers.Report) *summary {
	return &summary{quiet: c.quiet, json: c.json, warnings: r.WarningList, warningCount: r.Warnings, skipped: r.SkippedList, skippedCount: r.Skipped,
		bytesIn: r.BytesIn, bytesOut: r.BytesOut}
}

// summary says what a conversion did.
func (c *conversion) summary(cmd *cobra.Command, done *summary, r *importers.Report, t *target) error {
	if !c.json && !c.quiet && t.upToDate > 0 && len(t.written) == 0 {
		done.list(cmd.ErrOrStderr())
		_, err := fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: nothing to do, %s newer than the inputs\n", isOrAre(t.upToDate, "output"))
		return err
	}
	done.outputs = t.written
	exact := r.Exact
	if exact == nil {
		exact = map[string]int{}
	}
	done.figures = []figure{{"up_to_date", t.upToDate}, {"fields", r.Fields}, {"coordinates", r.Coordinates}, {"messages", r.Messages}, {"exact", exact}}
	done.did = count(r.Fields, "field") + " in " + count(r.Messages, "message")
	if len(t.written) != 1 && len(t.written) > 0 || t.upToDate > 0 {
		done.did += " of " + count(len(t.written), "file")
	}
	if t.upToDate > 0 {
		done.also += ", " + isOrAre(t.upToDate, "output") + " up to date"
	}
	if len(exact) > 0 {
		done.also += ", values kept exact: " + exactText(exact)
	}
	return done.print(cmd, c.output)
}

// exactText lists the numbers of fields that a lossy encoding was not used for.
func exactText(exact map[string]int) string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(exact)) {
		list = append(list, fmt.Sprintf("%d %s", exact[reason], reason))
	}
	return strings.Join(list, ", ")
}
