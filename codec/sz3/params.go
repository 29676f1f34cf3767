package sz3

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Mode chooses the quantity that an error bound is relative to.
type Mode uint8

// The modes. Tensogram names them in its sz3_error_bound_mode key.
const (
	Abs  Mode = iota // abs: the bound itself
	Rel              // rel: a fraction of the range of the values
	PSNR             // psnr: a ratio of the range to the error in dB
)

var modeNames = [...]string{"abs", "rel", "psnr"}

// String returns the name of the mode in the sz3_error_bound_mode key.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "mode " + strconv.Itoa(int(m))
}

// ParseMode returns the mode that the sz3_error_bound_mode key names.
func ParseMode(name string) (Mode, error) {
	for m, n := range modeNames {
		if n == name {
			return Mode(m), nil
		}
	}
	return 0, &ParamError{"sz3_error_bound_mode", strconv.Quote(name), "abs, rel or psnr"}
}

// Params of an encoder. A stream holds all that a decoder needs.
type Params struct {
	// Mode is the sz3_error_bound_mode of Tensogram.
	Mode Mode
	// Bound is the sz3_error_bound of Tensogram. It is finite; with Abs and Rel it is not negative,
	// and 0 keeps the values as they are.
	Bound float64
}

// ErrTruncated means that a stream ends too early.
var ErrTruncated = errors.New("stream ends too early")

// ParamError says which parameter is out of range.
type ParamError struct {
	Name  string // the name that Tensogram gives it, such as sz3_error_bound
	Value any
	Want  string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("sz3: %s is %v, expected %s", e.Name, e.Value, e.Want)
}

// FormatError says which part of a stream is damaged.
type FormatError struct {
	Part string // such as "configuration" or "Huffman tree"
	Err  error
}

func (e *FormatError) Error() string { return fmt.Sprintf("sz3: %s: %v", e.Part, e.Err) }

func (e *FormatError) Unwrap() error { return e.Err }

// UnsupportedError names a feature of the format that this package does not have.
type UnsupportedError struct{ Feature string }

func (e *UnsupportedError) Error() string { return "sz3: " + e.Feature + " is not supported" }

func formatError(part, format string, args ...any) error {
	return &FormatError{part, fmt.Errorf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return &UnsupportedError{fmt.Sprintf(format, args...)}
}

// absolute returns the largest error of a value. 0 keeps the values as they are.
func (p Params) absolute(values []float64) (float64, error) {
	switch {
	case p.Mode > PSNR:
		return 0, &ParamError{"sz3_error_bound_mode", p.Mode, "abs, rel or psnr"}
	case math.IsNaN(p.Bound) || math.IsInf(p.Bound, 0) || p.Mode != PSNR && p.Bound < 0:
		return 0, &ParamError{"sz3_error_bound", p.Bound, "a finite number that is not negative"}
	case p.Mode == Abs:
		return p.Bound, nil
	}
	low, high := values[0], values[0]
	for _, v := range values {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	span := high - low
	if math.IsNaN(span) || math.IsInf(span, 0) {
		return 0, &ParamError{"sz3_error_bound_mode", p.Mode, "abs for values whose range is not finite"}
	}
	if p.Mode == Rel {
		return finite(p.Bound * span)
	}
	// The error of interpolation is taken to be uniform for 99 values of 100.
	const spread = 1 - 2.0/3*0.99
	return finite(span * math.Pow(10, (p.Bound+float64(10*math.Log10(spread)))/-20))
}

func finite(bound float64) (float64, error) {
	if math.IsInf(bound, 0) {
		return 0, &ParamError{"sz3_error_bound", bound, "a finite bound for the range of the values"}
	}
	return bound, nil
}
