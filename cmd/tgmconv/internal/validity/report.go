// Package validity checks files of any format, and reports their errors.
package validity

import (
	"fmt"
	"io"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/show"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Report holds the findings in a file, as JSON shows them.
type Report struct {
	File   string           `json:"file"`
	Format importers.Format `json:"format,omitempty"` // absent of a file that could not be looked at
	tgm.Report
	// Warnings are about parts of a file of another format that belong to no message, or are not read.
	Warnings []string `json:"warnings,omitempty"`
}

// Of is the report on a Tensogram file.
func Of(r *tgm.Report) *Report {
	return &Report{Report: *complete(r), Format: importers.FormatTensogram}
}

// Unreadable is the report on a file that could not be looked at.
func Unreadable(err error) *Report {
	return &Report{Report: *complete(&tgm.Report{Status: "failed", FileIssues: []tgm.FileIssue{{Description: err.Error()}}})}
}

// complete makes empty lists of absent ones, which JSON would show as null.
func complete(r *tgm.Report) *tgm.Report {
	if r.FileIssues == nil {
		r.FileIssues = []tgm.FileIssue{}
	}
	if r.Reports == nil {
		r.Reports = []tgm.MessageReport{}
	}
	for i := range r.Reports {
		if r.Reports[i].Issues == nil {
			r.Reports[i].Issues = []tgm.Issue{}
		}
	}
	return r
}

// Print says OK on out; errors go to problems.
func (r *Report) Print(out, problems io.Writer, name string) error {
	for _, issue := range r.FileIssues {
		fmt.Fprintf(problems, "%s: FAILED — %s (%d bytes at byte %d)\n", name, issue.Description, issue.Length, issue.ByteOffset)
	}
	for i, message := range r.Reports {
		for _, issue := range message.Issues {
			verdict := "FAILED"
			if issue.Severity == tgm.SeverityWarning {
				verdict = "warning"
			}
			fmt.Fprintf(problems, "%s: %s — %s\n", name, verdict, issueText(r.place(i, issue), issue))
		}
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(problems, "%s: warning — %s\n", name, text)
	}
	if !r.OK() {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: OK (%s)\n", name, r.counts())
	return err
}

// place names the message and the object that an issue is about. A netCDF or .tet file has none.
func (r *Report) place(message int, issue tgm.Issue) string {
	switch {
	case r.Format == importers.FormatNetCDF, r.Format == importers.FormatZarr, r.Format == importers.FormatTet:
		return ""
	case issue.ObjectIndex != nil:
		return fmt.Sprintf("message %d, object %d", message, *issue.ObjectIndex)
	}
	return fmt.Sprintf("message %d", message)
}

// counts says how many messages and objects were checked.
func (r *Report) counts() string {
	switch r.Format {
	case importers.FormatGRIB:
		return show.Count(r.Messages, "message") + ", " + show.Count(r.Objects, "field")
	case importers.FormatNetCDF, importers.FormatZarr:
		return show.Count(r.Objects, "variable")
	case importers.FormatTet:
		return show.Count(r.Objects, "dataset")
	}
	hashes := ""
	if r.HashVerified {
		hashes = ", hash verified"
	}
	return show.Count(r.Messages, "message") + ", " + show.Count(r.Objects, "object") + hashes
}

// issueText is an issue behind its place.
func issueText(place string, issue tgm.Issue) string {
	text := fmt.Sprintf("%s [%s]", behind(place, issue.Description), issue.Code)
	if issue.ByteOffset != nil {
		text += fmt.Sprintf(" (at byte %d)", *issue.ByteOffset)
	}
	return text
}
