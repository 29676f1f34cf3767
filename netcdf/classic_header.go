package netcdf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// Tags of the lists in a classic header.
const (
	tagAbsent    = 0
	tagDimension = 10
	tagVariable  = 11
	tagAttribute = 12
)

// classicHeader reads the header from front to back. The first error sticks: every later call
// returns zero values, so that callers check once at the end.
//
// Sizes and counts are four bytes, in CDF-5 eight; file offsets are four bytes in CDF-1, else
// eight. All numbers are big-endian.
type classicHeader struct {
	src       wire.Source
	raw       *RawFile
	r         *bufio.Reader
	at        int64
	kind      Kind
	streaming bool // numrecs was "indeterminate"
	err       error
}

func newClassicHeader(src wire.Source, kind Kind) *classicHeader {
	h := &classicHeader{src: src, raw: &RawFile{ReaderAt: src.R, Size: src.Size}, kind: kind, at: 4}
	h.r = bufio.NewReaderSize(io.NewSectionReader(src.R, 4, max(0, src.Size-4)), int(min(src.Size, 32<<10)))
	return h
}

func (h *classicHeader) fail(what string, at int64, format string, args ...any) {
	if h.err == nil {
		h.err = wire.Errorf(what, at, format, args...)
	}
}

// bytes returns the next n bytes, which must be in the file before memory is taken for them.
func (h *classicHeader) bytes(what string, n uint64) []byte {
	if h.err != nil {
		return nil
	}
	if n > math.MaxInt64 {
		h.fail(what, h.at, "%d bytes expected", n)
		return nil
	}
	if h.err = h.src.Check(what, h.at, int64(n)); h.err != nil {
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(h.r, b); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		h.fail(what, h.at, "%d bytes expected: %w", n, err)
		return nil
	}
	h.at += int64(n)
	return b
}

func (h *classicHeader) uint32(what string) uint32 {
	if b := h.bytes(what, 4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (h *classicHeader) uint64(what string) uint64 {
	if b := h.bytes(what, 8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// count reads a non-negative number. All ones as the number of records means that the writer did
// not know it.
func (h *classicHeader) count(what string) uint64 {
	at := h.at
	var n, limit uint64
	if h.kind == CDF5 {
		n, limit = h.uint64(what), math.MaxInt64
		h.streaming = n == math.MaxUint64
	} else {
		n, limit = uint64(h.uint32(what)), math.MaxUint32
		h.streaming = n == math.MaxUint32
	}
	if n > limit && !h.streaming {
		h.fail(what, at, "%d is negative", int64(n))
		return 0
	}
	return n
}

// list reads a list's tag and length. Each entry takes at least minimum bytes, which bounds the
// length.
func (h *classicHeader) list(what string, tag uint32, minimum int64) uint64 {
	at := h.at
	got := h.uint32(what)
	n := h.count(what)
	if h.err != nil {
		return 0
	}
	if got != tag && (got != tagAbsent || n != 0) {
		h.fail(what, at, "tag %d with %d entries, expected tag %d (or two zeros for none)", got, n, tag)
		return 0
	}
	if left := h.src.Size - h.at; n > uint64(left/minimum) {
		h.fail(what, at, "%d entries, but the file ends %d bytes later: %w", n, left, io.ErrUnexpectedEOF)
		return 0
	}
	return n
}

// name reads a length and that many bytes, padded to four.
func (h *classicHeader) name(what string) string {
	n := h.count(what)
	b := h.bytes(what, n)
	h.pad(what, n)
	return string(b)
}

func (h *classicHeader) pad(what string, n uint64) { h.bytes(what, -n&3) }

func (h *classicHeader) dimensions() []*Dim {
	const what = "dimension list"
	n := h.list(what, tagDimension, 8)
	var dims []*Dim
	for i := uint64(0); i < n && h.err == nil; i++ {
		at := h.at
		d := &Dim{Name: h.name(what)}
		d.Len = h.count(what)
		d.Unlimited = d.Len == 0
		if d.Unlimited {
			for _, e := range dims {
				if e.Unlimited {
					h.fail(what, at, "record dimension %q after %q, expected one only", d.Name, e.Name)
				}
			}
		}
		dims = append(dims, d)
	}
	return dims
}

func (h *classicHeader) class(what string) Class {
	at := h.at
	c := h.uint32(what)
	last := Double
	if h.kind == CDF5 {
		last = UInt64
	}
	if h.err == nil && (c < uint32(Byte) || c > uint32(last)) {
		h.fail(what, at, "type %d, expected 1 to %d in %s", c, last, h.kind)
		return Byte
	}
	return Class(c)
}

func (h *classicHeader) attributes(what string) []Attr {
	n := h.list(what, tagAttribute, 12)
	var list []Attr
	for i := uint64(0); i < n && h.err == nil; i++ {
		a := Attr{Name: h.name(what)}
		at := fmt.Sprintf("%s, attribute %q", what, a.Name)
		a.Type = atomic(h.class(at))
		begin := h.at
		count := h.count(at)
		size, ok := wire.Mul(count, uint64(a.Type.Size))
		if !ok {
			h.fail(at, begin, "%d elements", count)
			break
		}
		raw := h.bytes(at, size)
		h.pad(at, size)
		if h.err == nil {
			wire.Swap(raw, a.Type.Size)
			a.setValue(a.Type.Class, raw)
			list = append(list, a)
		}
	}
	return list
}

// variables fills root.Vars and returns how each lies in the file.
func (h *classicHeader) variables(root *Group) []*classicVar {
	const what = "variable list"
	n := h.list(what, tagVariable, 24)
	var layouts []*classicVar
	for i := uint64(0); i < n && h.err == nil; i++ {
		at := h.at
		v := &Var{Name: h.name(what)}
		v.Path = "/" + v.Name
		of := fmt.Sprintf("variable %q", v.Name)
		v.Dims = h.dimIDs(of, root.Dims)
		v.Attrs = h.attributes("attributes of " + of)
		v.Type = atomic(h.class(of))
		v.Storage = Storage{Layout: Contiguous, BigEndian: v.Type.Size > 1}
		h.count(of) // vsize: redundant, and wrong beyond 4 GiB
		l := &classicVar{src: h.src, raw: h.raw, v: v, begin: h.offset(of)}
		if h.err != nil {
			break
		}
		if err := l.layOut(); err != nil {
			h.fail(of, at, "%w", err)
			break
		}
		v.data = l
		layouts = append(layouts, l)
		root.Vars = append(root.Vars, v)
	}
	return layouts
}

func (h *classicHeader) dimIDs(what string, dims []*Dim) []*Dim {
	at := h.at
	n := h.count(what)
	if left := uint64(h.src.Size - h.at); h.err == nil && n > left/4 {
		h.fail(what, at, "%d dimensions, but the file ends %d bytes later: %w", n, left, io.ErrUnexpectedEOF)
	}
	var list []*Dim
	for i := uint64(0); i < n && h.err == nil; i++ {
		at := h.at
		id := h.count(what)
		if h.err == nil && id >= uint64(len(dims)) {
			h.fail(what, at, "dimension %d of a file with %d", id, len(dims))
			break
		}
		if h.err == nil {
			list = append(list, dims[id])
		}
	}
	return list
}

// offset reads the position of a variable's first element.
func (h *classicHeader) offset(what string) int64 {
	if h.kind == CDF1 {
		return int64(h.uint32(what))
	}
	at := h.at
	n := h.uint64(what)
	if n > math.MaxInt64 {
		h.fail(what, at, "begins at byte %d", n)
		return 0
	}
	return int64(n)
}
