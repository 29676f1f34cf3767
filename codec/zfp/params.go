package zfp

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Mode chooses the bound on the bits of a block.
type Mode uint8

// The modes. Tensogram names them in its zfp_mode key.
const (
	FixedRate      Mode = iota // fixed_rate: the same number of bits for each block
	FixedPrecision             // fixed_precision: a number of bit planes
	FixedAccuracy              // fixed_accuracy: an absolute error
)

var modeNames = [...]string{"fixed_rate", "fixed_precision", "fixed_accuracy"}

// String returns the name of the mode in the zfp_mode key.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "mode " + strconv.Itoa(int(m))
}

// ParseMode returns the mode that the zfp_mode key names.
func ParseMode(name string) (Mode, error) {
	for m, n := range modeNames {
		if n == name {
			return Mode(m), nil
		}
	}
	return 0, &ParamError{"zfp_mode", strconv.Quote(name), "fixed_rate, fixed_precision or fixed_accuracy"}
}

// Params of a stream. Only the field of the mode counts.
type Params struct {
	Mode Mode
	// Rate is the zfp_rate of Tensogram, in bits a value: 0 to 1024. A block has 4·Rate bits,
	// rounded, and 12 at least.
	Rate float64
	// Precision is the zfp_precision of Tensogram, in bit planes. 0 and more than 64 mean 64.
	Precision int
	// Tolerance is the zfp_tolerance of Tensogram, above 0. No error is larger.
	Tolerance float64
}

// Reasons of errors that callers may want to tell apart.
var (
	// ErrTruncated means that a stream ends before its last block does.
	ErrTruncated = errors.New("stream ends too early")
	// ErrLength means that a stream is longer than its blocks.
	ErrLength = errors.New("stream is too long")
)

// ParamError says which parameter is out of range.
type ParamError struct {
	Name  string // the name that Tensogram gives it, such as zfp_rate
	Value any
	Want  string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("zfp: %s is %v, expected %s", e.Name, e.Value, e.Want)
}

// ValueError says which value cannot be encoded.
type ValueError struct {
	Index int
	Value float64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("zfp: value %d is %v, expected a finite number", e.Index, e.Value)
}

// StreamError says where a stream cannot be decoded.
type StreamError struct {
	Block int    // counted from the start of the stream
	Bit   uint64 // where it begins
	Err   error
}

func (e *StreamError) Error() string {
	return fmt.Sprintf("zfp: block %d at bit %d: %v", e.Block, e.Bit, e.Err)
}

func (e *StreamError) Unwrap() error { return e.Err }

const (
	blockValues  = 4
	exponentBits = 11
	exponentBias = 1023
	headBits     = 1 + exponentBits
	allPlanes    = 64
	// unlimited is more than a block ever needs: 12 bits, 4·64 and 3 for group tests.
	unlimited = 16658
	// minExponent is the exponent of the smallest double.
	minExponent = -1074
	maxRate     = 1024
)

// limits are the parameters as the coder uses them.
type limits struct {
	minBits, maxBits int // of a block
	planes           int
	minExp           int // of the lowest plane that is stored
}

func (p Params) limits() (limits, error) {
	l := limits{minBits: 1, maxBits: unlimited, planes: allPlanes, minExp: minExponent}
	switch p.Mode {
	case FixedRate:
		if !(p.Rate >= 0 && p.Rate <= maxRate) {
			return l, &ParamError{"zfp_rate", p.Rate, "0 to 1024"}
		}
		l.maxBits = max(headBits, int(math.Floor(float64(blockValues*p.Rate)+0.5)))
		l.minBits = l.maxBits
	case FixedPrecision:
		if p.Precision < 0 {
			return l, &ParamError{"zfp_precision", p.Precision, "0 or more"}
		}
		if p.Precision > 0 {
			l.planes = min(p.Precision, allPlanes)
		}
	case FixedAccuracy:
		if !(p.Tolerance > 0) {
			return l, &ParamError{"zfp_tolerance", p.Tolerance, "a number above 0"}
		}
		l.minExp = -1 // of an infinite tolerance
		if !math.IsInf(p.Tolerance, 1) {
			_, e := math.Frexp(p.Tolerance)
			l.minExp = e - 1
		}
	default:
		return l, &ParamError{"zfp_mode", p.Mode, "fixed_rate, fixed_precision or fixed_accuracy"}
	}
	return l, nil
}

// planesFor returns the number of bit planes of a block with exponent e.
func (l limits) planesFor(e int) int {
	return min(l.planes, max(0, e-l.minExp+4))
}

func blocks(values int) int {
	return values/blockValues + (values%blockValues+blockValues-1)/blockValues
}

// CheckSize reports an error when no stream of size bytes holds n values. Callers use it before
// they take memory for the values.
func (p Params) CheckSize(n, size int) error {
	l, err := p.limits()
	if err != nil {
		return err
	}
	if least := uint64(blocks(n)) * uint64(l.minBits); least > 8*uint64(size) {
		return &StreamError{0, 0, fmt.Errorf("%w: %d values take %d bits, %d bytes are there", ErrTruncated, n, least, size)}
	}
	return nil
}
