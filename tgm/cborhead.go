package tgm

import (
	"errors"
	"fmt"
	"math"

	"github.com/tgmconv/tgmconv/internal/plaincbor"
)

// Major types of CBOR items (RFC 8949 section 3.1).
const (
	cborUint     = 0
	cborNegative = 1
	cborBytes    = 2
	cborText     = 3
	cborArray    = 4
	cborMap      = 5
	cborTag      = 6
	cborSimple   = 7 // and floats
)

// cborBreak ends an item of indefinite length.
const cborBreak = 0xFF

func appendCBORText(dst []byte, s string) []byte {
	return append(plaincbor.AppendHead(dst, cborText, uint64(len(s))), s...)
}

// cborHead is the head of an item.
type cborHead struct {
	major    byte
	info     byte   // the low five bits of the first byte
	n        uint64 // the value, length, count or tag number
	size     int    // bytes of the head
	endless  bool   // of indefinite length
	shortest bool   // no shorter head says the same
}

// errCBORCut says that an item goes on after the buffered bytes.
var errCBORCut = errors.New("item is cut short")

// maxSkipNesting bounds the nesting of skipped items. The decoder counts exactly, and tags only
// in part; here each counts.
const maxSkipNesting = 2 * maxNesting

var (
	errCBORNesting = fmt.Errorf("items are nested more than %d deep", maxNesting)
	errCBORBreak   = errors.New("break outside of an item of indefinite length")
)

// parseCBORHead reads the head of the item that b begins with.
func parseCBORHead(b []byte) (h cborHead, err error) {
	if len(b) == 0 {
		return h, errCBORCut
	}
	h = cborHead{major: b[0] >> 5, info: b[0] & 31, size: 1, shortest: true}
	if h.info < 24 {
		h.n = uint64(h.info)
		return h, nil
	}
	if h.info == 31 {
		h.endless, h.shortest = true, false
		switch h.major {
		case cborBytes, cborText, cborArray, cborMap:
			return h, nil
		case cborSimple:
			return h, errCBORBreak
		}
	}
	if h.info > 27 {
		return h, fmt.Errorf("byte %#02x begins no item", b[0])
	}
	size := 1 << (h.info - 24)
	if len(b) <= size {
		return h, errCBORCut
	}
	for _, c := range b[1 : 1+size] {
		h.n = h.n<<8 | uint64(c)
	}
	h.size += size
	// Below these values fewer bytes would do.
	h.shortest = h.n >= [...]uint64{24, 1 << 8, 1 << 16, 1 << 32}[h.info-24]
	return h, nil
}

// skipCBOR returns the bytes of the well-formed item that b begins with, without looking at values.
// The item is inside of depth others. The error is errCBORCut if the item may go on after b.
func skipCBOR(b []byte, depth int) (int, error) {
	h, err := parseCBORHead(b)
	if err != nil {
		return 0, err
	}
	switch h.major {
	case cborBytes, cborText:
		return skipString(b, h)
	case cborArray, cborMap, cborTag:
		if depth >= maxSkipNesting {
			return 0, errCBORNesting
		}
		return skipItems(b, h, depth+1)
	case cborSimple:
		if h.info == 24 && h.n < 32 {
			return 0, fmt.Errorf("simple value %d in two bytes", h.n)
		}
	}
	return h.size, nil
}

// skipString skips a byte string or text with head h.
func skipString(b []byte, h cborHead) (int, error) {
	if !h.endless {
		if h.n > uint64(len(b)-h.size) {
			return 0, errCBORCut
		}
		return h.size + int(h.n), nil
	}
	for pos := h.size; ; {
		if pos < len(b) && b[pos] == cborBreak {
			return pos + 1, nil
		}
		chunk, err := parseCBORHead(b[pos:])
		if err != nil {
			return 0, err
		}
		if chunk.major != h.major || chunk.endless {
			return 0, fmt.Errorf("string of indefinite length has a piece that begins with %#02x", b[pos])
		}
		n, err := skipString(b[pos:], chunk)
		if err != nil {
			return 0, err
		}
		pos += n
	}
}

// skipItems skips an array, map or tag with head h; depth is the depth of the items in it.
func skipItems(b []byte, h cborHead, depth int) (int, error) {
	left := h.n
	switch {
	case h.major == cborTag:
		left = 1
	case h.major == cborMap && left > math.MaxUint64/2:
		return 0, fmt.Errorf("map of %d pairs", h.n)
	case h.major == cborMap:
		left *= 2
	}
	pos, items := h.size, 0
	for ; h.endless || left > 0; left-- {
		if h.endless && pos < len(b) && b[pos] == cborBreak {
			if h.major == cborMap && items%2 != 0 {
				return 0, errors.New("map of indefinite length ends after a key")
			}
			return pos + 1, nil
		}
		n, err := skipCBOR(b[pos:], depth)
		if err != nil {
			return 0, err
		}
		pos += n
		items++
	}
	return pos, nil
}

// cborCursor goes through CBOR in a file, and holds little more than an item of it. It is for one
// goroutine.
type cborCursor struct {
	win    window
	pos    int64 // in the file
	end    int64 // of the CBOR, in the file
	limit  int64 // bytes of one item
	failed error // of reading
}

// ahead returns the buffered bytes from the current position, at least n bytes unless the end is
// nearer.
func (c *cborCursor) ahead(n int) ([]byte, error) {
	left := c.end - c.pos
	b, err := c.win.from(c.pos, int(min(int64(n), left)))
	if err != nil {
		c.failed = err
		return nil, err
	}
	return b[:min(int64(len(b)), left)], nil
}

// take returns the item at the current position and moves past it. The bytes are valid until the
// next call. The item is inside of depth others.
func (c *cborCursor) take(depth int) ([]byte, error) {
	for want := 1; ; {
		b, err := c.ahead(want)
		if err != nil {
			return nil, err
		}
		n, err := skipCBOR(b, depth)
		if int64(max(n, want)) > c.limit {
			return nil, fmt.Errorf("an item is beyond the limit of %d bytes", c.limit)
		}
		if err == nil {
			c.pos += int64(n)
			return b[:n], nil
		}
		if err != errCBORCut || int64(len(b)) == c.end-c.pos {
			return nil, err
		}
		want = 2 * max(len(b), cborHeadSize)
	}
}

// cborHeadSize is the longest head of an item.
const cborHeadSize = 9

// head reads the head of an item and moves past it.
func (c *cborCursor) head() (cborHead, error) {
	b, err := c.ahead(cborHeadSize)
	if err != nil {
		return cborHead{}, err
	}
	h, err := parseCBORHead(b)
	c.pos += int64(h.size)
	return h, err
}

// atBreak reports whether an item of indefinite length ends at the current position, and moves past
// the end.
func (c *cborCursor) atBreak() (bool, error) {
	b, err := c.ahead(1)
	if err != nil || len(b) == 0 || b[0] != cborBreak {
		return false, err
	}
	c.pos++
	return true, nil
}
