package tozarr

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/zarr"
)

// A textFormat is how texts are stored in chunks without compression: with a width, each takes so
// many bytes, filled up with NUL (null_terminated_bytes); without, the chunk is of the codec
// vlen-utf8.
//
//	uint32  number of texts
//	uint32  bytes of a text, and these; for each text
type textFormat struct{ width int }

// textFormatOf is the format of an array's chunks.
func textFormatOf(a *zarr.ArrayMetadata) (textFormat, error) {
	if len(a.Codecs) != 1 {
		return textFormat{}, fmt.Errorf("%d codecs, expected one", len(a.Codecs))
	}
	switch codec := a.Codecs[0].Name; {
	case a.DataType == "string" && codec == "vlen-utf8":
		return textFormat{}, nil
	case a.DataType == "null_terminated_bytes" && codec == "bytes":
		text, err := json.Marshal(a.DataTypeConfig["length_bytes"])
		if err != nil {
			return textFormat{}, err
		}
		width, err := strconv.ParseInt(string(text), 10, 32)
		if err != nil || width < 1 {
			return textFormat{}, fmt.Errorf("length_bytes is %s, expected a whole number from 1", text)
		}
		return textFormat{int(width)}, nil
	default:
		return textFormat{}, fmt.Errorf("data type %s with codec %s, expected string with vlen-utf8 or null_terminated_bytes with bytes", a.DataType, codec)
	}
}

// decode gives the texts of a chunk. They may be in its memory.
func (f textFormat) decode(chunk []byte, count int) ([]string, error) {
	if f.width > 0 {
		if int64(len(chunk)) != int64(count)*int64(f.width) {
			return nil, fmt.Errorf("a chunk of %d bytes, expected %d texts of %d bytes", len(chunk), count, f.width)
		}
		texts := make([]string, count)
		for i := range texts {
			texts[i] = string(bytes.TrimRight(chunk[i*f.width:(i+1)*f.width], "\x00"))
		}
		return texts, nil
	}
	if len(chunk) < 4 || int64(binary.LittleEndian.Uint32(chunk)) != int64(count) || (len(chunk)-4)/4 < count {
		return nil, fmt.Errorf("a chunk of %d bytes does not hold %d texts", len(chunk), count)
	}
	texts := make([]string, count)
	rest := chunk[4:]
	for i := range texts {
		if len(rest) < 4 || int64(binary.LittleEndian.Uint32(rest)) > int64(len(rest)-4) {
			return nil, fmt.Errorf("a chunk of %d bytes ends within text %d of %d", len(chunk), i, count)
		}
		end := 4 + int(binary.LittleEndian.Uint32(rest))
		texts[i], rest = string(rest[4:end]), rest[end:]
	}
	return texts, nil
}

// encode makes a chunk of texts, which must not be longer than the width.
func (f textFormat) encode(texts []string) ([]byte, error) {
	if f.width > 0 {
		chunk := make([]byte, len(texts)*f.width)
		for i, text := range texts {
			if len(text) > f.width {
				return nil, fmt.Errorf("a text of %d bytes, expected at most %d", len(text), f.width)
			}
			copy(chunk[i*f.width:], text)
		}
		return chunk, nil
	}
	chunk := binary.LittleEndian.AppendUint32(nil, uint32(len(texts)))
	for _, text := range texts {
		chunk = append(binary.LittleEndian.AppendUint32(chunk, uint32(len(text))), text...)
	}
	return chunk, nil
}

// A textBlock is an array of texts in C order, of one dimension or more, with a position in it.
type textBlock struct {
	texts []string
	block
}

// copyFrom copies n texts along each dimension from the position of another block to this block's.
func (b textBlock) copyFrom(from textBlock, n []uint64) {
	if len(n) == 1 {
		copy(b.texts[b.origin[0]:][:n[0]], from.texts[from.origin[0]:])
		return
	}
	for i := range n[0] {
		b.row(i).copyFrom(from.row(i), n[1:])
	}
}

// row is the part of a block with the i-th position after its own along the first dimension.
func (b textBlock) row(i uint64) textBlock {
	size := nd.Volume(b.shape[1:])
	return textBlock{b.texts[(b.origin[0]+i)*size:][:size], block{b.origin[1:], b.shape[1:]}}
}

// A textArray is an array of texts, of one dimension or more, in a view or a store.
type textArray struct {
	textFormat
	shape, chunk []uint64
	fill         string
	get          func(ctx context.Context, index []uint64) ([]byte, error)
}

