package cli

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

// A Summary reports the work of a verb that writes outputs: one form for all of them, as lines for people
// or as one JSON object.
type Summary struct {
	Quiet, JSON bool
	Began       time.Time
	Outputs     []string // that are complete
	Figures     []Figure // what was done, in the order of the JSON
	BytesIn     int64
	BytesOut    int64
	Warnings    []importers.Warning
	Skipped     []*importers.BadInput // inputs, and parts of them, that are bad and were left out
	// There may be more than are listed.
	WarningCount, SkippedCount int
	// Unsized: how many bytes were read and written is not known.
	Unsized bool
	// Did describes the work in words; also follows the figures.
	Did, Also string
}

// A Figure is a number, or a table of numbers, with its name in JSON.
type Figure struct {
	Key   string
	Value any
}

// Warn adds warnings that name their inputs themselves.
func (s *Summary) Warn(texts ...string) {
	for _, text := range texts {
		s.Warnings = append(s.Warnings, importers.Warning{Text: text})
	}
	s.WarningCount = len(s.Warnings)
}

// Skip adds bad inputs that the texts name.
func (s *Summary) Skip(texts ...string) {
	for _, text := range texts {
		s.Skipped = append(s.Skipped, &importers.BadInput{Err: errors.New(text)})
	}
	s.SkippedCount = len(s.Skipped)
}

// PrintedWarnings is how many warnings, and how many skipped inputs, are printed; the summary counts
// all.
const PrintedWarnings = 20

// Print prints everything. JSON goes to standard error where the data go to standard output.
func (s *Summary) Print(cmd *cobra.Command, output string) error {
	if !s.JSON {
		s.List(cmd.ErrOrStderr())
		return s.line(cmd.ErrOrStderr())
	}
	w := cmd.OutOrStdout()
	if output == "" || output == storage.Stdin {
		w = cmd.ErrOrStderr()
	}
	return printJSON(w, s)
}

// List lists bad inputs and warnings.
func (s *Summary) List(w io.Writer) {
	if s.JSON {
		return // in the summary
	}
	for i, bad := range s.Skipped[:min(len(s.Skipped), PrintedWarnings)] {
		fmt.Fprintf(w, "tgmconv: skipped: %s\n", safetext.Line(ErrorText(bad)))
		if i == PrintedWarnings-1 && s.SkippedCount > PrintedWarnings {
			fmt.Fprintf(w, "tgmconv: skipped: and %d more\n", s.SkippedCount-PrintedWarnings)
		}
	}
	if s.Quiet {
		return
	}
	for i, n := range s.Warnings[:min(len(s.Warnings), PrintedWarnings)] {
		fmt.Fprintf(w, "tgmconv: warning: %s\n", safetext.Line(n.String()))
		if i == PrintedWarnings-1 && s.WarningCount > PrintedWarnings {
			fmt.Fprintf(w, "tgmconv: warning: and %d more (--json lists them)\n", s.WarningCount-PrintedWarnings)
		}
	}
}

// line is the summary in one line.
func (s *Summary) line(w io.Writer) error {
	if s.Quiet {
		return nil
	}
	var text strings.Builder
	text.WriteString("tgmconv: " + s.Did)
	switch {
	case s.Unsized:
	case s.BytesIn > 0:
		fmt.Fprintf(&text, ", %s -> %s (%.3g)", show.Bytes(s.BytesIn), show.Bytes(s.BytesOut), float64(s.BytesOut)/float64(s.BytesIn))
	default:
		fmt.Fprintf(&text, ", %s written", show.Bytes(s.BytesOut))
	}
	fmt.Fprintf(&text, ", %s s, ", secondsText(time.Since(s.Began)))
	if s.WarningCount == 0 {
		text.WriteString("no warnings")
	} else {
		text.WriteString(Count(s.WarningCount, "warning"))
	}
	if s.SkippedCount > 0 {
		fmt.Fprintf(&text, ", %d skipped", s.SkippedCount)
	}
	_, err := fmt.Fprintln(w, text.String()+s.Also)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (s *Summary) MarshalJSON() ([]byte, error) {
	type entry struct {
		Where string `json:"where"`
		Text  string `json:"text"`
	}
	warnings, skipped := []entry{}, []entry{}
	for _, n := range s.Warnings {
		warnings = append(warnings, entry{n.Where, n.Text})
	}
	for _, b := range s.Skipped {
		skipped = append(skipped, entry{b.Where, ErrorText(b.Err)})
	}
	figures := append([]Figure{{"outputs", append([]string{}, s.Outputs...)}}, s.Figures...)
	if !s.Unsized {
		figures = append(figures, Figure{"bytes_in", s.BytesIn}, Figure{"bytes_out", s.BytesOut})
	}
	figures = append(figures, Figure{"seconds", time.Since(s.Began).Seconds()},
		Figure{"warning_count", s.WarningCount}, Figure{"warnings", warnings}, Figure{"skipped_count", s.SkippedCount}, Figure{"skipped", skipped})
	b := []byte{'{'}
	for i, f := range figures {
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, f.Key), ':'), value...)
	}
	return append(b, '}'), nil
}

// IsOrAre is count with its verb.
func IsOrAre(n int, what string) string {
	if n == 1 {
		return Count(n, what) + " is"
	}
	return Count(n, what) + " are"
}

// Count is a number of things: 1 field, 2 fields.
func Count(n int, what string) string { return show.Count(n, what) }

func secondsText(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}

// ListPassed warns of inputs that are passed over.
func (s *Summary) ListPassed(cmd *cobra.Command, passed []string) {
	s.Warn(passed...)
	s.List(cmd.ErrOrStderr())
}
