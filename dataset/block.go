package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// A BlockSource is [Fields] of which parts can be read without the rest.
type BlockSource interface {
	// BlockShape is the shape of the blocks in which an object is read at the least cost; nil if it
	// is read at once.
	BlockShape(ctx context.Context, ref int) ([]uint64, error)
	// ReadBlock reads the values of a block of an object, as Fields.Read does. A block that goes
	// beyond the edge has the elements within. They are in the memory of buffer, which may be nil,
	// if it has room.
	ReadBlock(ctx context.Context, ref int, start, count []uint64, buffer []byte) (*tgm.Array, error)
}

// ReadBlock reads the values of a part of a field of a source, as [ReadField] reads all of them.
func ReadBlock(ctx context.Context, f *importers.Field, start, count []uint64, scratch *importers.Scratch, buffer []byte) (*tgm.Array, error) {
	blocks, ok := f.Values.(importers.Blocks)
	if !ok {
		return nil, importers.ErrNotPieces
	}
	within := make([]uint64, len(count))
	for i := range within {
		within[i] = min(count[i], max(uint64(f.Shape[i]), start[i])-start[i])
	}
	return fieldArray(f, within, scratch, buffer, func() (importers.Elements, error) {
		return blocks.Block(ctx, start, within, scratch)
	})
}
