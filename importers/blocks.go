package importers

import "context"

// Blocks is implemented by [Values] of which a part can be read without the rest.
type Blocks interface {
	// BlockShape is the shape of the blocks that are read at the least cost: some chunks of the
	// input, in which each has no part of two blocks. It is nil if the values are read at once.
	BlockShape() []uint64
	// Block reads the elements of the block that begins at start and has count elements along each
	// axis, all of them within the field. It may use scratch for them.
	Block(ctx context.Context, start, count []uint64, scratch *Scratch) (Elements, error)
}
