// Package runlength reads run length packing with level values: GRIB 2 data template 7.200, used
// for radar composites.
//
// The data are numbers of Bits bits. A number up to MaxLevel is a level; larger numbers that
// follow are the digits, lowest first, of the number of further points with that level, to the
// base 2^Bits-1-MaxLevel.
package runlength

import (
	"fmt"

	"github.com/tgmconv/tgmconv/grib/internal/bits"
)

// Params are octets 6 to 14 of section 5.
type Params struct {
	N        int // points
	Bits     int
	MaxLevel int
}

// Decode calls run with each level and its number of points, N points in all. Without data, or
// without levels, all points have level 0.
func Decode(p Params, src []byte, run func(level, n int)) error {
	if p.Bits < 1 || p.Bits > 16 {
		return fmt.Errorf("%d bits a number, expected 1 to 16", p.Bits)
	}
	numbers := 8 * len(src) / p.Bits
	if numbers == 0 || p.MaxLevel == 0 {
		run(0, p.N)
		return nil
	}
	base := 1<<p.Bits - 1 - p.MaxLevel
	if base <= 0 {
		return fmt.Errorf("levels up to %d leave no numbers of %d bits for run lengths", p.MaxLevel, p.Bits)
	}
	left := p.N
	for i := 0; i < numbers; {
		level := int(bits.Uint(src, i*p.Bits, p.Bits))
		if level > p.MaxLevel {
			return fmt.Errorf("number %d is %d, expected a level of at most %d", i, level, p.MaxLevel)
		}
		n, factor := 1, 1
		for i++; i < numbers; i++ {
			digit := int(bits.Uint(src, i*p.Bits, p.Bits)) - p.MaxLevel - 1
			if digit < 0 {
				break
			}
			if digit > 0 && (factor > left || digit > (left-n)/factor) {
				return fmt.Errorf("run at number %d is longer than the %d points left", i, left)
			}
			n += digit * factor
			if factor <= left {
				factor *= base
			}
		}
		if n > left {
			return fmt.Errorf("run of %d points at number %d, %d points are left", n, i, left)
		}
		run(level, n)
		left -= n
	}
	if left != 0 {
		return fmt.Errorf("runs of %d points, expected %d", p.N-left, p.N)
	}
	return nil
}
