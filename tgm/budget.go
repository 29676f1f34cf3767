package tgm

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// Budget bounds the memory that decoding takes at any time, in all files that share it. A decoder
// that needs more than is left waits. An array that is larger than the whole budget is decoded
// alone.
//
// Up to a quarter of a budget keeps decoded arrays that [Object.DecodeRange] gave parts of, as
// long as no decoding needs it.
//
// Memory counts from before an array is decoded until Decode returns. A program that then keeps
// many arrays, such as a server, can count them with Acquire.
type Budget struct {
	left   *semaphore.Weighted
	size   int64
	keeper keeper

	expanded atomic.Int64
}

// NewBudget returns a budget of the given bytes.
func NewBudget(bytes int64) *Budget {
	bytes = max(bytes, 1)
	b := &Budget{left: semaphore.NewWeighted(bytes), size: bytes}
	b.init()
	return b
}

// defaultBudgetBytes is enough to decode arrays of ordinary size on all cores.
const defaultBudgetBytes = 512 << 20

// processBudget is shared by all files that are opened without WithBudget: memory is the process's,
// not a file's.
var processBudget = NewBudget(defaultBudgetBytes)

// ProcessBudget returns the budget of files that are opened without WithBudget.
func ProcessBudget() *Budget { return processBudget }

// Expand allows arrays of up to the given number of bytes, however small their payload is. It
// counts in files that do not set [Limits].Decoded.
func (b *Budget) Expand(bytes int64) { b.expanded.Store(bytes) }

// WithBudget lets files share a budget. Without it they share one of 512 MiB with all others of the
// process.
func WithBudget(b *Budget) Option { return func(o *options) { o.budget = b } }

// Acquire waits until the given bytes are free and takes them. Call release to give them back. More
// than the whole budget counts as all of it. The error is ctx.Err().
func (b *Budget) Acquire(ctx context.Context, bytes int64) (release func(), err error) {
	n := min(max(bytes, 0), b.size)
	if b.left.TryAcquire(n) || b.takeFromKept(n) {
		return func() { b.left.Release(n) }, nil
	}
	if err := b.left.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { b.left.Release(n) }, nil
}

// hold is Acquire for work that does not end early.
func (b *Budget) hold(bytes int64) (release func()) {
	release, err := b.Acquire(context.Background(), bytes)
	if err != nil { // a context that never ends gives none
		return func() {}
	}
	return release
}

// memory is about how many bytes decoding the payload takes.
func (p *payloadDecoder) memory(payload int64) int64 {
	if p.plain() {
		return int64(p.size)
	}
	n := int64(p.size) + payload
	for i := range p.layers[1:] {
		n += int64(p.layers[i+1].in.bytes)
	}
	return n
}
