package importers

import "context"

// Blocks is implemented by Values that can be read in parts.
type Blocks interface {
	// BlockShape is the shape of the blocks that are read at the least cost: blocks of whole chunks
	// of the input, so that no chunk is read for two blocks. It is nil if the values are read all
	// at once.
	BlockShape() []uint64
	// Block reads the elements of the block that begins at start and has count elements along each
	// axis, all of them within the field. It may use scratch for them.
	Block(ctx context.Context, start, count []uint64, scratch *Scratch) (Elements, error)
}
