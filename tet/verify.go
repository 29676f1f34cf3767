package tet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/reading"
)

// A Report is the result of [Verify]. Its JSON is the same as the reference writes.
type Report struct {
	OK              bool             `json:"ok"`
	Path            string           `json:"path,omitempty"`
	FileLen         int64            `json:"file_len"`
	Findings        []Finding        `json:"findings"`
	Recommendations []Recommendation `json:"recommendations"`
	Summary         *VerifySummary   `json:"summary,omitempty"` // nil if checks were left out
}

// Severities of findings. Only errors make a file bad.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityInfo    = "info"
)

// A Finding is the result of one check.
type Finding struct {
	Check    string `json:"check"`
	Severity string `json:"severity"`
	OK       bool   `json:"ok"`
	Detail   string `json:"detail,omitempty"`
}

// A Recommendation is advice about findings.
type Recommendation struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Fix     *FixHint `json:"fix,omitempty"`
}

// A FixHint says how to follow a [Recommendation].
type FixHint struct {
	Summary string `json:"summary"`
	Command string `json:"command,omitempty"`
}

// VerifySummary counts the content of a file.
type VerifySummary struct {
	LayoutVersion   uint32 `json:"layout_version"`
	DatasetCount    int    `json:"dataset_count"`
	ChunkCount      int64  `json:"chunk_count"`
	HistoryEvents   int    `json:"history_events"`
	HasMetadata     bool   `json:"has_metadata"`
	HistoryFooter   bool   `json:"history_footer"`
	DeepChunkDecode bool   `json:"deep_chunk_decode"`
}

// VerifyOptions say how to verify.
type VerifyOptions struct {
	Path   string // of the file, for the report
	Deep   bool   // decode all chunks, not only the first 128
	Layout bool   // decode none
}

// quickChunks is the number of chunks that are decoded without Deep.
const quickChunks = 128

// Verify checks a file of size bytes that r gives. Problems of the file are in the report. It is an error
// if the file cannot be read, or if ctx ends.
func Verify(ctx context.Context, r io.ReaderAt, size int64, o VerifyOptions) (*Report, error) {
	v := &verifier{Report: Report{Path: o.Path, FileLen: size, Findings: []Finding{}, Recommendations: []Recommendation{}}, deep: o.Deep, decode: !o.Layout}
	read := reading.Of(r, size)
	v.run(ctx, source{r: read, size: size})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := read.Failure(); err != nil {
		return nil, fault.Errorf("tet", "%w", err)
	}
	v.finish()
	return &v.Report, nil
}

// A verifier collects findings.
type verifier struct {
	Report
	layout   *layout
	datasets []*Dataset
	deep     bool
	decode   bool // chunks
	footer   bool // the footer could not be parsed
}

func (v *verifier) ok(check, format string, args ...any) {
	v.Findings = append(v.Findings, Finding{check, SeverityInfo, true, fmt.Sprintf(format, args...)})
}

func (v *verifier) warn(check, format string, args ...any) {
	v.Findings = append(v.Findings, Finding{check, SeverityWarning, true, fmt.Sprintf(format, args...)})
}

func (v *verifier) fail(check, format string, args ...any) {
	v.Findings = append(v.Findings, Finding{check, SeverityError, false, fmt.Sprintf(format, args...)})
}

// run makes the checks in the order of the reference. Some cannot be made if one before failed.
func (v *verifier) run(ctx context.Context, src source) {
	if !v.parse(src) || !v.checkDatasetIDs() || !v.checkTensors() {
		return
	}
	v.checkPayloads()
	v.checkReserved()
	v.checkNames()
	if v.decode {
		v.checkDecode(ctx)
	}
	v.ok("dataset_count", "")
	if !v.checkFooter() {
		return
	}
	l := v.layout
	v.Summary = &VerifySummary{
		LayoutVersion: l.super.LayoutVersion, DatasetCount: len(l.records), ChunkCount: int64(l.head.rows),
		HistoryEvents: len(l.foot.history), HasMetadata: !l.foot.metadata.IsZero(), HistoryFooter: l.super.HasFooter(),
		DeepChunkDecode: v.deep && v.decode,
	}
}

// parse reads everything, and makes the checks that every row must pass.
func (v *verifier) parse(src source) bool {
	l, err := parseLayout(src)
	if err == nil {
		err = l.eachRow(func(i uint64, e *Entry) error {
			if err := e.check(l.end); err != nil {
				return l.rowError(i, err)
			}
			return nil
		})
	}
	if v.layout = l; err == nil {
		v.ok("superblock", "")
		v.ok("dataset_directory", "")
		v.ok("chunk_index", "")
		v.ok("chunk_payloads", "all payloads lie in the file")
		return true
	}
	var format *FormatError
	v.footer = errors.As(err, &format) && (format.Region == footerRegion || format.Region == metadataRegion)
	v.fail("parse", "%v", err)
	return false
}

