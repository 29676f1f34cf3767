package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromgrib"
	"github.com/tgmconv/tgmconv/internal/option"
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
	return verb{
		use:   "validate [flags] FILE...",
		short: "Check files: structure, metadata, hashes, values",
		long: `Check Tensogram files: by default their structure and metadata, and that every object can be decoded and matches
its hash. Of GRIB, netCDF, Zarr and .tet files, too, structure and metadata are checked, and the checksums that metadata in HDF5
files have; with --full all values are decoded. The exit code is 0 if all files are valid and 1 if one is not; warnings
do not count.`,
		example: `  tgmconv validate forecast.tgm
  tgmconv validate --full --canonical *.tgm
  tgmconv validate --full forecast.grib2 t2m.nc
  tgmconv validate --json forecast.tgm | jq '.[].status'`,
		options: func(s *option.Set) {
			s.Bool("quick", &f.quick, "structure only")
			s.Bool("full", &f.full, "values too: decode all, find NaN and infinities that no mask of a Tensogram file declares")
			s.Bool("checksum", &f.checksum, "hashes only, of Tensogram files")
			s.Bool("canonical", &f.canonical, "warn of metadata of Tensogram files whose keys are not in canonical order")
			declareJSON(s, &f.json)
		},
		run: f.run,
	}.command()
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
	File   string           `json:"file"`
	Format importers.Format `json:"format,omitempty"` // absent of a file that could not be looked at
	tgm.Report
	// Warnings are about what of a file of another format belongs to no message, or is not read.
	Warnings []string `json:"warnings,omitempty"`
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
	names = expandAll(cmd, names, anyFormat...)
	reports := make([]fileReport, 0, len(names))
	failed := 0
	for _, name := range names {
		report, err := f.validate(cmd, name, level)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err != nil {
			failed++
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s\n", errorText(inFile(name, err)))
			report = &fileReport{Report: *unreadable(err)}
		} else if !report.OK() {
			failed++
		}
		if f.json {
			report.File = shown(name)
			reports = append(reports, *report)
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

// validate checks a file of any format.
func (f *validateFlags) validate(cmd *cobra.Command, name string, level tgm.Level) (*fileReport, error) {
	opts := tgm.ValidateOptions{Canonical: f.canonical, Completer: fromgrib.NewEntries()}
	in, err := pipedInput(cmd, name)
	if err != nil {
		return nil, err
	}
	if in != nil {
		return tensogramReport(tgm.ValidatePipe(in, level, opts))
	}
	disk, err := openDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	found, err := importers.DetectFormat(disk, disk.size)
	switch {
	case err != nil:
		return nil, err
	case found.IsSource() && f.checksum:
		return nil, errors.New("--checksum is for Tensogram files")
	case found.IsSource() && f.canonical:
		return nil, errors.New("--canonical is for Tensogram files")
	case found.IsSource():
		return (&fieldsCheck{cmd: cmd, name: name, disk: disk, format: found, level: level}).run()
	}
	report, err := tensogramReport(tgm.Validate(&readProgress{disk, progressOf(cmd)}, disk.size, level, opts))
	if err == nil && found != importers.FormatTensogram {
		report.Format = ""
	}
	if err == nil && report.Messages == 0 && found.Unpack() != "" {
		report.FileIssues = []tgm.FileIssue{{Length: disk.size, Description: "found " + otherFormat(found)}}
	}
	return report, err
}

// tensogramReport is the report on a Tensogram file, unless there is an error.
func tensogramReport(r *tgm.Report, err error) (*fileReport, error) {
	if err != nil {
		return nil, err
	}
	return &fileReport{Report: *complete(r), Format: importers.FormatTensogram}, nil
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
func printReport(cmd *cobra.Command, name string, report *fileReport) error {
	out, problems := cmd.OutOrStdout(), cmd.ErrOrStderr()
	for _, issue := range report.FileIssues {
		fmt.Fprintf(problems, "%s: FAILED — %s (%d bytes at byte %d)\n", name, issue.Description, issue.Length, issue.ByteOffset)
	}
	for i, message := range report.Reports {
		for _, issue := range message.Issues {
			verdict := "FAILED"
			if issue.Severity == tgm.SeverityWarning {
				verdict = "warning"
			}
			fmt.Fprintf(problems, "%s: %s — %s\n", name, verdict, issueText(report.place(i, issue), issue))
		}
	}
	for _, text := range report.Warnings {
		fmt.Fprintf(problems, "%s: warning — %s\n", name, text)
	}
	if !report.OK() {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: OK (%s)\n", name, report.counts())
	return err
}

// place names the message and the object that an issue is about. A netCDF or .tet file has none.
func (r *fileReport) place(message int, issue tgm.Issue) string {
	switch {
	case r.Format == importers.FormatNetCDF, r.Format == importers.FormatZarr, r.Format == importers.FormatTet:
		return ""
	case issue.ObjectIndex != nil:
		return fmt.Sprintf("message %d, object %d", message, *issue.ObjectIndex)
	}
	return fmt.Sprintf("message %d", message)
}

// counts says what was checked.
func (r *fileReport) counts() string {
	switch r.Format {
	case importers.FormatGRIB:
		return count(r.Messages, "message") + ", " + count(r.Objects, "field")
	case importers.FormatNetCDF, importers.FormatZarr:
		return count(r.Objects, "variable")
	case importers.FormatTet:
		return count(r.Objects, "dataset")
	}
	hashes := ""
	if r.HashVerified {
		hashes = ", hash verified"
	}
	return fmt.Sprintf("%d messages, %d objects%s", r.Messages, r.Objects, hashes)
}

// issueText is an issue behind its place.
func issueText(place string, issue tgm.Issue) string {
	text := fmt.Sprintf("%s [%s]", behind(place, issue.Description), issue.Code)
	if issue.ByteOffset != nil {
		text += fmt.Sprintf(" (at byte %d)", *issue.ByteOffset)
	}
	return text
}
