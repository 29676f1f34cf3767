package grib

import (
	"errors"
	"fmt"
)

// ErrNotQuantised is returned by Field.Quantised for a field whose values are not integers with one
// scale and offset. These are IEEE floats, spectral coefficients, logarithmic pre-processing, run
// lengths, and integers that do not fit 32 bits. Field.Decode reads it.
var ErrNotQuantised = errors.New("values are not scaled integers of at most 32 bits")

// A FormatError says that the input is not a valid GRIB message.
type FormatError struct {
	Offset  int64  // of the message or the section in the input, in bytes
	Section int    // the section being read, -1 when none in particular
	Msg     string // the values found and expected
	Err     error  // the cause, may be nil
}

func (e *FormatError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *FormatError) Detail() string {
	return where(e.Offset, e.Section) + ": " + withCause(e.Msg, e.Err)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// An UnsupportedError says that the message may be valid but uses something this package does not
// read.
type UnsupportedError struct {
	Edition  int
	Section  int    // the section that asks for it
	Template int    // the template number in that section, or edition 1's code; -1 when the feature is no template
	Offset   int64  // of that section in the input
	What     string // such as "data representation template", "predefined bitmap"
}

func (e *UnsupportedError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *UnsupportedError) Detail() string {
	s := fmt.Sprintf("%s: edition %d: %s", where(e.Offset, e.Section), e.Edition, e.What)
	if e.Template >= 0 {
		s += fmt.Sprintf(" %d", e.Template)
	}
	return s + " is not supported"
}

// A LimitError says that a message claims more than the caller's Limits allow.
type LimitError struct {
	Offset int64
	What   string // "points", "message bytes"
	Value  int64  // the message's claim: with this as the limit it is read
	Max    int64  // the limit
}

// Option returns the name of the field of Limits that sets the limit: OptionMaxPoints,
// OptionMaxArray or OptionMaxMessage.
func (e *LimitError) Option() string {
	switch e.What {
	case limitBytes:
		return OptionMaxMessage
	case limitArray:
		return OptionMaxArray
	}
	return OptionMaxPoints
}

// Fields of Limits that a LimitError names.
const (
	OptionMaxPoints  = "MaxPoints"
	OptionMaxArray   = "MaxArray"
	OptionMaxMessage = "MaxMessage"
)

// The quantities that a LimitError counts.
const (
	limitPoints = "points"
	limitBytes  = "message bytes"
	limitArray  = "bytes of values"
)

func (e *LimitError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *LimitError) Detail() string {
	return fmt.Sprintf("%s: %d %s, at most %d are allowed", where(e.Offset, -1), e.Value, e.What, e.Max)
}

// A BuildError says why a message cannot be written.
type BuildError struct {
	Section int    // that cannot be written, 0 for the message as a whole
	Msg     string // the values found and expected
	Err     error  // the cause, may be nil
}

func (e *BuildError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *BuildError) Detail() string {
	if e.Section == 0 {
		return "building a message: " + withCause(e.Msg, e.Err)
	}
	return fmt.Sprintf("building section %d: %s", e.Section, withCause(e.Msg, e.Err))
}

// Unwrap returns the cause.
func (e *BuildError) Unwrap() error { return e.Err }

func where(offset int64, section int) string {
	if section < 0 {
		return fmt.Sprintf("message at byte %d", offset)
	}
	return fmt.Sprintf("section %d at byte %d", section, offset)
}

func withCause(msg string, err error) string {
	switch {
	case err == nil:
		return msg
	case msg == "":
		return err.Error()
	}
	return msg + ": " + err.Error()
}