// checkDecode decodes the chunks, or the first of them.
func (v *verifier) checkDecode(ctx context.Context) {
	rows := int64(v.layout.head.rows)
	checked := rows
	if v.deep = v.deep || rows <= quickChunks; !v.deep {
		checked = quickChunks
		v.warn("chunk_decode_skipped", "chunks %d to %d were not decoded; --deep decodes all", checked, rows-1)
	}
	failed := false
	err := inOrder(ctx, upTo(checked), runtime.GOMAXPROCS(0), v.decodeRow, func(problem string) error {
		if problem != "" {
			failed = true
			v.fail("chunk_decode", "%s", problem)
		}
		return nil
	})
	switch {
	case err != nil:
		v.fail("chunk_decode", "%v", err)
	case failed:
	case v.deep:
		v.ok("chunk_decode", "decoded %d chunk(s)", rows)
	default:
		v.ok("chunk_decode", "decoded %d of %d chunk(s)", checked, rows)
	}
}

// verifyWhole is the size above which compressed chunks are decoded in pieces.
const verifyWhole = 16 << 20

// decodeRow returns the problem of the chunk of a row, or nothing.
func (v *verifier) decodeRow(row int64) (string, error) {
	b, err := v.layout.bytes(v.layout.rowOffset(uint64(row)), entrySize)
	if err != nil {
		return "", err
	}
	e := parseEntry(b)
	d := v.datasets[e.DatasetID]
	c := Chunk{Offset: int64(e.PayloadOffset), Stored: int64(e.StoredByteLen), Raw: int64(e.RawByteLen), Codec: e.Codec}
	for i := range d.grid.counts {
		c.Coords = append(c.Coords, int64(e.ChunkIndex[i]))
	}
	if err := d.drain(c, &scratch{whole: verifyWhole}); err != nil {
		return fmt.Sprintf("chunk %d: %v", row, err), nil
	}
	return "", nil
}

// checkFooter checks the limits of footers. The parser has checked that there is a footer if
// the file says so.
func (v *verifier) checkFooter() bool {
	if v.layout.super.HasFooter() {
		v.ok("footer", "history footer valid")
	} else {
		v.ok("footer", "absent")
	}
	f := v.layout.foot
	err := checkHistory(f.history)
	if err == nil {
		err = f.metadata.check()
	}
	if err != nil {
		v.fail("footer_metadata", "%v", err)
		return false
	}
	v.ok("footer_metadata", "within the limits")
	v.checkAxes()
	v.checkSpills()
	return true
}

// finish draws the conclusions.
func (v *verifier) finish() {
	v.OK = true
	seen := map[string]bool{}
	for _, f := range v.Findings {
		if f.OK {
			continue
		}
		if f.Severity == SeverityError {
			v.OK = false
		}
		if r, ok := v.recommend(f); ok && !seen[r.Code] {
			seen[r.Code] = true
			v.Recommendations = append(v.Recommendations, r)
		}
	}
}

func (v *verifier) recommend(f Finding) (Recommendation, bool) {
	check := f.Check
	if check == "parse" && v.footer {
		check = "footer"
	}
	switch check {
	case "footer":
		return recommendation("footer_invalid", "The footer is there but cannot be read.",
			"Cut the file after the chunks; history and metadata are lost.", repairCommand(v.Path))
	case "parse":
		return recommendation("invalid_layout", "The file is damaged or cut short and cannot be read.",
			"Write the file again from its source.", "")
	case "chunk_dataset_ids":
		return recommendation("bad_dataset_id", "The chunk index names a dataset that is not there.",
			"Write the file again; its index contradicts itself.", "")
	case "chunk_decode":
		return recommendation("chunk_decode_failed", "A chunk cannot be decoded: "+f.Detail,
			"Write the file again from its source.", "")
	case "chunk_coords":
		return recommendation("duplicate_chunk_coords", "A chunk has two rows in the index.",
			"Write the file again from parts that do not overlap.", "")
	case "payload_overlap":
		return recommendation("payload_overlap", "Two chunks share bytes.", "Write the file again from its source.", "")
	}
	return Recommendation{}, false
}

func recommendation(code, message, fix, command string) (Recommendation, bool) {
	return Recommendation{code, message, &FixHint{fix, command}}, true
}

// repairCommand is the command that shows the actions of Repair without doing them.
func repairCommand(path string) string {
	if path == "" {
		return ""
	}
	return "tgmconv tet repair " + path + " --apply " + FooterInvalid + " --dry-run"
}
