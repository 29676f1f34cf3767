package dataset

import (
	"context"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/tgm"
)

// A BlockSource is implemented by [Fields] whose objects can be read in parts.
type BlockSource interface {
	// BlockShape returns the shape of the blocks in which an object is read at the least cost; nil
	// if it is read as a whole.
	BlockShape(ctx context.Context, ref int) ([]uint64, error)
	// ReadBlock reads the values of a block of an object, as Fields.Read does. A block that extends
	// beyond the edge is cut there. The result uses the memory of buffer, which may be nil, if that
	// is large enough.
	ReadBlock(ctx context.Context, ref int, start, count []uint64, buffer []byte) (*tgm.Array, error)
}

// ReadBlock reads the values of a block of a field of a source: count elements from start on along
// each axis. Otherwise it is like [ReadField].
func ReadBlock(ctx context.Context, f *importers.Field, start, count []uint64, scratch *importers.Scratch, buffer []byte) (*tgm.Array, error) {
	blocks, ok := f.Values.(importers.Blocks)
	if !ok {
		return nil, importers.ErrNotPieces
	}
	within := make([]uint64, len(count))
	for i := range within {
		within[i] = min(count[i], max(uint64(f.Shape[i]), start[i])-start[i])
	}
	return fieldArray(f, f.DType, within, scratch, buffer, func() (importers.Elements, error) {
		return blocks.Block(ctx, start, within, scratch)
	})
}
