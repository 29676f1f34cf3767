package aec

import (
	"errors"
	"fmt"
)

// Reasons of a [StreamError].
var (
	// ErrTruncated: the stream ends before the expected number of samples.
	ErrTruncated = errors.New("stream ends too early")
	// ErrZeroRun: a run of zero blocks is longer than its reference sample interval.
	ErrZeroRun = errors.New("run of zero blocks leaves its interval")
	// ErrRange: a coded sample has more bits than the samples of the stream.
	ErrRange = errors.New("sample out of range")
	// ErrSecondExtension: a second extension code is above 90 in a block of up to 64 samples.
	// Splitting is shorter for such a block, so that no encoder writes it, and libaec cannot read
	// it.
	ErrSecondExtension = errors.New("second extension code out of range")
	// ErrOffset: an interval offset lies outside the stream.
	ErrOffset = errors.New("interval offset outside the stream")
)

// StreamError says where a stream cannot be decoded.
type StreamError struct {
	// Bit is the offset in bits, from the start of the stream, of the block that cannot be decoded.
	Bit uint64
	// Block is its number, counted from the start of the stream.
	Block int
	// Samples is the number of samples that were expected from the whole call.
	Samples int
	// Err is one of the reasons above.
	Err error
}

func (e *StreamError) Error() string {
	return fmt.Sprintf("aec: block %d at bit %d, decoding %d samples: %v", e.Block, e.Bit, e.Samples, e.Err)
}

func (e *StreamError) Unwrap() error { return e.Err }

// SizeError says that a buffer does not fit the samples it is to hold.
type SizeError struct {
	What      string
	Have      int
	WantUnits string
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("aec: %s has %d, expected %s", e.What, e.Have, e.WantUnits)
}

// SampleError says that a sample to encode does not fit its width.
type SampleError struct {
	Index int
	Value uint32
	Bits  int
}

func (e *SampleError) Error() string {
	return fmt.Sprintf("aec: sample %d is %#x, which has more than %d bits", e.Index, e.Value, e.Bits)
}
