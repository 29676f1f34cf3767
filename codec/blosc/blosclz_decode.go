package blosc

import (
	"errors"
	"fmt"

	"github.com/tgmconv/tgmconv/internal/codec/match"
)

var errBloscLZ = errors.New("corrupt BloscLZ data")

// Constants of BloscLZ. A control byte below 32 begins a run of literals, one more than its value.
// Any other is a copy: its upper three bits are the length less 2, 7 for more (bytes follow that
// are added, up to the first that is not 255); its lower five bits are the high part of the
// distance, less one, and a byte with the low part follows. When all bits of the distance are set,
// two bytes follow with a distance beyond lzFar, high byte first.
const (
	lzRun     = 32
	lzFar     = 8191 // the first distance that takes two more bytes, less 1
	lzMaxFar  = 65535 + lzFar
	lzMinSize = 16
)

// decodeBloscLZ decodes data that must give exactly len(dst) bytes.
func decodeBloscLZ(dst, src []byte) error {
	if len(src) == 0 {
		return ErrTruncated
	}
	in, out := 1, 0
	for c := int(src[0] & 31); ; in++ {
		if c < lzRun {
			n := c + 1
			if n > len(src)-in || n > len(dst)-out {
				return fmt.Errorf("run of %d bytes at byte %d: %w", n, in-1, errBloscLZ)
			}
			copy(dst[out:out+n], src[in:])
			in, out = in+n, out+n
			if in == len(src) {
				break
			}
		} else {
			n, distance, next := bloscLZCopy(src, in, c)
			// A stream ends with a run, so a control byte follows.
			if next >= len(src) || distance > out || n > len(dst)-out {
				return fmt.Errorf("copy of %d bytes from %d bytes back at byte %d: %w", n, distance, in-1, errBloscLZ)
			}
			match.Copy(dst, out, distance, n)
			in, out = next, out+n
		}
		c = int(src[in])
	}
	if out != len(dst) {
		return fmt.Errorf("%w: %d bytes, expected %d", ErrSize, out, len(dst))
	}
	return nil
}

// bloscLZCopy reads a copy with control byte c whose other bytes begin at in. When src ends too
// early next is len(src) or more.
func bloscLZCopy(src []byte, in, c int) (n, distance, next int) {
	n = c>>5 + 2
	if c>>5 == 7 {
		for more := byte(255); more == 255; in++ {
			if in >= len(src) {
				return 0, 0, in
			}
			more = src[in]
			n += int(more)
		}
	}
	if in >= len(src) {
		return 0, 0, in
	}
	low := int(src[in])
	in++
	distance = (c&31)<<8 + low + 1
	if c&31 == 31 && low == 255 {
		if in+2 > len(src) {
			return 0, 0, len(src)
		}
		distance = lzFar + 1 + int(src[in])<<8 + int(src[in+1])
		in += 2
	}
	return n, distance, in
}