// read gives the texts of a chunk. If there is none, the error wraps zarr.ErrNotFound.
func (a *textArray) read(ctx context.Context, index []uint64) (textBlock, error) {
	data, err := a.get(ctx, index)
	if err != nil {
		return textBlock{}, err
	}
	texts, err := a.decode(data, int(nd.Volume(a.chunk)))
	return textBlock{texts, block{make([]uint64, len(a.chunk)), a.chunk}}, err
}

// all yields the texts of the array, chunk by chunk, without chunks that are absent.
func (a *textArray) all(ctx context.Context) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		zero := make([]uint64, len(a.shape))
		for index := range nd.Positions(nd.Grid(a.shape, a.chunk)) {
			chunk, err := a.read(ctx, index)
			if errors.Is(err, zarr.ErrNotFound) {
				continue
			}
			if err != nil {
				yield(nil, err)
				return
			}
			n := make([]uint64, len(index))
			for i, c := range a.chunk {
				n[i] = min(c, a.shape[i]-index[i]*c)
			}
			inside := textBlock{make([]string, nd.Volume(n)), block{zero, n}}
			inside.copyFrom(chunk, n)
			if !yield(inside.texts, nil) {
				return
			}
		}
	}
}

// A textGrowth is an array of texts that grows: the added texts, and the array as it was in the store.
type textGrowth struct{ added, before textArray }

// maxSlabTexts bounds the texts of a slab that is more than a chunk.
const maxSlabTexts = 1 << 20

// chooseTextSlab makes large slabs of growing texts. Chunks of the view are decoded once, or at most twice,
// unless they are very large.
func (a *arrayPlan) chooseTextSlab() {
	a.slab, a.reads = slices.Clone(a.out.ChunkShape), 1
	if a.growth == nil {
		return
	}
	n := int64(1)
	for i, chunk := range a.out.ChunkShape {
		a.slab[i] = max(chunk, min(roundUp(a.in.ChunkShape[i], chunk), roundUp(a.out.Shape[i], chunk)))
		if n *= int64(a.slab[i]); n > maxSlabTexts {
			a.slab = slices.Clone(a.out.ChunkShape)
			return
		}
	}
}

// growTexts puts chunks of a slab with the old texts and the added ones.
func (w *writer) growTexts(ctx context.Context, s *slab, missing [][]uint64) error {
	a, g := s.array, s.array.growth
	out := textBlock{make([]string, nd.Volume(s.shape)), block{make([]uint64, len(s.shape)), s.shape}}
	for i := range out.texts {
		out.texts[i] = g.before.fill
	}
	if err := a.keepTexts(ctx, s, out, missing); err != nil {
		return err
	}
	holes := new(filled)
	for _, p := range a.parts(s) {
		chunk, err := g.added.read(ctx, p.index)
		if errors.Is(err, zarr.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		holes.add(p.block)
		chunk.origin, out.origin = p.from, minus(p.origin, s.origin)
		out.copyFrom(chunk, p.shape)
	}
	for _, index := range missing {
		if holes.all(s, index) {
			continue
		}
		chunk := textBlock{make([]string, nd.Volume(a.out.ChunkShape)), block{make([]uint64, len(index)), a.out.ChunkShape}}
		out.origin = minus(times(index, a.out.ChunkShape), s.origin)
		chunk.copyFrom(out, a.out.ChunkShape)
		stored, err := g.before.encode(chunk.texts)
		if err != nil {
			return err
		}
		if err := s.out.put(ctx, index, stored); err != nil {
			return err
		}
	}
	return nil
}

// keepTexts copies the texts that the store had in chunks of a slab.
func (a *arrayPlan) keepTexts(ctx context.Context, s *slab, out textBlock, missing [][]uint64) error {
	for _, index := range missing {
		origin, n := times(index, a.out.ChunkShape), make([]uint64, len(index))
		for i, before := range a.growth.before.shape {
			n[i] = min(a.out.ChunkShape[i], before-min(before, origin[i]))
		}
		if slices.Contains(n, 0) {
			continue
		}
		chunk, err := a.growth.before.read(ctx, index)
		if errors.Is(err, zarr.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("the chunk %s in the store: %w", a.key(index), err)
		}
		out.origin = minus(origin, s.origin)
		out.copyFrom(chunk, n)
	}
	return nil
}

// minus is the difference of positions, times their product.
func minus(a, b []uint64) []uint64 {
	c := slices.Clone(a)
	for i, n := range b {
		c[i] -= n
	}
	return c
}

func times(a, b []uint64) []uint64 {
	c := slices.Clone(a)
	for i, n := range b {
		c[i] *= n
	}
	return c
}

// quoted is a text in quotes, cut if it is long.
func quoted(text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return strconv.Quote(text)
}
