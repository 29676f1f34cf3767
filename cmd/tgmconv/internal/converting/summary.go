package converting

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/importers"
)

// reportOf is the report of a conversion.
func (c *Conversion) reportOf(r *importers.Report) *cli.Summary {
	return &cli.Summary{Quiet: c.quiet, JSON: c.json, Warnings: r.WarningList, WarningCount: r.Warnings, Skipped: r.SkippedList, SkippedCount: r.Skipped,
		BytesIn: r.BytesIn, BytesOut: r.BytesOut}
}

// summary summarises a conversion.
func (c *Conversion) summary(cmd *cobra.Command, done *cli.Summary, r *importers.Report, t *target) error {
	if !c.json && !c.quiet && t.upToDate > 0 && len(t.written) == 0 {
		done.List(cmd.ErrOrStderr())
		_, err := fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: nothing to do, %s newer than the inputs\n", cli.IsOrAre(t.upToDate, "output"))
		return err
	}
	done.Outputs = t.written
	exact := r.Exact
	if exact == nil {
		exact = map[string]int{}
	}
	done.Figures = []cli.Figure{{Key: "up_to_date", Value: t.upToDate}, {Key: "fields", Value: r.Fields}, {Key: "coordinates", Value: r.Coordinates}, {Key: "messages", Value: r.Messages}, {Key: "exact", Value: exact}}
	done.Did = cli.Count(r.Fields, "field") + " in " + cli.Count(r.Messages, "message")
	if len(t.written) != 1 && len(t.written) > 0 || t.upToDate > 0 {
		done.Did += " of " + cli.Count(len(t.written), "file")
	}
	if t.upToDate > 0 {
		done.Also += ", " + cli.IsOrAre(t.upToDate, "output") + " up to date"
	}
	if len(exact) > 0 {
		done.Also += ", values kept exact: " + exactText(exact)
	}
	return done.Print(cmd, c.Output)
}

// exactText lists the numbers of fields that a lossy encoding was not used for.
func exactText(exact map[string]int) string {
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(exact)) {
		list = append(list, fmt.Sprintf("%d %s", exact[reason], reason))
	}
	return strings.Join(list, ", ")
}
