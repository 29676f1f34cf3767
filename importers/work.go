package importers

import (
	"fmt"
	"sync/atomic"
)

// Work bounds how many bytes of values are decoded, in all conversions that share it. Copied values
// and constant fields do not count. A quarter of the bytes, but at least 256 MiB, may be decoded at
// once. A nil Work has no limit.
type Work struct {
	limit int64
	used  atomic.Int64
}

// NewWork returns a Work that allows the given number of bytes.
func NewWork(bytes int64) *Work { return &Work{limit: bytes} }

// Take counts bytes of values that are about to be decoded. The error is a [*WorkError].
func (w *Work) Take(bytes int64) error { return w.take(int(bytes), 1) }

// take counts n values of size bytes each that are about to be decoded.
func (w *Work) take(n, size int) error {
	if w == nil {
		return nil
	}
	bytes := int64(n) * int64(size)
	if bytes > atOnce(w.limit) {
		return &WorkError{Bytes: bytes, Limit: w.limit, AtOnce: true}
	}
	return w.spend(bytes)
}

// spend counts bytes of values that are decoded a piece at a time.
func (w *Work) spend(bytes int64) error {
	if w == nil {
		return nil
	}
	if used := w.used.Add(bytes); used > w.limit {
		return &WorkError{Bytes: used, Limit: w.limit}
	}
	return nil
}

// atOnce is how many bytes may be decoded at once.
func atOnce(limit int64) int64 { return max(limit/4, 256<<20) }

// A WorkError reports that values take more bytes than a Work allows.
type WorkError struct {
	Bytes  int64 // so far, or of values that are decoded at once
	Limit  int64 // of all
	AtOnce bool
}

func (e *WorkError) Error() string {
	if e.AtOnce {
		return fmt.Sprintf("%d MB of values are decoded at once, the limit for inputs of this size is %d MB", e.Bytes>>20, atOnce(e.Limit)>>20)
	}
	return fmt.Sprintf("the values decoded so far have %d MB, the limit for inputs of this size is %d MB", e.Bytes>>20, e.Limit>>20)
}
