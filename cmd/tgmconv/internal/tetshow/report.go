package tetshow

import (
	"bufio"
	"fmt"

	"github.com/tgmconv/tgmconv/tet"
)

// Verdict writes the outcome of a check as one line.
func Verdict(out *bufio.Writer, r *tet.Report) error {
	status, datasets, chunks := "failed", "?", "?"
	if r.OK {
		status = "ok"
	}
	if r.Summary != nil {
		datasets, chunks = fmt.Sprint(r.Summary.DatasetCount), fmt.Sprint(r.Summary.ChunkCount)
	}
	_, err := fmt.Fprintf(out, "path=%s status=%s datasets=%s chunks=%s recommendations=%d\n", r.Path, status, datasets, chunks, len(r.Recommendations))
	return err
}

// Report writes the report of a check.
func Report(out *bufio.Writer, r *tet.Report) error {
	status := "failed"
	if r.OK {
		status = "ok"
	}
	fmt.Fprintf(out, "file: %s\nsize: %d bytes\nstatus: %s\nchecks:\n", r.Path, r.FileLen, status)
	for _, f := range r.Findings {
		mark := "ok"
		switch {
		case !f.OK:
			mark = "FAIL"
		case f.Severity == tet.SeverityWarning:
			mark = "warn"
		}
		detail := ""
		if f.Detail != "" {
			detail = " (" + f.Detail + ")"
		}
		fmt.Fprintf(out, "  %-22s %s%s\n", f.Check, mark, detail)
	}
	if len(r.Recommendations) > 0 {
		fmt.Fprintln(out, "recommendations:")
	}
	for _, rec := range r.Recommendations {
		fmt.Fprintf(out, "  [%s] %s\n       → %s\n", rec.Code, rec.Message, rec.Fix.Summary)
		if rec.Fix.Command != "" {
			fmt.Fprintf(out, "       → %s\n", rec.Fix.Command)
		}
	}
	if s := r.Summary; s != nil {
		fmt.Fprintf(out, "summary: layout=%d datasets=%d chunks=%d history=%d metadata=%v footer=%v deep_decode=%v\n",
			s.LayoutVersion, s.DatasetCount, s.ChunkCount, s.HistoryEvents, s.HasMetadata, s.HistoryFooter, s.DeepChunkDecode)
	}
	return nil
}

// Plan writes the repairs that are recommended for a file.
func Plan(out *bufio.Writer, name string, plan tet.RepairPlan) error {
	fmt.Fprintf(out, "file: %s\nrepair plan:\n", name)
	if len(plan.Actions) == 0 {
		fmt.Fprintln(out, "  (nothing is recommended)")
	}
	for _, a := range plan.Actions {
		kind := "manual"
		if a.Repairable {
			kind = "repairable"
		}
		fmt.Fprintf(out, "  [%s] %s — %s\n", kind, a.Code, a.Summary)
	}
	if len(plan.Actions) > 0 {
		fmt.Fprintf(out, "\nUse: tgmconv tet repair %s --apply <code>\n", name)
	}
	return nil
}

// Repairs writes the repairs that were made to a file.
func Repairs(out *bufio.Writer, r *tet.RepairReport) error {
	mode := "apply"
	if r.DryRun {
		mode = "dry-run"
	}
	fmt.Fprintf(out, "file: %s\nmode: %s\n", r.Path, mode)
	for _, a := range r.Actions {
		status := "skipped"
		switch {
		case a.Applied:
			status = "applied"
		case a.DryRun:
			status = "planned"
		}
		fmt.Fprintf(out, "  [%s] %s: %s\n", a.Code, status, a.Message)
	}
	if r.VerifyAfterOK != nil {
		verdict := "failed"
		if *r.VerifyAfterOK {
			verdict = "ok"
		}
		fmt.Fprintf(out, "verify_after: %s\n", verdict)
	}
	return nil
}
