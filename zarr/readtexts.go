package zarr

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/reuse"
)

// ReadStrings reads count texts from start on along each dimension, in C order: elements of the kinds
// KindText, KindChars and KindBytes, without the NULs at their ends. Bytes of KindBytes and KindBlob need
// not be UTF-8.
func (a *Array) ReadStrings(ctx context.Context, start, count []uint64) ([]string, error) {
	var texts []string
	err := a.readTexts(ctx, start, count, func(n int) { texts = make([]string, n) }, func(i int, text []byte) { texts[i] = string(text) })
	return texts, err
}

// ReadBlobs reads the bytes of count elements from start on along each dimension, in C order. The
// elements have any length, or are texts. A KindList is its numbers, little-endian.
func (a *Array) ReadBlobs(ctx context.Context, start, count []uint64) ([][]byte, error) {
	var blobs [][]byte
	err := a.readTexts(ctx, start, count, func(n int) { blobs = make([][]byte, n) }, func(i int, text []byte) { blobs[i] = bytes.Clone(text) })
	return blobs, err
}

// maxTextElements bounds the texts of a region.
const maxTextElements = 1 << 28

// readTexts calls size with the number of elements of a region, and then put with each of them. It calls put
// on several goroutines.
func (a *Array) readTexts(ctx context.Context, start, count []uint64, size func(n int), put func(i int, text []byte)) error {
	switch a.element.Kind {
	case KindText, KindBlob, KindList, KindChars, KindBytes:
	default:
		return &UnsupportedError{What: fmt.Sprintf("%s: reading elements of the data type %s as texts", a.path, a.meta.DataType)}
	}
	if err := a.checkRegion(start, count); err != nil {
		return err
	}
	n, ok := nd.Bytes(count, 1)
	if !ok || n > maxTextElements {
		return fault.Errorf("zarr", "%s: a region of %v texts, expected at most %d", a.path, count, maxTextElements)
	}
	size(int(n))
	if n == 0 {
		return nil
	}
	strides := nd.Strides(count, 1)
	width := a.element.width()
	fill := a.text(a.fillRef())
	var rooms reuse.Buffers
	return a.eachChunk(ctx, start, count, func(ctx context.Context, p part) error {
		data, texts, err := a.chunk(ctx, nil, p.index, &rooms)
		absent := errors.Is(err, ErrNotFound)
		if err != nil && !absent {
			return err
		}
		if !absent {
			data = nd.Cut(nd.At(data, a.meta.ChunkShape, p.from), p.count, width)
		}
		i := 0
		for at := range nd.Positions(p.count) {
			text := fill
			if !absent {
				text = a.text(data[i:i+width], texts)
			}
			put(nd.Offset(at, strides)+nd.Offset(p.into, strides), text)
			i += width
		}
		return nil
	})
}

// fillRef is the fill value as chunks have it in memory, and the texts it refers to.
func (a *Array) fillRef() (element, texts []byte) {
	if a.element.anyLength() {
		return appendRef(nil, 0, len(a.fill)), a.fill
	}
	return a.fill, nil
}

// text is the text of an element of a chunk in memory.
func (a *Array) text(element, texts []byte) []byte {
	switch a.element.Kind {
	case KindBytes:
		return bytes.TrimRight(element, "\x00")
	case KindChars:
		text := make([]byte, 0, len(element)/4)
		end := len(element)
		for end >= 4 && binary.LittleEndian.Uint32(element[end-4:]) == 0 {
			end -= 4
		}
		for i := 0; i < end; i += 4 {
			text = utf8.AppendRune(text, rune(binary.LittleEndian.Uint32(element[i:])))
		}
		return text
	}
	return textOf(element, texts)
}
