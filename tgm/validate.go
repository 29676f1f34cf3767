package tgm

import (
	"errors"
	"io"
	"iter"

	"github.com/tgmconv/tgmconv/internal/parallel"
)

// Level says how thoroughly [Validate] checks.
type Level uint8

const (
	// LevelDefault looks at structure, metadata and integrity: hashes, and whether payloads can be
	// decoded.
	LevelDefault Level = iota
	// LevelQuick looks at the structure only.
	LevelQuick
	// LevelFull also looks at every decoded value.
	LevelFull
	// LevelChecksum looks at hashes, and at the structure as far as it is needed to find them.
	LevelChecksum
)

// Severity of an issue.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// Issue is one finding. Codes and levels are the same as in the reference implementation. Two
// warnings are our own: "unsupported_codec" of a payload that is valid and cannot be decoded
// here, "byte_order_missing" of a descriptor that leaves the order to the reader.
type Issue struct {
	Code        string `json:"code"`
	Level       string `json:"level"`    // structure, metadata, integrity, fidelity
	Severity    string `json:"severity"` // error, warning
	Description string `json:"description"`
	ObjectIndex *int   `json:"object_index,omitempty"`
	ByteOffset  *int64 `json:"byte_offset,omitempty"` // in the file
}

// FileIssue is a range of a file that belongs to no message.
type FileIssue struct {
	ByteOffset  int64  `json:"byte_offset"`
	Length      int64  `json:"length"`
	Description string `json:"description"`
}

// MessageReport lists the findings in one message.
type MessageReport struct {
	Issues       []Issue `json:"issues"`
	ObjectCount  int     `json:"object_count"`
	HashVerified bool    `json:"hash_verified"` // every object has a hash, and the bytes of all frames have theirs
}

// OK reports whether there are no errors; warnings do not count.
func (r *MessageReport) OK() bool {
	for i := range r.Issues {
		if r.Issues[i].Severity == SeverityError {
			return false
		}
	}
	return true
}

// Report lists the findings in a file.
type Report struct {
	Status       string          `json:"status"` // ok, failed
	Messages     int             `json:"messages"`
	Objects      int             `json:"objects"`
	HashVerified bool            `json:"hash_verified"` // in every message
	FileIssues   []FileIssue     `json:"file_issues"`
	Reports      []MessageReport `json:"message_reports"`
}

// OK reports whether the file has neither file issues nor errors; warnings do not count.
func (r *Report) OK() bool { return r.Status == "ok" }

// ValidateOptions refine Validate.
type ValidateOptions struct {
	Canonical bool      // warn about CBOR that is not in canonical form
	Limits    Limits    // of the files being read
	TempDir   string    // see [WithTempDir]
	Completer Completer // see [WithCompleter]; derived keys of entries are checked
}

// Validate checks the messages in size bytes of r, one at a time. The error is about reading r;
// findings are in the report.
func Validate(r io.ReaderAt, size int64, level Level, opts ValidateOptions) (*Report, error) {
	f, err := NewFile(r, size, WithLimits(opts.Limits), WithoutHashes(), WithCompleter(opts.Completer)) // hashes are compared frame by frame
	if err != nil {
		return nil, err
	}
	return validateFile(f, level, opts)
}

// ValidatePipe checks the messages of r, as Validate checks a file that can be read at an offset.
func ValidatePipe(r io.Reader, level Level, opts ValidateOptions) (*Report, error) {
	f := NewPipe(r, WithLimits(opts.Limits), WithoutHashes(), WithCompleter(opts.Completer), WithTempDir(opts.TempDir))
	defer f.Close()
	return validateFile(f, level, opts)
}

func validateFile(f *File, level Level, opts ValidateOptions) (*Report, error) {
	report := &Report{Status: "ok", HashVerified: true, FileIssues: []FileIssue{}, Reports: []MessageReport{}}
	if err := report.addAll(f, level, opts); err != nil {
		return nil, err
	}
	gaps, err := f.Gaps()
	if err != nil {
		return nil, err
	}
	for _, g := range gaps {
		report.FileIssues = append(report.FileIssues, FileIssue{g.Offset, g.Length, g.Reason})
	}
	if report.Messages == 0 && len(gaps) == 0 {
		report.FileIssues = append(report.FileIssues, FileIssue{0, f.Size(), "no message in the file"})
	}
	if len(report.FileIssues) > 0 {
		report.Status = "failed"
	}
	report.HashVerified = report.HashVerified && report.Messages > 0
	return report, nil
}

// addAll checks the messages of f, several at a time, and adds the findings in their order.
func (r *Report) addAll(f *File, level Level, opts ValidateOptions) error {
	next, stop := iter.Pull2(f.Messages())
	defer stop()
	for {
		batch := make([]*validator, 0, validateBatch)
		held, passes := int64(0), false // a message of a pipe that is in a file goes with the next
		for len(batch) < validateBatch && held < pipeWindow && !passes {
			m, err, ok := next()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			v := newValidator(m, level, opts)
			if f.pipe != nil {
				held, passes = held+m.length, !m.atHand
			}
			batch = append(batch, v)
		}
		if len(batch) == 0 {
			return nil
		}
		parallel.Each(len(batch), func(i int) { batch[i].err = batch[i].run() })
		for _, v := range batch {
			if v.err != nil {
				return v.err
			}
			r.add(v.report)
		}
	}
}

