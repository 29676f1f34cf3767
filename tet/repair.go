package tet

import (
	"context"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/internal/disk"
	"github.com/tgmconv/tgmconv/internal/reading"
)

// FooterInvalid is the code of the only problem that [Repair] can repair: a footer that cannot be
// read.
const FooterInvalid = "footer_invalid"

// A RepairPlan lists the recommendations of [Verify]. Its JSON is the same as the reference writes.
type RepairPlan struct {
	Path    string          `json:"path"`
	Actions []PlannedAction `json:"actions"`
}

// A PlannedAction is a recommendation, and whether [Repair] can follow it.
type PlannedAction struct {
	Code       string `json:"code"`
	Repairable bool   `json:"repairable"`
	Summary    string `json:"summary"`
}

// Plan returns the recommendations of the report, and says which of them [Repair] can do.
func (r *Report) Plan() RepairPlan {
	p := RepairPlan{Path: r.Path, Actions: []PlannedAction{}}
	for _, rec := range r.Recommendations {
		p.Actions = append(p.Actions, PlannedAction{rec.Code, rec.Code == FooterInvalid, rec.Fix.Summary})
	}
	return p
}

// A RepairReport lists the actions of [Repair]. Its JSON is the same as the reference writes.
type RepairReport struct {
	Path          string         `json:"path"`
	DryRun        bool           `json:"dry_run"`
	Actions       []RepairAction `json:"actions"`
	VerifyAfterOK *bool          `json:"verify_after_ok,omitempty"` // nil if nothing was done
}

// A RepairAction is the action taken for one code.
type RepairAction struct {
	Code    string `json:"code"`
	Applied bool   `json:"applied"`
	DryRun  bool   `json:"dry_run"`
	Message string `json:"message"`
}

// Repair repairs the file at path in place and verifies it afterwards. The argument codes has
// the problems to repair, as [Verify] names them; of these it can repair [FooterInvalid]. With
// dryRun it only reports its actions. Nothing else may write to the file meanwhile.
func Repair(ctx context.Context, path string, codes []string, dryRun bool) (*RepairReport, error) {
	report := &RepairReport{Path: path, DryRun: dryRun, Actions: []RepairAction{}}
	applied := false
	for _, code := range codes {
		a := RepairAction{Code: code, DryRun: dryRun, Message: "cannot be repaired in place; write the file again"}
		if code == FooterInvalid {
			var err error
			if a, err = stripFooter(path, dryRun); err != nil {
				return nil, err
			}
		}
		applied = applied || a.Applied
		report.Actions = append(report.Actions, a)
	}
	if dryRun {
		return report, nil
	}
	after, err := VerifyFile(ctx, path, VerifyOptions{})
	if err != nil {
		return nil, err
	}
	report.VerifyAfterOK = &after.OK
	return report, nil
}

// VerifyFile checks the file at path.
func VerifyFile(ctx context.Context, path string, o VerifyOptions) (*Report, error) {
	f, err := disk.OpenRead(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return nil, fmt.Errorf("%s: is a folder, expected a .tet file", path)
	}
	o.Path = path
	return Verify(ctx, f, st.Size(), o)
}

// stripFooter removes a footer that cannot be read. A footer that can be read stays.
func stripFooter(path string, dryRun bool) (RepairAction, error) {
	action := RepairAction{Code: FooterInvalid, DryRun: dryRun}
	flag := os.O_RDWR
	if dryRun {
		flag = os.O_RDONLY
	}
	f, err := disk.OpenFile(path, flag, 0)
	if err != nil {
		return action, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return action, err
	}
	read := reading.Of(f, st.Size())
	end, broken, err := footerFault(source{r: read, size: st.Size()})
	if failed := read.Failure(); failed != nil {
		err = failed // a read error does not mean a broken footer
	}
	switch {
	case err != nil:
		return action, fmt.Errorf("%s: %w", path, err)
	case !broken:
		action.Message = "the footer can be read, or there is none: nothing to do"
		return action, nil
	case dryRun:
		action.Message = fmt.Sprintf("would cut the file from %d to %d bytes and clear the flag of the footer", st.Size(), end)
		return action, nil
	}
	action.Message = fmt.Sprintf("cut the file from %d to %d bytes and cleared the flag of the footer", st.Size(), end)
	action.Applied = true
	return action, cutFooter(f, end)
}

// footerFault finds where the payloads of a file with a broken footer end.
func footerFault(src source) (end int64, broken bool, err error) {
	l, err := parseCatalog(src)
	if err != nil || !l.super.HasFooter() {
		return 0, false, err
	}
	if _, err := readFooter(src, l.indexEnd()); err == nil {
		return 0, false, nil
	}
	end = l.indexEnd()
	err = l.eachRow(func(i uint64, e *Entry) error {
		if err := e.check(src.size); err != nil {
			return l.rowError(i, err)
		}
		end = max(end, int64(e.PayloadOffset+e.StoredByteLen))
		return nil
	})
	return end, true, err
}

// cutFooter clears the flag first. Until the file is cut it then has bytes that belong to nothing,
// which readers allow.
func cutFooter(f *disk.File, end int64) error {
	var flags [4]byte
	if _, err := f.ReadAt(flags[:], 12); err != nil {
		return err
	}
	flags[0] &^= flagFooter
	if _, err := f.WriteAt(flags[:], 12); err != nil {
		return err
	}
	if err := f.Truncate(end); err != nil {
		return err
	}
	return f.Sync()
}
