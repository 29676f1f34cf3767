package grib

import "math"

// DefaultMaxPoints is the number of points a field may claim when Limits.MaxPoints is 0. Decoded
// to float64 they take 2 GiB. A global grid of 1 km has 933 million points and needs a larger
// limit.
const DefaultMaxPoints = 1 << 28

// DefaultMaxArray is the size of decoded values when Limits.MaxArray is 0. This is a field of
// 27 million points, whose message may have some hundred bytes in radar composites and reduced
// grids.
const DefaultMaxArray = 208 << 20

// maxExpansion is how many times larger than its message decoded values may be, if they are larger
// than MaxArray.
const maxExpansion = 1024

// DefaultMaxMessage is the size of a message when Limits.MaxMessage is 0.
const DefaultMaxMessage = 1 << 32

// A message from a compressed file may have packedExpansion times the size of the file when
// Limits.MaxMessage is 0. If freePacked bytes are more, it may have these.
const (
	packedExpansion = 64
	freePacked      = 64 << 20
)

// An Option configures how messages are read.
type Option func(*options)

type options struct {
	Limits
	skipBad bool
}

// newOptions applies options to the defaults.
func newOptions(list []Option) options {
	var o options
	for _, option := range list {
		option(&o)
	}
	return o
}

// WithLimits bounds the memory and work of reading.
func WithLimits(l Limits) Option { return func(o *options) { o.Limits = l } }

// WithSkipBad makes a [File] pass over messages whose frame is broken. They are listed by
// [File.Skipped].
func WithSkipBad() Option { return func(o *options) { o.skipBad = true } }

// Limits bound the memory and work of reading. The zero value suits most callers.
type Limits struct {
	// MaxPoints is the largest number of grid points (or spectral coefficients) a field may have; 0
	// means DefaultMaxPoints.
	MaxPoints int
	// MaxArray is how many bytes the values of a field may take where they are decoded, 8 each. It
	// counts for a message of less than a 1024th of that; 0 means DefaultMaxArray. Fields that are
	// constant by their headers may have any number of points where these are not decoded.
	MaxArray int64
	// MaxMessage is the largest message that is read into memory, in bytes. The
	// default, 0, means DefaultMaxMessage, or less for a message from a file that
	// Packed says is small.
	MaxMessage int64
	// Packed is the size of the compressed file that the messages come from. It is 0 if it is not
	// known, or there is none.
	Packed int64
}

func (l Limits) maxPoints() int {
	if l.MaxPoints <= 0 {
		return DefaultMaxPoints
	}
	return l.MaxPoints
}

func (l Limits) maxArray() int64 {
	if l.MaxArray <= 0 {
		return DefaultMaxArray
	}
	return l.MaxArray
}

func (l Limits) maxMessage() int64 {
	switch {
	case l.MaxMessage > 0:
		return l.MaxMessage
	case l.Packed > 0 && l.Packed < DefaultMaxMessage/packedExpansion:
		return max(freePacked, packedExpansion*l.Packed)
	}
	return DefaultMaxMessage
}

// CheckLength returns a LimitError if a message of that length may not be read into memory.
func (l Limits) CheckLength(offset, length int64) error {
	if limit := min(l.maxMessage(), math.MaxInt); length > limit {
		return &LimitError{Offset: offset, What: limitBytes, Value: length, Max: limit}
	}
	return nil
}

// A Skipped names a stretch of input that [WithSkipBad] passed over.
type Skipped struct {
	Offset int64
	Err    error
}
