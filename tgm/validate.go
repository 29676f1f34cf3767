package tgm

import (
	"errors"
	"io"
	"iter"
	"maps"
	"runtime"
	"sync"
	"sync/atomic"
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

// Issue is one finding. Codes and levels are those of the reference implementation. Two warnings
// are our own: "unsupported_codec" of a payload that is valid and cannot be decoded here,
// "byte_order_missing" of a descriptor that leaves the order to the reader.
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

// MessageReport is what was found in one message.
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

// Report is what was found in a file.
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
	Canonical bool   // warn about CBOR that is not in canonical form
	Limits    Limits // of what is read
	TempDir   string // see [WithTempDir]
}

// Validate checks the messages in size bytes of r, one at a time. The error is about reading r;
// findings are in the report.
func Validate(r io.ReaderAt, size int64, level Level, opts ValidateOptions) (*Report, error) {
	f, err := NewFile(r, size, WithLimits(opts.Limits), WithoutHashes()) // they are compared frame by frame
	if err != nil {
		return nil, err
	}
	return validateFile(f, level, opts, nil)
}

// ValidatePipe checks the messages of r, as Validate does those of what can be read at an offset.
func ValidatePipe(r io.Reader, level Level, opts ValidateOptions) (*Report, error) {
	return validatePipe(r, level, opts, pipeWindow)
}

func validatePipe(r io.Reader, level Level, opts ValidateOptions, window int64) (*Report, error) {
	found := arrivedIssues{}
	reading := []Option{WithLimits(opts.Limits), WithoutHashes(), WithTempDir(opts.TempDir), withWindow(window)}
	if level != LevelQuick {
		reading = append(reading, withArrived(func(o *Object) error {
			v := newValidator(o.msg, level, opts)
			if level != LevelChecksum {
				if err := v.checkPayload(o); err != nil {
					return err
				}
			}
			found[o.frame.offset] = v.report.Issues
			return nil
		}))
	}
	return validateFile(NewPipe(r, reading...), level, opts, found)
}

// arrivedIssues are what was found in payloads of a large message in a pipe while they were there,
// by the offsets of their frames in the message.
type arrivedIssues map[int64][]Issue

func validateFile(f *File, level Level, opts ValidateOptions, found arrivedIssues) (*Report, error) {
	report := &Report{Status: "ok", HashVerified: true, FileIssues: []FileIssue{}, Reports: []MessageReport{}}
	if err := report.addAll(f, level, opts, found); err != nil {
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

// addAll checks the messages of f, several at a time, and adds what was found in their order.
func (r *Report) addAll(f *File, level Level, opts ValidateOptions, found arrivedIssues) error {
	next, stop := iter.Pull2(f.Messages())
	defer stop()
	for {
		batch := make([]*validator, 0, validateBatch)
		held := int64(0)
		for len(batch) < validateBatch && held < pipeWindow {
			m, err, ok := next()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			v := newValidator(m, level, opts)
			if m.passedHashes != nil {
				v.arrived = maps.Clone(found)
				clear(found)
			}
			if f.pipe != nil {
				held += m.length
			}
			batch = append(batch, v)
		}
		if len(batch) == 0 {
			return nil
		}
		runAll(batch)
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

// runAll checks messages on all cores.
func runAll(batch []*validator) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(batch)) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(batch)); i = next.Add(1) - 1 {
				batch[i].err = batch[i].run()
			}
		})
	}
	all.Wait()
}

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
// what is wrong with bytes that do not look like a message.
func ValidateMessage(r io.ReaderAt, size int64, level Level, opts ValidateOptions) (*MessageReport, error) {
	s := newScanner(source{r, size})
	m := &Message{src: s.src, limits: opts.Limits, budget: processBudget, extent: extent{length: size}}
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
	objects   []*Object   // the first ones that are readable
	err       error       // of reading
	arrived   arrivedIssues
}

// keptObjects is how many objects of a message are kept between the levels of a check. A message
// may have very many.
const keptObjects = 64

func newValidator(m *Message, level Level, opts ValidateOptions) *validator {
	return &validator{Message: m, level: level, canonical: opts.Canonical, report: MessageReport{Issues: []Issue{}}}
}

// hashValue is a hash and whether there is one.
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

// errorAt records an error of this package under its own code and location. What it does not
// record, an error of reading, it returns.
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
