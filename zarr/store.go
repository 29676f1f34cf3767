package zarr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

// A Store is a read-only set of Zarr keys ("Stores" in the specification).
//
// Keys are paths such as "zarr.json" or "2t/c/0/0": no leading slash, no empty, "." or ".." segment
// (see [ValidKey]). All methods may be called from several goroutines. A key that does not exist is
// ErrNotFound. A store may return ErrGone for the key of a chunk that it knows the array never to
// have: ErrNotFound says that all elements have the fill value.
type Store interface {
	// Open returns the value of key. Nothing is decoded before the value is read.
	Open(ctx context.Context, key string) (Value, error)

	// List yields the keys and folders directly below the folder prefix ("" is the top): keys as
	// they are, folders with a slash at the end. A store that cannot list yields an error that is
	// errors.ErrUnsupported.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]
}

// A Value is the value that a store holds under a key.
type Value interface {
	// Info describes the whole value.
	Info() Info

	// Read opens the part of the value that r selects. The caller closes the reader, which yields
	// exactly the bytes selected or fails. Read may be called several times.
	Read(ctx context.Context, r Range) (io.ReadCloser, error)

	// Close releases the value. Readers that Read returned stay usable.
	Close() error
}

// Info describes a stored value.
type Info struct {
	Size int64  // in bytes
	ETag string // an entity tag as RFC 9110 section 8.8.3 writes it, quotes included; empty when none is known
}

// ErrNotFound is the error for a key, group or array that does not exist.
var ErrNotFound = errors.New("not found")

// ErrRange is the error for a range that selects nothing of the value it is applied to.
var ErrRange = errors.New("range not satisfiable")

// ErrGone is the error for a chunk that the array's metadata document does not name, or not any
// more. The store has another array now than the caller has opened.
var ErrGone = errors.New("the array has no such chunk, or not any more: open it again")

// A Range selects bytes of a value. The zero Range is the whole value.
type Range struct {
	start  int64
	length int64
	kind   rangeKind
}

type rangeKind uint8

const (
	wholeValue rangeKind = iota
	fromStart            // length bytes from start on
	toEnd                // everything from start on
	suffix               // the last length bytes
)

// Bytes returns the range of length bytes from start on; it is cut at the end of the value.
func Bytes(start, length int64) Range { return Range{start: start, length: length, kind: fromStart} }

// From returns the range from start to the end of the value.
func From(start int64) Range { return Range{start: start, kind: toEnd} }

// Suffix returns the range of the last n bytes, or the whole value when it is shorter.
func Suffix(n int64) Range { return Range{length: n, kind: suffix} }

// Whole reports whether r is the zero Range.
func (r Range) Whole() bool { return r.kind == wholeValue }

// Resolve returns the offset and length of r in a value of size bytes. It cuts r to the value as RFC 9110,
// section 14.1.2, describes. A range that starts after the end, or a suffix of nothing, is ErrRange.
func (r Range) Resolve(size int64) (offset, length int64, err error) {
	switch r.kind {
	case wholeValue:
		return 0, size, nil
	case suffix:
		if r.length <= 0 || size == 0 {
			return 0, 0, fmt.Errorf("%w: the last %d of %d bytes", ErrRange, r.length, size)
		}
		length = min(r.length, size)
		return size - length, length, nil
	case toEnd, fromStart:
		if r.start < 0 || r.start >= size || (r.kind == fromStart && r.length <= 0) {
			return 0, 0, fmt.Errorf("%w: %v of %d bytes", ErrRange, r, size)
		}
		length = size - r.start
		if r.kind == fromStart {
			length = min(length, r.length)
		}
		return r.start, length, nil
	}
	return 0, 0, fmt.Errorf("%w: unknown kind %d", ErrRange, r.kind)
}

// String returns the range as the HTTP Range header writes it, without the unit; empty for the
// whole value.
func (r Range) String() string {
	switch r.kind {
	case suffix:
		return fmt.Sprintf("-%d", r.length)
	case toEnd:
		return fmt.Sprintf("%d-", r.start)
	case fromStart:
		return fmt.Sprintf("%d-%d", r.start, r.start+r.length-1)
	}
	return ""
}

// ValidKey reports whether key can be the key of a value: segments joined by slashes, none of them
// empty, ".", "..", or with a NUL or backslash in it.
func ValidKey(key string) bool {
	for rest, more := key, true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if segment == "" || segment == "." || segment == ".." || strings.ContainsAny(segment, "\\\x00") {
			return false
		}
	}
	return true
}

// A Getter is a Store for which Open and Read are two requests, and that can make one of them.
type Getter interface {
	// Get is the function [Get] of the store.
	Get(ctx context.Context, key string, r Range) (io.ReadCloser, Info, error)
}

// Get opens the part of key's value that r selects; Info describes the whole value. The caller
// closes the reader, which yields exactly the bytes selected or fails.
func Get(ctx context.Context, s Store, key string, r Range) (io.ReadCloser, Info, error) {
	if g, ok := s.(Getter); ok {
		return g.Get(ctx, key, r)
	}
	value, err := s.Open(ctx, key)
	if err != nil {
		return nil, Info{}, err
	}
	return GetOf(ctx, value, r)
}

// GetOf is [Get] of a value that was opened for it.
func GetOf(ctx context.Context, value Value, r Range) (io.ReadCloser, Info, error) {
	body, err := value.Read(ctx, r)
	if err != nil {
		value.Close()
		return nil, value.Info(), err
	}
	return &valueReader{body, value}, value.Info(), nil
}

// A valueReader closes its value with the reader.
type valueReader struct {
	io.ReadCloser
	value Value
}

// Close implements io.Closer.
func (r *valueReader) Close() error { return errors.Join(r.ReadCloser.Close(), r.value.Close()) }

// Stat describes the value of key.
func Stat(ctx context.Context, s Store, key string) (Info, error) {
	value, err := s.Open(ctx, key)
	if err != nil {
		return Info{}, err
	}
	return value.Info(), value.Close()
}

// ReadAll reads the whole value of key, which must not be larger than limit bytes.
func ReadAll(ctx context.Context, s Store, key string, limit int64) ([]byte, error) {
	return readAll(ctx, s, key, limit, new(reuse.Buffers))
}

// readAll is ReadAll into memory that was used before, if there is some.
func readAll(ctx context.Context, s Store, key string, limit int64, rooms *reuse.Buffers) ([]byte, error) {
	body, info, err := Get(ctx, s, key, Range{})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if info.Size > limit {
		return nil, fault.Errorf("zarr", "%s: %d bytes, expected at most %d", key, info.Size, limit)
	}
	data := roomFor(rooms.Take(info.Size), int(info.Size))
	if n, err := io.ReadFull(body, data); err != nil {
		return nil, fault.Errorf("zarr", "%s: read %d of %d bytes: %w", key, n, info.Size, err)
	}
	return data, nil
}

// KeyNotFound returns the error for a key that a store does not have, which is [ErrNotFound].
func KeyNotFound(key string) error { return fault.Errorf("zarr", "%q: %w", key, ErrNotFound) }

// Section opens the part that r selects of a value of size bytes.
func Section(source io.ReaderAt, size int64, r Range) (io.ReadCloser, error) {
	offset, length, err := r.Resolve(size)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(io.NewSectionReader(source, offset, length)), nil
}

// JoinKey joins the path of a node ("" is the root) and the rest of a key.
func JoinKey(path, rest string) string {
	if path == "" {
		return rest
	}
	return path + "/" + rest
}
