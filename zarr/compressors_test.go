package zarr

import (
	"bytes"
	"testing"
)

// Decoding takes no more memory than the output may have bytes, and one.
func TestReadLimited(t *testing.T) {
	for _, n := range []int{0, 1, limitedFirst - 1, limitedFirst, 9 << 20} {
		out, err := readLimited("test", bytes.NewReader(make([]byte, n)), int64(n))
		if err != nil || len(out) != n || cap(out) > n+1 {
			t.Errorf("%d bytes, %v, in memory for %d; expected %d", len(out), err, cap(out), n)
		}
		if _, err := readLimited("test", bytes.NewReader(make([]byte, n+1)), int64(n)); err == nil {
			t.Errorf("%d bytes were read, expected at most %d", n+1, n)
		}
	}
}
