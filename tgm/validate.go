package tgm

import "io"

// Level says how deep Validate looks.
type Level uint8

const (
	LevelDefault  Level = iota // structure, metadata and integrity
	LevelQuick                 // structure only
	LevelFull                  // everything: each object is decoded and its values looked at
	LevelChecksum              // hashes only
)

// Issue is one finding.
type Issue struct {
	Code        string `json:"code"`
	Level       string `json:"level"`    // structure, metadata, integrity, fidelity
	Severity    string `json:"severity"` // error, warning
	Description string `json:"description"`
	ObjectIndex *int   `json:"object_index,omitempty"`
	ByteOffset  *int64 `json:"byte_offset,omitempty"`
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
	HashVerified bool    `json:"hash_verified"`
}

// Report is what was found in a file.
type Report struct {
	Status       string          `json:"status"` // ok, failed
	Messages     int             `json:"messages"`
	Objects      int             `json:"objects"`
	HashVerified bool            `json:"hash_verified"`
	FileIssues   []FileIssue     `json:"file_issues"`
	Reports      []MessageReport `json:"message_reports"`
}

// OK tells whether the file has neither file issues nor errors; warnings do not count.
func (r *Report) OK() bool { return r.Status == "ok" }

// ValidateOptions refine Validate.
type ValidateOptions struct {
	Canonical bool // warn about CBOR whose map keys are not in canonical order
	Limits    Limits
}

// Validate checks size bytes of r. The error is about reading r; findings are in the report.
func Validate(r io.ReaderAt, size int64, level Level, opts ValidateOptions) (*Report, error) {
	return nil, &UnsupportedError{Feature: "validation"}
}
