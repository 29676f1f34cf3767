package blosc

import (
	"errors"
	"fmt"
)

// Reasons of a [FormatError] that callers may want to tell apart.
var (
	// ErrTruncated means that the data end too early.
	ErrTruncated = errors.New("data end too early")
	// ErrSize means that the data do not hold the number of bytes that the caller expects.
	ErrSize = errors.New("unexpected size")
)

// FormatError says which part of a frame or chunk is damaged.
type FormatError struct {
	// Part is the part being read, such as "frame header" or "block 3 of 9".
	Part string
	// Offset is where that part begins, in bytes from the start of the frame or chunk.
	Offset int64
	Err    error
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("blosc: %s at byte %d: %v", e.Part, e.Offset, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// UnsupportedError names a feature of the format that this package does not have.
type UnsupportedError struct{ Feature string }

func (e *UnsupportedError) Error() string { return "blosc: " + e.Feature + " is not supported" }

// ParamError says which parameter of an encoder is out of range.
type ParamError struct {
	Name  string // the name that Tensogram gives it, such as blosc2_clevel
	Value any
	Want  string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("blosc: %s is %v, expected %s", e.Name, e.Value, e.Want)
}

func formatError(part string, offset int64, format string, args ...any) error {
	return &FormatError{part, offset, fmt.Errorf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return &UnsupportedError{fmt.Sprintf(format, args...)}
}

// located adds the place to an error unless it is an UnsupportedError.
func located(err error, offset int64, format string, args ...any) error {
	var u *UnsupportedError
	if err == nil || errors.As(err, &u) {
		return err
	}
	return &FormatError{fmt.Sprintf(format, args...), offset, err}
}
