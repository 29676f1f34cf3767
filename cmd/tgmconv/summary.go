package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/storage"
)

// A summary says what a verb did that writes outputs: one form for all of them, as lines for people
// or as one JSON object.
type summary struct {
	quiet, json bool
	began       time.Time
	outputs     []string // that are complete
	figures     []figure // what was done, in the order of the JSON
	bytesIn     int64
	bytesOut    int64
	warnings    []importers.Warning
	skipped     []*importers.BadInput // inputs, and parts of them, that are bad and were left out
	// There may be more than are listed.
	warningCount, skippedCount int
	// unsized: how many bytes were read and written is not known.
	unsized bool
	// did is what was done, in words; also follows the figures.
	did, also string
}

// A figure is a number, or a table of numbers, with its name in JSON.
type figure struct {
	key   string
	value any
}

// warn adds warnings that name their inputs themselves.
func (s *summary) warn(texts ...string) {
	for _, text := range texts {
		s.warnings = append(s.warnings, importers.Warning{Text: text})
	}
	s.warningCount = len(s.warnings)
}

// skip adds bad inputs that the texts name.
func (s *summary) skip(texts ...string) {
	for _, text := range texts {
		s.skipped = append(s.skipped, &importers.BadInput{Err: errors.New(text)})
	}
	s.skippedCount = len(s.skipped)
}

// printedWarnings is how many warnings, and how many skipped inputs, are printed; the summary counts
// all.
const printedWarnings = 20

// print prints everything. JSON goes to standard error where the data go to standard output.
func (s *summary) print(cmd *cobra.Command, output string) error {
	if !s.json {
		s.list(cmd.ErrOrStderr())
		return s.line(cmd.ErrOrStderr())
	}
	w := cmd.OutOrStdout()
	if output == "" || output == storage.Stdin {
		w = cmd.ErrOrStderr()
	}
	return printJSON(w, s)
}

// list lists bad inputs and what the user should know.
func (s *summary) list(w io.Writer) {
	if s.json {
		return // in the summary
	}
	for i, bad := range s.skipped[:min(len(s.skipped), printedWarnings)] {
		fmt.Fprintf(w, "tgmconv: skipped: %s\n", safetext.Line(errorText(bad)))
		if i == printedWarnings-1 && s.skippedCount > printedWarnings {
			fmt.Fprintf(w, "tgmconv: skipped: and %d more\n", s.skippedCount-printedWarnings)
		}
	}
	if s.quiet {
		return
	}
	for i, n := range s.warnings[:min(len(s.warnings), printedWarnings)] {
		fmt.Fprintf(w, "tgmconv: warning: %s\n", safetext.Line(n.String()))
		if i == printedWarnings-1 && s.warningCount > printedWarnings {
			fmt.Fprintf(w, "tgmconv: warning: and %d more (--json lists them)\n", s.warningCount-printedWarnings)
		}
	}
}

// line says in one line what was done.
func (s *summary) line(w io.Writer) error {
	if s.quiet {
		return nil
	}
	var text strings.Builder
	text.WriteString("tgmconv: " + s.did)
	switch {
	case s.unsized:
	case s.bytesIn > 0:
		fmt.Fprintf(&text, ", %s -> %s (%.3g)", show.Bytes(s.bytesIn), show.Bytes(s.bytesOut), float64(s.bytesOut)/float64(s.bytesIn))
	default:
		fmt.Fprintf(&text, ", %s written", show.Bytes(s.bytesOut))
	}
	fmt.Fprintf(&text, ", %s s, ", secondsText(time.Since(s.began)))
	if s.warningCount == 0 {
		text.WriteString("no warnings")
	} else {
		text.WriteString(count(s.warningCount, "warning"))
	}
	if s.skippedCount > 0 {
		fmt.Fprintf(&text, ", %d skipped", s.skippedCount)
	}
	_, err := fmt.Fprintln(w, text.String()+s.also)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (s *summary) MarshalJSON() ([]byte, error) {
	type entry struct {
		Where string `json:"where"`
		Text  string `json:"text"`
	}
	warnings, skipped := []entry{}, []entry{}
	for _, n := range s.warnings {
		warnings = append(warnings, entry{n.Where, n.Text})
	}
	for _, b := range s.skipped {
		skipped = append(skipped, entry{b.Where, errorText(b.Err)})
	}
	figures := append([]figure{{"outputs", append([]string{}, s.outputs...)}}, s.figures...)
	if !s.unsized {
		figures = append(figures, figure{"bytes_in", s.bytesIn}, figure{"bytes_out", s.bytesOut})
	}
	figures = append(figures, figure{"seconds", time.Since(s.began).Seconds()},
		figure{"warning_count", s.warningCount}, figure{"warnings", warnings}, figure{"skipped_count", s.skippedCount}, figure{"skipped", skipped})
	b := []byte{'{'}
	for i, f := range figures {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, f.key), ':'), value...)
	}
	return append(b, '}'), nil
}

// isOrAre is count with its verb.
func isOrAre(n int, what string) string {
	if n == 1 {
		return count(n, what) + " is"
	}
	return count(n, what) + " are"
}

func count(n int, what string) string { return show.Count(n, what) }

func secondsText(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}

// listPassed warns of inputs that are passed over.
func (s *summary) listPassed(cmd *cobra.Command, passed []string) {
	s.warn(passed...)
	s.list(cmd.ErrOrStderr())
}
