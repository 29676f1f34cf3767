package grib

import "math"

// DefaultMaxPoints is the number of points a field may claim when Limits.MaxPoints is 0. Decoded
// to float64 they take 2 GiB. A global grid of 1 km has 933 million points and needs a larger
// limit.
const DefaultMaxPoints = 1 << 28

// DefaultMaxMessage is the size of a message when Limits.MaxMessage is 0.
const DefaultMaxMessage = 1 << 32

// An Option configures how messages are read.
type Option func(*options)

type options struct {
	Limits
	skipBad bool
}

// newOptions applies options to what is the case without any.
func newOptions(list []Option) options {
	var o options
	for _, option := range list {
		option(&o)
	}
	return o
}

// WithLimits bounds what reading may cost.
func WithLimits(l Limits) Option { return func(o *options) { o.Limits = l } }

// WithSkipBad makes a [File] pass over messages whose frame is broken. They are listed by
// [File.Skipped].
func WithSkipBad() Option { return func(o *options) { o.skipBad = true } }

// Limits bound what reading may cost. The zero value is what most callers want.
type Limits struct {
	// MaxPoints is the largest number of grid points (or spectral coefficients) a field may have; 0
	// means DefaultMaxPoints.
	MaxPoints int
	// MaxMessage is the largest message that is read into memory, in bytes; 0 means
	// DefaultMaxMessage.
	MaxMessage int64
}

func (l Limits) maxPoints() int {
	if l.MaxPoints <= 0 {
		return DefaultMaxPoints
	}
	return l.MaxPoints
}

func (l Limits) maxMessage() int64 {
	if l.MaxMessage <= 0 {
		return DefaultMaxMessage
	}
	return l.MaxMessage
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