// validateBatch is how many messages are found before they are checked.
const validateBatch = 64

func (r *Report) add(m MessageReport) {
	r.Messages++
	r.Objects += m.ObjectCount
	r.HashVerified = r.HashVerified && m.HashVerified
	r.Reports = append(r.Reports, m)
	if !m.OK() {
		r.Status = "failed"
	}
}

// ValidateMessage checks size bytes of r as a single message. Unlike [Validate] it also reports
// the problem of bytes that do not look like a message.
func ValidateMessage(r io.ReaderAt, size int64, level Level, opts ValidateOptions) (*MessageReport, error) {
	s := newScanner(source{r, size})
	m := &Message{src: s.src, limits: opts.Limits, budget: processBudget, completer: opts.Completer, extent: extent{length: size}}
	v := newValidator(m, level, opts)
	if size < preambleSize {
		return &v.report, v.errorAt(levelStructure, framingError("buffer_too_short", m.at(-1, 0), "%d bytes, expected at least %d", size, preambleSize))
	}
	e, problem, err := s.messageAt(0)
	if err != nil {
		return nil, err
	}
	if problem != nil {
		return &v.report, v.errorAt(levelStructure, problem)
	}
	m.extent = e
	return &v.report, v.run()
}

// Validate checks the message as [Validate] does. Limits are the limits of its file.
func (m *Message) Validate(level Level, opts ValidateOptions) (*MessageReport, error) {
	plain := &Message{src: m.src, limits: m.limits, budget: m.budget, completer: m.completer, index: m.index, extent: m.extent} // hashes are compared frame by frame
	v := newValidator(plain, level, opts)
	err := v.run()
	return &v.report, err
}

// Validate checks the object as [Validate] does at the full level. It checks the hash if there
// is one, the stages, and every value.
func (o *Object) Validate() ([]Issue, error) {
	v := newValidator(o.msg, LevelFull, ValidateOptions{})
	var damage *HashError
	if err := o.CheckHash(); errors.As(err, &damage) {
		v.add(levelIntegrity, SeverityError, "hash_mismatch", o.index, o.Offset(), damage.description())
		return v.report.Issues, nil
	} else if err != nil {
		return nil, err
	}
	if !v.knowsStages(o) {
		return v.report.Issues, nil
	}
	err := v.checkPayload(o)
	return v.report.Issues, err
}

// validator checks one message.
type validator struct {
	*Message
	level     Level
	canonical bool
	report    MessageReport
	frames    []frame
	hashSlots []hashValue // of the frames
	spans     []span      // of the data frames
	readable  []bool      // whether their descriptors can be read; empty if none was looked at
	slots     []hashValue // of the data frames
	objects   []*Object   // the first objects that are readable
	err       error       // of reading
}

// keptObjects is how many objects of a message are kept between the levels of a check. A message
// may have very many.
const keptObjects = 64

func newValidator(m *Message, level Level, opts ValidateOptions) *validator {
	return &validator{Message: m, level: level, canonical: opts.Canonical, report: MessageReport{Issues: []Issue{}}}
}

// hashValue is a hash, if present.
type hashValue struct {
	value   uint64
	present bool
}

func (v *validator) run() error {
	if err := v.structure(); err != nil {
		return err
	}
	v.report.ObjectCount = len(v.spans)
	if v.level == LevelChecksum {
		v.dropWarnings()
		return v.hashes()
	}
	if v.level == LevelQuick {
		return nil
	}
	if err := v.metadataFrames(); err != nil {
		return err
	}
	if err := v.hashes(); err != nil {
		return err
	}
	return v.payloads()
}

func (v *validator) dropWarnings() {
	kept := v.report.Issues[:0]
	for _, issue := range v.report.Issues {
		if issue.Severity == SeverityError {
			kept = append(kept, issue)
		}
	}
	v.report.Issues = kept
}

// add records an issue; object and offset are left out when negative.
func (v *validator) add(level, severity, code string, object int, offset int64, description string) {
	issue := Issue{Code: code, Level: level, Severity: severity, Description: description}
	if object >= 0 {
		issue.ObjectIndex = &object
	}
	if offset >= 0 {
		issue.ByteOffset = &offset
	}
	v.report.Issues = append(v.report.Issues, issue)
}

func (v *validator) warn(level, code string, object int, offset int64, description string) {
	if v.level != LevelChecksum {
		v.add(level, SeverityWarning, code, object, offset, description)
	}
}

// errorAt records an error of this package under its own code and location. Other errors,
// which are about reading, it returns.
func (v *validator) errorAt(level string, err error) error {
	var framing *FramingError
	var metadata *MetadataError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &framing):
		v.add(level, SeverityError, framing.Code, framing.Object, framing.Offset, framing.description())
	case errors.As(err, &metadata):
		v.add(level, SeverityError, metadata.Code, metadata.Object, metadata.Offset, metadata.description())
	default:
		return err
	}
	return nil
}
