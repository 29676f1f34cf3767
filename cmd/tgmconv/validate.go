package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// validateFlags are the flags of validate.
type validateFlags struct {
	quick, full, checksum bool
	canonical, json       bool
}

func newValidate() *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check Tensogram files: structure, metadata, hashes, values",
		Long: `Check Tensogram files: by default their structure and metadata, and that every object can be decoded and matches
its hash. The exit code is 0 if all files are valid and 1 if one is not; warnings do not count.`,
		Example: `  tgmconv validate forecast.tgm
  tgmconv validate --full --canonical *.tgm
  tgmconv validate --json forecast.tgm | jq '.[].status'`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.quick, "quick", false, "structure only")
	flags.BoolVar(&f.full, "full", false, "values too: find NaN and infinities that no mask declares")
	flags.BoolVar(&f.checksum, "checksum", false, "hashes only")
	flags.BoolVar(&f.canonical, "canonical", false, "warn of metadata whose keys are not in canonical order")
	flags.BoolVarP(&f.json, "json", "j", false, "write JSON")
	return cmd
}

// level is the level the flags ask for; at most one of them can.
func (f *validateFlags) level() (tgm.Level, error) {
	level, n := tgm.LevelDefault, 0
	for _, choice := range []struct {
		given bool
		level tgm.Level
	}{{f.quick, tgm.LevelQuick}, {f.full, tgm.LevelFull}, {f.checksum, tgm.LevelChecksum}} {
		if choice.given {
			level, n = choice.level, n+1
		}
	}
	if n > 1 {
		return level, usagef("validate: expected at most one of --quick, --full and --checksum, found %d", n)
	}
	return level, nil
}

// fileReport is the report on a file as --json shows it.
type fileReport struct {
	File string `json:"file"`
	tgm.Report
}

func (f *validateFlags) run(cmd *cobra.Command, names []string) error {
	level, err := f.level()
	if err != nil {
		return err
	}
	if level == tgm.LevelFull {
		collectRarely(conversionGC)
	} else {
		collectRarely(metadataGC)
	}
	if level != tgm.LevelQuick {
		cmd.SetContext(storage.Whole(cmd.Context()))
	}
	names = expandAll(cmd, names, importers.FormatTensogram)
	reports := make([]fileReport, 0, len(names))
	failed := 0
	for _, name := range names {
		report, err := f.validate(cmd, name, level)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err != nil {
			failed++
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %v\n", inFile(name, err))
			report = unreadable(err)
		} else if !report.OK() {
			failed++
		}
		if f.json {
			reports = append(reports, fileReport{shown(name), *report})
		} else if err == nil {
			if err := printReport(cmd, shown(name), report); err != nil {
				return written(err)
			}
		}
	}
	if f.json {
		data, err := json.MarshalIndent(reports, "", "  ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", data); err != nil {
			return written(err)
		}
	}
	if failed == 0 {
		return nil
	}
	if len(names) > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %d of %d files failed\n", failed, len(names))
	}
	return &reportedError{errors.New("validation failed")}
}

func (f *validateFlags) validate(cmd *cobra.Command, name string, level tgm.Level) (*tgm.Report, error) {
	in, err := pipedInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if in != nil {
		report, err := tgm.ValidatePipe(in, level, tgm.ValidateOptions{Canonical: f.canonical, Completer: fromgrib.NewEntries()})
		if err != nil {
			return nil, err
		}
		return complete(report), nil
	}
	v, err := openView(cmd, name)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	report, err := tgm.Validate(&readProgress{v.disk, progressOf(cmd)}, v.Size(), level, tgm.ValidateOptions{Canonical: f.canonical, Completer: fromgrib.NewEntries()})
	if err != nil {
		return nil, err
	}
	if other := v.otherFormat(); report.Messages == 0 && other != "" {
		report.FileIssues = []tgm.FileIssue{{Length: v.Size(), Description: "found " + other}}
	}
	return complete(report), nil
}

// unreadable is the report on a file that could not be looked at.
func unreadable(err error) *tgm.Report {
	return complete(&tgm.Report{Status: "failed", FileIssues: []tgm.FileIssue{{Description: err.Error()}}})
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

// printReport says OK on standard output; what is wrong goes to standard error.
func printReport(cmd *cobra.Command, name string, report *tgm.Report) error {
	out, problems := cmd.OutOrStdout(), cmd.ErrOrStderr()
	for _, issue := range report.FileIssues {
		fmt.Fprintf(problems, "%s: FAILED — %s (%d bytes at byte %d)\n", name, issue.Description, issue.Length, issue.ByteOffset)
	}
	for i, message := range report.Reports {
		for _, issue := range message.Issues {
			verdict := "FAILED"
			if issue.Severity == "warning" {
				verdict = "warning"
			}
			fmt.Fprintf(problems, "%s: %s — %s\n", name, verdict, issueText(i, issue))
		}
	}
	if !report.OK() {
		return nil
	}
	hashes := ""
	if report.HashVerified {
		hashes = ", hash verified"
	}
	_, err := fmt.Fprintf(out, "%s: OK (%d messages, %d objects%s)\n", name, report.Messages, report.Objects, hashes)
	return err
}

func issueText(message int, issue tgm.Issue) string {
	var text strings.Builder
	fmt.Fprintf(&text, "message %d", message)
	if issue.ObjectIndex != nil {
		fmt.Fprintf(&text, ", object %d", *issue.ObjectIndex)
	}
	fmt.Fprintf(&text, ": %s [%s]", issue.Description, issue.Code)
	if issue.ByteOffset != nil {
		fmt.Fprintf(&text, " (at byte %d)", *issue.ByteOffset)
	}
	return text.String()
}
