package grib

import "math"

// DefaultMaxPoints is the number of points a field may claim when Options.MaxPoints is 0. Decoded
// to float64 they take 2 GiB. A global grid of 1 km has 933 million points and needs a larger
// limit.
const DefaultMaxPoints = 1 << 28

// DefaultMaxMessage is the size of a message when Options.MaxMessage is 0.
const DefaultMaxMessage = 1 << 32

// Options bound what reading may cost. The zero value is what most callers want.
type Options struct {
	// MaxPoints is the largest number of grid points (or spectral coefficients) a field may have; 0
	// means DefaultMaxPoints.
	MaxPoints int
	// MaxMessage is the largest message that is read into memory, in bytes; 0 means
	// DefaultMaxMessage.
	MaxMessage int64
	// SkipBad makes File pass over messages whose frame is broken. They are listed by
	// Skipped.
	SkipBad bool
}

func (o Options) maxPoints() int {
	if o.MaxPoints <= 0 {
		return DefaultMaxPoints
	}
	return o.MaxPoints
}

func (o Options) maxMessage() int64 {
	if o.MaxMessage <= 0 {
		return DefaultMaxMessage
	}
	return o.MaxMessage
}

// CheckLength returns a LimitError if a message of that length may not be read into memory.
func (o Options) CheckLength(offset, length int64) error {
	if limit := min(o.maxMessage(), math.MaxInt); length > limit {
		return &LimitError{Offset: offset, What: limitBytes, Value: length, Max: limit}
	}
	return nil
}

// A Skipped names a stretch of input that Options.SkipBad passed over.
type Skipped struct {
	Offset int64
	Err    error
}
