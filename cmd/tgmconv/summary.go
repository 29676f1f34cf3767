package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/show"
	"github.com/tgmconv/tgmconv/storage"
)

// printedWarnings is how many warnings, and how many skipped parts, are printed; the summary counts
// all.
const printedWarnings = 20

// printWarnings lists what the user should know, on standard error.
func (c *conversion) printWarnings(w io.Writer, r *importers.Report) {
	if c.json {
		return // in the summary
	}
	for i, s := range r.SkippedList {
		if i == printedWarnings {
			fmt.Fprintf(w, "tgmconv: skipped: and %d more\n", r.Skipped-printedWarnings)
			break
		}
		fmt.Fprintf(w, "tgmconv: skipped: %s\n", safetext.Line(errorText(s)))
	}
	if c.quiet {
		return
	}
	for i, n := range r.WarningList {
		if i == printedWarnings {
			fmt.Fprintf(w, "tgmconv: warning: and %d more (--json lists them)\n", r.Warnings-printedWarnings)
			break
		}
		fmt.Fprintf(w, "tgmconv: warning: %s\n", safetext.Line(n.String()))
	}
}

// summary says what a conversion did: a line for people, or JSON.
func (c *conversion) summary(cmd *cobra.Command, r *importers.Report, t *target) error {
	if c.json {
		w := cmd.OutOrStdout()
		if c.output == "" || c.output == storage.Stdin {
			w = cmd.ErrOrStderr()
		}
		return c.writeJSON(w, r, t)
	}
	if c.quiet {
		return nil
	}
	warnings := "no warnings"
	if n := r.Warnings; n > 0 {
		warnings = count(n, "warning")
	}
	if r.Skipped > 0 {
		warnings += ", " + strconv.Itoa(r.Skipped) + " skipped"
	}
	if t.upToDate > 0 && len(t.written) == 0 {
		_, err := fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: nothing to do, %s newer than the inputs\n", isOrAre(t.upToDate, "output"))
		return err
	}
	files := ""
	if len(t.written) != 1 && len(t.written) > 0 || t.upToDate > 0 {
		files = " of " + count(len(t.written), "file")
	}
	if t.upToDate > 0 {
		warnings += ", " + isOrAre(t.upToDate, "output") + " up to date"
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s in %s%s, %s -> %s%s, %s s, %s\n", count(r.Fields, "field"),
		count(r.Messages, "message"), files, show.Bytes(r.BytesIn), show.Bytes(r.BytesOut), ratioText(r), secondsText(r.Elapsed), warnings)
	return err
}

func (c *conversion) writeJSON(w io.Writer, r *importers.Report, t *target) error {
	type entry struct {
		Where string `json:"where"`
		Text  string `json:"text"`
	}
	s := struct {
		Output       string   `json:"output"`
		Outputs      []string `json:"outputs"`
		UpToDate     int      `json:"up_to_date"`
		Fields       int      `json:"fields"`
		Coordinates  int      `json:"coordinates"`
		Messages     int      `json:"messages"`
		BytesIn      int64    `json:"bytes_in"`
		BytesOut     int64    `json:"bytes_out"`
		Seconds      float64  `json:"seconds"`
		WarningCount int      `json:"warning_count"`
		Warnings     []entry  `json:"warnings"`
		SkippedCount int      `json:"skipped_count"`
		Skipped      []entry  `json:"skipped"`
	}{
		c.output, append([]string{}, t.written...), t.upToDate, r.Fields, r.Coordinates, r.Messages, r.BytesIn, r.BytesOut, r.Elapsed.Seconds(),
		r.Warnings, []entry{}, r.Skipped, []entry{},
	}
	for _, n := range r.WarningList {
		s.Warnings = append(s.Warnings, entry{n.Where, n.Text})
	}
	for _, b := range r.SkippedList {
		s.Skipped = append(s.Skipped, entry{b.Where, errorText(b.Err)})
	}
	return printJSON(w, s)
}

// isOrAre is count with its verb.
func isOrAre(n int, what string) string {
	if n == 1 {
		return count(n, what) + " is"
	}
	return count(n, what) + " are"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// ratioText is the size of the output relative to the input, where both are known.
func ratioText(r *importers.Report) string {
	if r.BytesIn <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.3g)", float64(r.BytesOut)/float64(r.BytesIn))
}

func secondsText(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}
