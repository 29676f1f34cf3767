// Package spill keeps parts of arrays in a temporary file. It is for arrays that are read part by
// part, more often than they should be decoded, and do not fit the memory.
package spill

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/internal/codec/packing"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/storage"
)

// A File is a temporary file of parts of arrays. It is made when the first part is written. It may be
// used by several goroutines.
type File struct {
	folder string
	mu     sync.Mutex
	file   *storage.TempFile
	end    int64
	err    error
}

// New returns a file in a folder, "" for the system's.
func New(folder string) *File { return &File{folder: folder} }

// Close removes the file. No array of it may be in use.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// append writes bytes to the end of the file and returns where they begin.
func (f *File) append(data []byte) (int64, error) {
	f.mu.Lock()
	if f.file == nil && f.err == nil {
		f.file, f.err = storage.NewTempFile(f.folder)
	}
	at := f.end
	f.end += int64(len(data))
	f.mu.Unlock()
	if f.err != nil {
		return 0, f.err
	}
	_, err := f.file.WriteAt(data, at)
	return at, err
}

// Array returns an array with the elements of another. The other is read as a whole when a part is
// first asked for. All parts of that shape are then written to the file, from which later regions are
// read. Regions of one part are fastest.
//
// Values that the source keeps as integers ([array.Coded]) are kept as these.
func (f *File) Array(a array.Array, part []uint64) array.Array {
	s := &spilled{of: a, file: f, info: *a.Info()}
	s.info.Block = make([]uint64, len(part))
	for i, n := range part {
		s.info.Block[i] = max(1, min(n, s.info.Shape[i]))
	}
	return s
}

type spilled struct {
	array.Plain
	of   array.Array
	file *File
	info array.Info

	mu    sync.Mutex // while the array is read as a whole
	parts []place    // in C order; nil before
	grid  []uint64   // of the parts
	bits  int        // of integers; 0 for elements as they are
	set   func(dst []float64, integers []uint32)
}

// A place says where a part lies in the file.
type place struct{ at, length int64 }

// Info implements [array.Array].
func (s *spilled) Info() *array.Info { return &s.info }

// Read implements [array.Array].
func (s *spilled) Read(ctx context.Context, r array.Region, dst []byte) error {
	if err := s.fill(ctx); err != nil {
		return err
	}
	size := s.info.DType.Size()
	buffers := memory.Get().(*scratch)
	defer memory.Put(buffers)
	for t := range r.Tiles(s.info.Block) {
		_, shape := nd.Box(t.Index, s.info.Shape, s.info.Block)
		p := s.parts[nd.Number(t.Index, s.grid)]
		stored := grow(&buffers.stored, int(p.length))
		if n, err := s.file.file.ReadAt(stored, p.at); n < len(stored) {
			return fmt.Errorf("temporary file: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
		elements := stored
		if s.bits > 0 && slices.Equal(t.Within.Count, shape) && slices.Equal(shape, r.Count) {
			if err := s.unpack(dst, stored, buffers); err != nil {
				return fmt.Errorf("temporary file: %w", err)
			}
			continue
		}
		if s.bits > 0 {
			elements = grow(&buffers.elements, int(nd.Volume(shape))*size)
			if err := s.unpack(elements, stored, buffers); err != nil {
				return fmt.Errorf("temporary file: %w", err)
			}
		}
		nd.Copy(nd.At(dst, r.Count, t.At), nd.At(elements, shape, t.Within.Start), t.Within.Count, size)
	}
	return ctx.Err()
}

// pieceValues is how many values are unpacked at a time.
const pieceValues = 2048

// unpack sets dst to the elements of a part that is kept as integers.
func (s *spilled) unpack(dst, stored []byte, buffers *scratch) error {
	integers := grow(&buffers.integers, pieceValues)
	var values [pieceValues]float64
	for len(dst) > 0 {
		piece := values[:min(len(values), len(dst)/8)]
		size, _ := packing.Size(len(piece), s.bits) // of whole bytes
		if err := packing.UnpackUint32(integers[:len(piece)], stored[:min(size, len(stored))], s.bits); err != nil {
			return err
		}
		s.set(piece, integers[:len(piece)])
		for i, v := range piece {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(v))
		}
		dst, stored = dst[8*len(piece):], stored[size:]
	}
	return nil
}

// fill reads the array as a whole, unless it was, and writes its parts.
func (s *spilled) fill(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts != nil {
		return nil
	}
	buffers := memory.Get().(*scratch)
	defer memory.Put(buffers)
	s.grid = nd.Grid(s.info.Shape, s.info.Block)
	coded, err := s.of.Coded(ctx, buffers.whole32)
	if err != nil {
		return err
	}
	var parts []place
	stored := buffers.stored[:0]
	if coded != nil {
		buffers.whole32 = coded.Integers
		s.bits, s.set = coded.Bits, coded.Values
		parts, stored = s.packParts(coded, stored, buffers)
	} else if parts, stored, err = s.copyParts(ctx, stored, buffers); err != nil {
		return err
	}
	buffers.stored = stored
	at, err := s.file.append(stored)
	if err != nil {
		return err
	}
	for i := range parts {
		parts[i].at += at
	}
	s.parts, s.of = parts, nil
	return nil
}

// packParts appends the integers of each part.
func (s *spilled) packParts(coded *array.Coded, stored []byte, buffers *scratch) ([]place, []byte) {
	number := int(nd.Volume(s.grid))
	parts := make([]place, 0, number)
	room, _ := packing.Size(len(coded.Integers), s.bits)
	stored = slices.Grow(stored, room+number) // each part ends with a whole byte
	last := len(s.info.Shape) - 1
	for region := range array.Regions(s.info.Shape, s.info.Block) {
		integers := grow(&buffers.integers, int(region.Elements()))
		width := int(region.Count[last])
		row := 0
		for at := range nd.Within(region.Start[:last], region.Count[:last]) {
			first := int(nd.Number(at, s.info.Shape[:last])*s.info.Shape[last] + region.Start[last])
			copy(integers[row*width:], coded.Integers[first:first+width])
			row++
		}
		at := len(stored)
		stored = packing.PackUint32(stored, integers, s.bits)
		parts = append(parts, place{int64(at), int64(len(stored) - at)})
	}
	return parts, stored
}

// copyParts appends the elements of each part.
func (s *spilled) copyParts(ctx context.Context, stored []byte, buffers *scratch) ([]place, []byte, error) {
	all, err := array.Read(ctx, s.of, s.of.Info().Whole(), buffers.whole)
	if err != nil {
		return nil, stored, err
	}
	buffers.whole = all
	size := s.info.DType.Size()
	var parts []place
	for region := range array.Regions(s.info.Shape, s.info.Block) {
		at, n := len(stored), int(region.Elements())*size
		stored = append(stored, all[:n]...) // room
		nd.Copy(nd.At(stored[at:], region.Count, nil), nd.At(all, s.info.Shape, region.Start), region.Count, size)
		parts = append(parts, place{int64(at), int64(n)})
	}
	return parts, stored, nil
}

// A scratch is memory that is used again.
type scratch struct {
	whole, stored, elements []byte
	whole32, integers       []uint32
}

var memory = sync.Pool{New: func() any { return new(scratch) }}

func grow[T any](b *[]T, n int) []T {
	if cap(*b) < n {
		*b = make([]T, n)
	}
	*b = (*b)[:n]
	return *b
}
